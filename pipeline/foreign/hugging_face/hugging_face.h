// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "model/networks/network_settings.h"
#include "pipeline/foreign/hugging_face/hugging_face_files.h"
#include "pipeline/foreign/shared/foreign_model.h"

namespace gloss {

/// True for a directory of transformers: config.json with a model_type, and weights.
bool is_hugging_face(const std::string& path);
/// Reads such a directory. Throws InputError for what gloss cannot represent.
ForeignModel read_hugging_face(const std::string& path);

// BART and its relatives, whose parameters have the same names (bart_parameters.h).

/// Marian models in transformers' form, such as Helsinki-NLP/opus-mt-en-de: MarianMTModel.
ForeignModel read_hugging_face_marian(const HuggingFaceFiles&);
/// BartForConditionalGeneration.
ForeignModel read_hugging_face_bart(const HuggingFaceFiles&);
/// mBART-50 and mBART-25: MBartForConditionalGeneration with MBart50Tokenizer or MBartTokenizer.
ForeignModel read_hugging_face_mbart(const HuggingFaceFiles&);
/// M2M-100 and NLLB: M2M100ForConditionalGeneration.
ForeignModel read_hugging_face_m2m(const HuggingFaceFiles&);
/// PegasusForConditionalGeneration, with the tokenizers of the families above.
ForeignModel read_hugging_face_pegasus(const HuggingFaceFiles&);

// Encoders: masked models, classifiers, and encoders without either, for embeddings.

/// BERT with WordPiece: BertForMaskedLM, BertForPreTraining, BertForSequenceClassification, BertModel.
ForeignModel read_hugging_face_bert(const HuggingFaceFiles&);
/// The same kinds of RoBERTa, and of XLM-R, which has SentencePiece.
ForeignModel read_hugging_face_roberta(const HuggingFaceFiles&);

/// Language models of the class GPT2LMHeadModel.
ForeignModel read_hugging_face_gpt2(const HuggingFaceFiles&);
/// The parameters of a language model in GPT-2's names; its weights are [in, out].
ParameterMap gpt2_parameters(const NetworkSettings&);

/// T5, T5 v1.1 and what was trained with their code, such as MADLAD-400: T5ForConditionalGeneration.
ForeignModel read_hugging_face_t5(const HuggingFaceFiles&);

}  // namespace gloss
