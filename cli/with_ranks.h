#pragma once

#include <functional>

#include "base/ranks.h"

namespace gloss {

/// Runs `work` as one of the processes that mpirun started together, or as the only one, and returns its exit
/// status. Of failures that ranks share only one rank tells; a rank that fails ends all.
int with_ranks(const std::function<int(Ranks&)>& work);

}  // namespace gloss
