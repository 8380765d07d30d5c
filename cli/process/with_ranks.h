// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <functional>

#include "base/ranks.h"

namespace gloss {

/// Runs `work` as one of the processes that mpirun started together, or as the only one, and returns its exit
/// status. One rank reports a failure that ranks share; a failing rank ends all.
int with_ranks(const std::function<int(Ranks&)>& work);

/// For a failure of another rank than the first, which may fail alike: waits until mpirun, which ends all
/// ranks when one fails, would have ended this one. Throws OtherRankFailed if a signal comes meanwhile.
void wait_for_first_rank();

}  // namespace gloss
