// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace gloss {

/// What an unfinished run has found out and a run that continues it can use: blocks of bytes in two files
/// beside the output, the recent ones in NAME.partial.memory and those of the generation before in
/// NAME.partial.memory.old. The sum of each block depends on the run, so that blocks that are damaged or of
/// another run are left out. Losing blocks costs only work: if they cannot be written, the run goes on
/// without.
class RunMemory {
 public:
  enum class Generation { old, recent };

  /// `output`: the path of the output. `identity`: what decides it (RunJournal). Opens no file.
  RunMemory(const std::string& output, const nlohmann::json& identity);
  ~RunMemory();
  RunMemory(const RunMemory&) = delete;
  RunMemory& operator=(const RunMemory&) = delete;

  /// Calls `take` with the blocks of an earlier run in their order until one is not intact or `take` returns
  /// false. Recent blocks that were taken stay; the first `add` cuts off the others.
  void read(Generation, const std::function<bool(std::string_view block)>& take);
  /// Adds a recent block.
  void add(std::string_view block);
  /// The recent blocks become the old ones, which are removed.
  void age();
  /// Removes the files: the output is complete or begins anew.
  void remove();

  /// The names of both files.
  static std::vector<std::string> paths(const std::string& output);

 private:
  std::string sum_of(std::string_view block) const;
  /// False if the file cannot be written; then nothing is added any more.
  bool open();
  void close();

  std::string old_, recent_;  // paths
  std::string identity_;
  unsigned permissions_;
  int descriptor_ = -1;   // of the recent file; negative: not open
  std::size_t kept_ = 0;  // bytes of the recent file that were taken
  bool writable_ = true;
};

}  // namespace gloss
