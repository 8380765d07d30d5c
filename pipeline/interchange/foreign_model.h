// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <map>
#include <memory>
#include <string>

#include "model/networks/network_settings.h"
#include "pipeline/interchange/weight_sources.h"

namespace gloss {

/// A model of another program, described in gloss's terms; its weights are still in their files.
struct ForeignModel {
  std::string description;  ///< such as "a Marian model of transformers", for messages
  NetworkSettings network;
  /// The bytes of tokenizer files (Subwords::from_bytes); the same if both sides share one.
  std::string source_tokenizer, target_tokenizer;
  WeightSources weights;  ///< of every parameter of the network
};

}  // namespace gloss
