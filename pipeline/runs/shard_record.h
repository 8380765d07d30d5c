// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "pipeline/reading/shard.h"

namespace gloss {

/// What a complete shard of an output is: the file SHARD.json beside it.
struct ShardRecord {
  nlohmann::json identity;  ///< an object with what decides the output but the input
  nlohmann::json range;     ///< of the input: TextShard::range
  Shard shard;
  std::int64_t items = 0;  ///< of the input
  std::int64_t bytes = 0;  ///< of the shard
  std::string sum{};       ///< checksum of the shard
};

/// The record of the shard `path`; nothing if there is none. Throws InputError if it is damaged.
std::optional<ShardRecord> read_shard_record(const std::string& path);
/// Writes it, with the size and the checksum that the file has. Throws Error.
void write_shard_record(const std::string& path, ShardRecord);
void remove_shard_record(const std::string& path);
/// True if the file has the bytes of its record.
bool is_intact(const std::string& path, const ShardRecord&);

}  // namespace gloss
