// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "base/ranks.h"
#include "pipeline/runs/shard_record.h"

// The processes that mpirun started write one output together: each a part, which rank 0 joins. All ranks
// call these functions in this order.

namespace gloss {

/// Throws UsageError if a rank has other settings than rank 0, if there are parts of an earlier run that may
/// not be continued, or parts of another number of ranks.
void agree_on_parts(Ranks&, const std::string& output, const ShardRecord& own, bool resume);

/// Throws Error if rank 0 does not see the part that another rank has opened: they share no disk.
void expect_shared_disk(Ranks&, const std::string& output);

/// Joins the parts, which are complete, and removes them.
void join_parts(Ranks&, const std::string& output);

}  // namespace gloss
