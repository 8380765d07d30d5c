// SPDX-License-Identifier: Apache-2.0

#include "model/formats/sharded_arrays.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/error.h"
#include "base/json.h"

namespace gloss {
namespace {

/// True for the name of a file that is certainly in the folder of the index.
bool is_plain_name(const std::string& name) {
  const auto strange = [](char c) { return c == '/' || c == '\\' || static_cast<unsigned char>(c) < ' '; };
  return !name.empty() && name.size() < 256 && name != "." && name != ".." &&
         std::ranges::none_of(name, strange);
}

}  // namespace

StoredArrays read_shards(const std::string& index_path,
                         const std::function<StoredArrays(const std::string&)>& read) {
  const nlohmann::json contents = read_json(index_path, kTensorsJson);
  if (!contents.is_object() || !contents.contains("weight_map") || !contents["weight_map"].is_object()) {
    throw InputError(concat(index_path, " lacks the object 'weight_map' with the file of each tensor"));
  }
  const nlohmann::json& map = contents["weight_map"];
  std::set<std::string> shards;
  for (const auto& [name, shard] : map.items()) {
    if (!shard.is_string() || !is_plain_name(shard.get_ref<const std::string&>())) {
      throw InputError(concat(index_path, ": tensor '", name, "' is in the file ", shard.dump().substr(0, 80),
                              ", expected the name of a file in the same directory"));
    }
    shards.insert(shard.get<std::string>());
  }
  const std::filesystem::path folder = std::filesystem::path(index_path).parent_path();
  StoredArrays all(index_path);
  for (const std::string& shard : shards) {
    const std::string path = (folder / shard).string();
    std::error_code error;
    if (!std::filesystem::exists(path, error))
      throw InputError(
          concat(path, " is missing; ", index_path, " names it as one of ", shards.size(), " files"));
    const StoredArrays part = read(path);
    for (const auto& [name, array] : part.all()) all.add(name, array);
  }
  for (const auto& [name, shard] : map.items()) {
    if (all.find(name) == nullptr) {
      throw InputError(concat(index_path, ": tensor '", name, "' is missing in ", shard.get<std::string>()));
    }
  }
  return all;
}

}  // namespace gloss
