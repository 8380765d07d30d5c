// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/lines.h"
#include "base/ranks.h"
#include "pipeline/reading/shard.h"

namespace gloss {

/// Lines of a text file that are read.
struct TextRange {
  std::string path;
  std::size_t file = 0;  ///< its place among the files
  FileRange bytes{};
  std::int64_t first_line = 0;  ///< lines of the range before the first that is read
  std::int64_t lines = -1;      ///< that are read; negative: all
};

/// How text is divided into shards.
enum class TextUnit { bytes_if_plain, lines };

/// The lines of text files that belong to a shard. Plain files are divided by bytes: a shard has the lines
/// that begin in its part of all bytes, and the others are not read. If there is a compressed file or one in
/// another encoding than UTF-8, the lines of all files are counted and divided.
class TextShard {
 public:
  /// Throws UsageError if the text is divided although a file is no regular file; InputError.
  /// With TextUnit::lines, texts with the same number of lines are divided at the same lines.
  TextShard(std::vector<std::string> paths, const Shard&, TextUnit = TextUnit::bytes_if_plain);

  /// In order; a file of which nothing belongs to the shard may be missing.
  const std::vector<TextRange>& parts() const { return parts_; }
  /// For rank i of a job whose shard i + 1 this is: each rank counts the lines of its shard, so that none
  /// reads the text before. All ranks must call it.
  void count_together(Ranks&) const;
  /// The number of lines of all files before those of the shard. May read the text before.
  std::int64_t lines_before() const;
  /// The number of lines of the file before those of this part.
  std::int64_t lines_before_in_file(const TextRange&) const;

  const Shard& shard() const { return shard_; }
  /// The size of the whole text, in bytes or lines; 0 if it is not divided.
  std::int64_t total() const { return total_; }
  /// What the shard has of the text, as an object: unit, begin, end and total. All shards together have the
  /// text if their ranges follow one another from 0 to the total.
  nlohmann::json range() const;

 private:
  void divide_bytes(const std::vector<std::int64_t>& sizes);
  void divide_lines();

  std::vector<std::string> paths_;
  Shard shard_;
  bool by_bytes_ = true;
  std::int64_t begin_ = 0, end_ = 0, total_ = 0;  // in bytes or lines of all files
  std::vector<TextRange> parts_;
  // Lines that are counted already: each message with a place asks.
  struct CountedLines {
    std::mutex guard;
    std::optional<std::int64_t> of_others{};       // before those of the shard
    std::map<std::size_t, std::int64_t> before{};  // the parts, by their files
  };
  std::unique_ptr<CountedLines> counted_ = std::make_unique<CountedLines>();
};

}  // namespace gloss
