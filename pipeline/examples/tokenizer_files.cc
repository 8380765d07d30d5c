// SPDX-License-Identifier: Apache-2.0

#include "pipeline/examples/tokenizer_files.h"

#include <filesystem>

#include "base/checksum.h"
#include "base/error.h"
#include "base/files.h"
#include "base/paths.h"
#include "model/model_paths.h"

namespace gloss {
namespace {

/// False for a file of an earlier model that was about to be removed when the program was killed.
bool belongs(const FileSums& sums, const std::string& name) { return sums.empty() || sums.contains(name); }

}  // namespace

TokenizerPaths tokenizer_paths(const std::string& directory) {
  const std::string shared = directory + "/" + kSharedTokenizerFile;
  if (path_exists(shared) && belongs(read_file_sums(directory), kSharedTokenizerFile))
    return {shared, shared};
  const TokenizerPaths paths{directory + "/" + kSourceTokenizerFile, directory + "/" + kTargetTokenizerFile};
  if (path_exists(paths.source)) return paths;
  throw InputError(concat(directory, " has no tokenizer: expected ", kSharedTokenizerFile, ", or ",
                          kSourceTokenizerFile, " and ", kTargetTokenizerFile));
}

void expect_sums(const std::string& directory, const TokenizerPaths& paths, const Subwords& source,
                 const Subwords& target) {
  const FileSums sums = read_file_sums(directory);
  const auto expect = [&](const std::string& path, const Subwords& subwords) {
    expect_sum(sums, directory, std::filesystem::path(path).filename().string(), checksum(subwords.bytes()));
  };
  expect(paths.source, source);
  if (!paths.shared()) expect(paths.target, target);
}

/// All file names, so that write_model removes files left over from another model.
FilesBeside no_tokenizer_files() {
  return {{kSharedTokenizerFile, {}}, {kSourceTokenizerFile, {}}, {kTargetTokenizerFile, {}}};
}

FilesBeside tokenizer_files(const Subwords& source, const Subwords& target) {
  FilesBeside files = no_tokenizer_files();
  if (&source == &target || source.bytes() == target.bytes()) {
    files[kSharedTokenizerFile] = source.bytes();
  } else {
    files[kSourceTokenizerFile] = source.bytes();
    files[kTargetTokenizerFile] = target.bytes();
  }
  return files;
}

FilesBeside read_tokenizer_files(const std::string& directory) {
  FilesBeside files = no_tokenizer_files();
  const FileSums sums = read_file_sums(directory);
  for (auto& [name, content] : files) {
    const std::string path = directory + "/" + name;
    if (!path_exists(path) || !belongs(sums, name)) continue;
    content = read_file(path);
    expect_sum(sums, directory, name, checksum(*content));
  }
  return files;
}

}  // namespace gloss
