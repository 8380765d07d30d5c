// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "pipeline/reading/text_range_reader.h"
#include "pipeline/records/record_reader.h"

namespace gloss {

/// The lines of a shard of one file, with their numbers; those that are too long are marked.
class RecordLines {
 public:
  RecordLines(const TextShard& shard, std::int64_t longest) {
    if (shard.parts().empty()) return;
    reader_ = std::make_unique<TextRangeReader>(shard.parts().front(), longest);
    // A whole text is not read before, which a pipe could not be.
    before_ = shard.shard().whole() ? 0 : shard.lines_before();
  }

  bool next(std::string& line) {
    if (reader_ == nullptr || !reader_->next(line)) return false;
    ++lines_;
    const std::int64_t count = reader_->cut_lines().count;
    cut_ = count > cut_lines_;
    cut_lines_ = count;
    return true;
  }
  bool available(std::chrono::steady_clock::time_point until) {
    return reader_ == nullptr || reader_->available(until);
  }
  /// Of the line read last: its number, and whether it was cut.
  std::int64_t number() const { return before_ + lines_; }
  bool cut() const { return cut_; }

  /// Reads to the end and returns the number of lines.
  std::int64_t count_all() {
    for (std::string line; next(line);) {
    }
    return lines_;
  }
  CutLines cut_lines() const { return reader_ == nullptr ? CutLines() : reader_->cut_lines(); }
  std::vector<std::string> notes() const {
    return reader_ == nullptr ? std::vector<std::string>() : reader_->notes();
  }

 private:
  std::unique_ptr<TextRangeReader> reader_;  // null: nothing belongs to the shard
  std::int64_t before_ = 0, lines_ = 0, cut_lines_ = 0;
  bool cut_ = false;
};

/// A source of records that are lines of one file.
class LineRecords : public RecordSource {
 public:
  LineRecords(const TextShard& shard, std::int64_t longest) : lines_(shard, longest) {}

  bool next(PairRecord& record) override {
    if (pending_) {
      line_ = *std::exchange(pending_, std::nullopt);
    } else if (!lines_.next(line_)) {
      return false;
    }
    record.line = lines_.number();
    record.cut = lines_.cut();
    read(line_, record);
    if (record.cut) record.broken.clear();  // that is why it may have no pair
    return true;
  }
  bool available(std::chrono::steady_clock::time_point until) override {
    return pending_ || lines_.available(until);
  }
  CutLines cut_lines() const override { return lines_.cut_lines(); }
  std::vector<std::string> notes() const override { return lines_.notes(); }

 protected:
  /// Turns a line, whose memory it may take, into a record.
  virtual void read(std::string& line, PairRecord&) = 0;
  /// The first line of the file; with `keep` it is also the first that `next` reads, if it belongs to the
  /// shard.
  std::optional<std::string> first_line(const TextShard& shard, const std::string& path, bool keep) {
    std::string line;
    if (!shard.shard().whole()) {
      TextReader reader(path, {.cuts = true});
      if (!reader.next(line)) return std::nullopt;
      const bool ours = shard.lines_before() == 0;
      if (std::string passed; ours && !keep) lines_.next(passed);
      return line;
    }
    if (!lines_.next(line)) return std::nullopt;
    if (keep) pending_ = line;
    return line;
  }

 private:
  RecordLines lines_;
  std::string line_;
  std::optional<std::string> pending_;  // a line that was read already
};

}  // namespace gloss
