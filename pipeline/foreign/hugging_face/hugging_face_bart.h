// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "pipeline/foreign/hugging_face/hugging_face_files.h"
#include "pipeline/foreign/shared/foreign_model.h"

namespace gloss {

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

}  // namespace gloss
