// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <span>

#include "model/networks/parts/source_settings.h"
#include "pipeline/examples/text_windows.h"

namespace gloss {

/// Fills in what the settings leave to the training items: sizes and channels of the first image, the rate
/// of the first recording, or the numbers of the first features; then means and deviations over up to 1,000
/// items at equal distances. Throws InputError, with list and line, if an item cannot be read, unless
/// `skip_broken`.
void learn_from_items(std::span<const WeightedText>, bool skip_broken, SourceSettings&);
/// Takes from the settings of a trained network what the settings leave to the training items.
void take_learned(const SourceSettings& learned, SourceSettings&);

}  // namespace gloss
