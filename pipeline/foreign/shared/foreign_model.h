// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

#include "model/networks/network_settings.h"
#include "pipeline/examples/text_format.h"
#include "pipeline/examples/tokenizer_pair.h"
#include "pipeline/foreign/shared/weight_readers.h"

namespace gloss {

/// A model of another program, described in gloss's terms; its weights are still in their files.
struct ForeignModel {
  std::string description;  ///< such as "a Marian model of transformers", for messages
  NetworkSettings network;
  Tokenizers tokenizers;
  WeightReaders weights;             ///< of every parameter of the network
  TextFormat format{};               ///< languages, defaults of the search and so on
  std::vector<std::string> notes{};  ///< settings of the model that gloss does not follow
  std::string kind{};                ///< of its files, such as "Hugging Face directory"
};

/// Throws InputError, naming `path`, if the model has arrays that no parameter is made of: each of them may
/// change what the network computes. `settings`: what describes the network, for the message.
void expect_all_used(const ForeignModel&, const std::string& path,
                     const std::string& settings = "the settings");

}  // namespace gloss
