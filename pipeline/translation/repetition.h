// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <span>

#include "model/networks/batch.h"

namespace gloss {

/// The largest number of times in a row that the tokens contain a phrase of one token or more, if that is
/// four or more; else 0.
int phrase_repeats(std::span<const TokenId> tokens);

}  // namespace gloss
