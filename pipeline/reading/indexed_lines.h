// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/lines.h"
#include "base/listener.h"
#include "base/random_access_file.h"

namespace gloss {

/// A block of lines of a file and their bytes.
struct LineBlock {
  LineBlock() = default;
  LineBlock(LineBlock&&) = default;  // views follow their bytes; a copy's would not
  LineBlock& operator=(LineBlock&&) = default;
  std::vector<char> bytes;
  /// Without '\n' and cleaned (cleaned_line), into `bytes`; empty if too long.
  std::vector<std::string_view> lines;
  std::vector<std::size_t> too_long;  ///< numbers of the lines over the limit, in order
};

/// The lines of a file of any size in blocks that can be read in any order. Only the offset and a hash of
/// each block are kept in memory. Lines end as in LineReader. Lines over a limit are never read into memory.
class IndexedLines {
 public:
  /// Lines per block; the last block may have fewer.
  static constexpr std::int64_t kBlockLines = 256;

  /// Reads the file once from start to end, warns if it does not look like text and notes its TextHabits.
  /// `folder` as in RandomAccessFile; `longest` is the limit in bytes.
  IndexedLines(const std::string& path, const std::string& folder, Listener& listener,
               std::int64_t longest = kLongestLine);

  const std::string& name() const { return file_.name(); }
  std::int64_t lines() const { return lines_; }
  std::int64_t blocks() const { return static_cast<std::int64_t>(hashes_.size()); }
  /// The number of lines over the limit.
  std::int64_t long_lines() const { return std::ssize(holes_); }
  /// A hash of the content.
  std::uint64_t fingerprint() const;
  /// Throws InputError if the block has changed since this object was created. Thread-safe.
  LineBlock read(std::int64_t block) const;

 private:
  /// The bytes of a line that is too long.
  struct Hole {
    std::int64_t offset, size;
  };
  /// Finds the blocks in the bytes of a file.
  class Indexer;

  void warn_of_binary(Listener&) const;

  RandomAccessFile file_;
  std::int64_t lines_ = 0;
  std::vector<std::int64_t> starts_{0};  // offsets of the blocks, and the end of the last one
  std::vector<std::uint64_t> hashes_;
  std::vector<Hole> holes_;  // in order
};

}  // namespace gloss
