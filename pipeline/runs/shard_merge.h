// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/output.h"
#include "pipeline/runs/shard_record.h"

namespace gloss {

/// A complete shard.
struct FinishedShard {
  std::string path;
  ShardRecord record;
};

/// The shards of `output` that are beside it (shard_path), by their names.
std::vector<std::string> shards_beside(const std::string& output);

/// The shards in order, if they are all shards of one job and as they were written. Throws InputError that
/// names a shard that is missing, incomplete, changed, given twice, or of another model, input or settings.
std::vector<FinishedShard> checked_shards(const std::vector<std::string>& paths);

/// Writes the shards one after the other.
void join_shards(const std::vector<FinishedShard>&, Output&);

/// Removes the shards and their records.
void remove_shards(const std::vector<FinishedShard>&);

}  // namespace gloss
