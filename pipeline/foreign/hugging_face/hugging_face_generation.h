// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/networks/network_settings.h"
#include "pipeline/foreign/hugging_face/hugging_face_files.h"

namespace gloss {

/// What generation_config.json, or config.json, says about the search.
struct HuggingFaceGeneration {
  int forced_begin = -1;                 ///< the first token of every target; -1: none
  std::vector<int> banned;               ///< tokens that are never chosen
  bool renormalizes = false;             ///< the probabilities of the other tokens sum to 1
  std::map<std::string, double> search;  ///< in the names of SearchSettings
  std::vector<std::string> notes;        ///< settings that gloss does not follow
};
/// Throws InputError if it has other tokens than the network.
HuggingFaceGeneration read_generation(const HuggingFaceFiles&, const NetworkSettings&);

}  // namespace gloss
