// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <span>

#include "model/networks/batch.h"

namespace gloss {

/// True if the tokens contain a phrase, of one token or more, at least four times in a row.
bool repeats_a_phrase(std::span<const TokenId> tokens);

}  // namespace gloss
