// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <span>
#include <string>

#include "model/networks/mixers/transformer_settings.h"
#include "pipeline/foreign/hugging_face/bart_parameters.h"

namespace gloss {

/// What a relative of BART in transformers fixes in its code.
struct BartKind {
  std::string model_type;   ///< in config.json
  std::string class_name;   ///< of the whole model
  std::string description;  ///< for messages
  BartPositions positions = BartPositions::learned;
  NormPlacement norm = NormPlacement::post;
  bool embedding_norm = false;
  bool scales = false;               ///< the default of scale_embedding
  int end = 2;                       ///< the default of eos_token_id
  bool starts_with_padding = false;  ///< the default of decoder_start_token_id; otherwise the end token
};

/// All kinds.
std::span<const BartKind> bart_kinds();
/// The kind of a model_type.
const BartKind& bart_kind(const std::string& model_type);

}  // namespace gloss
