// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "pipeline/foreign/hugging_face/hugging_face_files.h"
#include "pipeline/foreign/shared/foreign_model.h"

namespace gloss {

// Encoders: masked models, classifiers, and encoders without either, for embeddings.

/// BERT with WordPiece: BertForMaskedLM, BertForPreTraining, BertForSequenceClassification, BertModel.
ForeignModel read_hugging_face_bert(const HuggingFaceFiles&);
/// The same kinds of RoBERTa, and of XLM-R, which has SentencePiece.
ForeignModel read_hugging_face_roberta(const HuggingFaceFiles&);

}  // namespace gloss
