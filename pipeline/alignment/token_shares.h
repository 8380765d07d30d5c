// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <algorithm>
#include <cstdint>

#include "base/threads.h"
#include "model/networks/batch.h"

namespace gloss {

/// Calls `use(first, step)` on several threads: each call is for the tokens first, first + step, ... below
/// `count`. Neighbouring tokens, which may all be frequent, are in different calls.
template <class Use>
void each_token_share(int threads, TokenId count, Use use) {
  const TokenId shares = std::min<TokenId>(64, count);
  for_each_item(threads, shares, [&](std::int64_t share) { use(static_cast<TokenId>(share), shares); });
}

}  // namespace gloss
