// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "model/tensor/tensor.h"
#include "pipeline/foreign/hugging_face/hugging_face_tokenizer_files.h"
#include "pipeline/foreign/shared/export_format.h"
#include "pipeline/foreign/shared/parameter_map.h"

namespace gloss {

/// An array that transformers stores and gloss computes, or does not need.
struct FurtherArray {
  std::string name;
  Shape shape;
  ParameterMap::Fill fill;
};

/// A model in the terms of transformers: all that its directory contains.
struct HuggingFaceDescription {
  nlohmann::json config;      ///< config.json
  nlohmann::json generation;  ///< generation_config.json; null: none
  ParameterMap parameters;
  std::vector<FurtherArray> further;
  HuggingFaceTokenizerFiles tokenizer;
};

/// A kind of models that gloss writes for transformers: a row of the table of families.
struct HuggingFaceFamily {
  std::string program;  ///< for messages, such as "GPT-2 of transformers"
  /// True if a transformer belongs here, by what its form, norms, positions and tokenizer are.
  std::function<bool(const ModelToExport&)> fits;
  /// Throws UsageError, naming the setting, for what models of the family cannot have.
  std::function<HuggingFaceDescription(const ModelToExport&, const std::string& program)> describe;
};

/// Encoder-decoders as BART or a relative (bart_kinds.h), by their norms and positions.
std::vector<HuggingFaceFamily> hugging_face_bart_families();
/// Encoders as BERT, RoBERTa or XLM-R, by their tokenizers: for masked tokens, for classes or without a head.
std::vector<HuggingFaceFamily> hugging_face_bert_families();
/// Language models as GPT2LMHeadModel.
HuggingFaceFamily hugging_face_gpt2_family();
/// Encoder-decoders whose positions are buckets of distances, as T5ForConditionalGeneration.
HuggingFaceFamily hugging_face_t5_family();

}  // namespace gloss
