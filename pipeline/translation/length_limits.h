// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "pipeline/text_models/text_model.h"
#include "pipeline/translation/translation_settings.h"

namespace gloss {

/// Lowers the length limits to the number of positions of the network, with the tokens around the lines.
void limit_lengths(const NetworkSettings&, TranslationSettings&, const PairFrame& frame = {});
/// The same for all members.
void limit_lengths(const TextModels&, TranslationSettings&);

}  // namespace gloss
