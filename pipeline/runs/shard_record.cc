// SPDX-License-Identifier: Apache-2.0

#include "pipeline/runs/shard_record.h"

#include <unistd.h>

#include <filesystem>

#include "base/checksum.h"
#include "base/error.h"
#include "base/files.h"
#include "base/json.h"
#include "base/mapped_file.h"
#include "base/paths.h"
#include "base/shown.h"
#include "base/text.h"

namespace gloss {
namespace {

using Json = nlohmann::json;

constexpr int kShardRecordFormat = 1;

std::string record_path(const std::string& path) { return path + ".json"; }

/// A member of the record. Throws InputError.
const Json& member(const Json& record, const char* name, bool (Json::*is_wanted)() const noexcept) {
  if (!record.contains(name) || !(record.at(name).*is_wanted)())
    throw InputError(concat("has no valid member ", shown(name)));
  return record.at(name);
}

ShardRecord parsed(const Json& record) {
  if (!record.is_object()) throw InputError("is no object");
  if (member(record, "format", &Json::is_number_integer) != kShardRecordFormat)
    throw InputError(concat("has another format than ", kShardRecordFormat));
  return {
      member(record, "run", &Json::is_object),
      member(record, "input", &Json::is_object),
      {member(record, "shard", &Json::is_number_integer), member(record, "shards", &Json::is_number_integer)},
      member(record, "items", &Json::is_number_integer),
      member(record, "bytes", &Json::is_number_integer),
      member(record, "sum", &Json::is_string)};
}

}  // namespace

std::optional<ShardRecord> read_shard_record(const std::string& path) {
  const std::string file = record_path(path);
  if (!path_exists(file)) return std::nullopt;
  try {
    return parsed(parse_json(read_file(file), file));
  } catch (const InputError& error) {
    throw InputError(concat(file, ": expected the record of a shard: ", error.what()));
  }
}

void write_shard_record(const std::string& path, ShardRecord record) {
  const MappedFile file(path);
  record.bytes = std::ssize(file.text());
  record.sum = checksum(file.text());
  write_file(record_path(path), json_line({{"format", kShardRecordFormat},
                                           {"shard", record.shard.number},
                                           {"shards", record.shard.count},
                                           {"items", record.items},
                                           {"bytes", record.bytes},
                                           {"sum", record.sum},
                                           {"input", record.range},
                                           {"run", record.identity}}) +
                                    "\n");
}

void remove_shard_record(const std::string& path) { ::unlink(record_path(path).c_str()); }

bool is_intact(const std::string& path, const ShardRecord& record) {
  std::error_code error;
  if (std::filesystem::file_size(path, error) != static_cast<std::uintmax_t>(record.bytes) || error)
    return false;
  return checksum(MappedFile(path).text()) == record.sum;
}

}  // namespace gloss
