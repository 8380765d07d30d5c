// SPDX-License-Identifier: Apache-2.0

#include "pipeline/training/training_task.h"

namespace gloss {

nlohmann::json faster_encoder(const NetworkSettings& network) {
  if (network.source.is_text()) return {{"encoder_mixers", {"dynamic"}}};
  if (network.source.type == SourceType::audio)
    return {{"encoder_mixers", {"conformer"}}, {"positions", "relative"}};
  return nlohmann::json::object();
}

}  // namespace gloss
