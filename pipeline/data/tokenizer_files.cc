// SPDX-License-Identifier: Apache-2.0

#include "pipeline/data/tokenizer_files.h"

#include <filesystem>

#include "base/error.h"
#include "base/files.h"

namespace gloss {
namespace {

constexpr const char* kShared = "tokenizer.model";
constexpr const char* kSource = "source.model";
constexpr const char* kTarget = "target.model";

bool exists(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

/// All file names, so that write_model removes files left over from another model.
FilesBeside no_files() { return {{kShared, {}}, {kSource, {}}, {kTarget, {}}}; }

}  // namespace

TokenizerPaths tokenizer_paths(const std::string& directory) {
  const std::string shared = directory + "/" + kShared;
  if (exists(shared)) return {shared, shared};
  const TokenizerPaths paths{directory + "/" + kSource, directory + "/" + kTarget};
  if (exists(paths.source)) return paths;
  throw InputError(
      concat(directory, " has no tokenizer: expected ", kShared, ", or ", kSource, " and ", kTarget));
}

FilesBeside tokenizer_files(const Subwords& source, const Subwords& target) {
  FilesBeside files = no_files();
  if (&source == &target || source.bytes() == target.bytes()) {
    files[kShared] = source.bytes();
  } else {
    files[kSource] = source.bytes();
    files[kTarget] = target.bytes();
  }
  return files;
}

FilesBeside read_tokenizer_files(const std::string& directory) {
  FilesBeside files = no_files();
  for (auto& [name, content] : files) {
    const std::string path = directory + "/" + name;
    if (exists(path)) content = read_file(path);
  }
  return files;
}

}  // namespace gloss
