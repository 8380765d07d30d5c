// SPDX-License-Identifier: Apache-2.0

#include "pipeline/translation/length_limits.h"

#include <algorithm>

namespace gloss {

void limit_lengths(const NetworkSettings& network, TranslationSettings& settings, const PairFrame& frame) {
  const int longest = network.sizes.max_positions - 1;  // the end or the begin token takes one position
  settings.max_source_tokens =
      std::min(settings.max_source_tokens, std::max(1, longest - frame.source.size()));
  settings.search.max_length = std::min(settings.search.max_length, longest);
}

void limit_lengths(const TextModels& models, TranslationSettings& settings) {
  for (const TextModel& member : models.members) limit_lengths(member.model.settings, settings, member.frame);
}

}  // namespace gloss
