// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/fields.h"
#include "base/lines.h"
#include "pipeline/reading/input_stream.h"
#include "pipeline/reading/text_range_reader.h"
#include "pipeline/reading/text_shard.h"

namespace gloss {

/// Reads the lines of text files, one file after the other; "-" is standard input. Unlike with `cat`, the
/// last line of a file is never joined with the first line of the next one.
class TextFiles : public InputStream<std::string> {
 public:
  /// Throws InputError if one of the files cannot be opened; opens pipes and standard input only to read
  /// them.
  /// Cuts lines of more than `longest` bytes. Reads the lines of a shard only.
  explicit TextFiles(std::vector<std::string> paths, std::int64_t longest = kLongestLine,
                     const Shard& shard = {});

  bool next(std::string& line) override;
  bool available(std::chrono::steady_clock::time_point until) override;
  /// The file name and the line number within the file.
  std::string place(std::int64_t number) const override;
  CutLines cut_lines() const override { return cut_; }
  /// By the bytes of the files, compressed if they are; unknown if one is a pipe.
  double share(std::int64_t items) const override;
  std::int64_t items_before() const override { return shard_.lines_before(); }
  /// What is read of the files.
  const TextShard& shard() const { return shard_; }
  std::vector<std::string> warnings() const override { return warnings_; }
  std::vector<std::string> notes() const override;

 private:
  const std::vector<TextRange>& parts() const { return shard_.parts(); }
  /// True if all files were opened.
  bool at_end() const { return lines_before_.size() == parts().size(); }
  bool open_next();
  void close();
  /// Counts a line that was read.
  void count_line();

  TextShard shard_;
  std::vector<std::string> warnings_;
  std::int64_t longest_;
  CutLines cut_;                                     // of the files that were read
  std::unique_ptr<TextRangeReader> reader_;          // null: no file is open
  std::optional<std::string> ahead_;                 // a line already read by `available`
  std::vector<std::int64_t> sizes_;                  // of the files in bytes; empty: one is unknown
  std::int64_t bytes_before_ = 0;                    // in the files before the open one
  std::atomic<std::int64_t> lines_ = 0, bytes_ = 0;  // read from all files
  std::vector<std::string> notes_;                   // about the files read to their ends
  mutable std::mutex guard_;
  std::vector<std::int64_t> lines_before_;  // guarded; for each opened file the number of lines before it
};

/// The option for the longest line; `what` is done to longer ones, such as "cut".
Field line_limit_field(std::int64_t& bytes, const std::string& what);

}  // namespace gloss
