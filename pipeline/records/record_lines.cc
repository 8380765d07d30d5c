// SPDX-License-Identifier: Apache-2.0
// Records that are lines: of two files, of rows with columns, of one language.
#include <algorithm>
#include <optional>
#include <utility>

#include "base/counted.h"
#include "base/error.h"
#include "base/index.h"
#include "base/shown.h"
#include "base/text.h"
#include "pipeline/reading/line_forms.h"
#include "pipeline/records/record_lines.h"

namespace gloss {
namespace {

class PlainRecords : public LineRecords {
 public:
  using LineRecords::LineRecords;
  RecordColumns columns() const override { return {.one_language = true}; }

 private:
  void read(std::string& line, PairRecord& record) override {
    record.target.clear();
    std::swap(record.source, line);
  }
};

/// Rows of columns between tabs.
class TsvRecords : public LineRecords {
 public:
  TsvRecords(const RecordFiles& files, const TextShard& shard) : LineRecords(shard, files.max_line_bytes) {
    const bool numbers = std::ranges::all_of(files.columns, [](const std::string& column) {
      return !column.empty() && std::ranges::all_of(column, [](char c) { return c >= '0' && c <= '9'; });
    });
    if (files.header || !numbers) {
      const std::optional<std::string> header = first_line(shard, files.tsv, /*keep=*/false);
      if (header) columns_.names = split(*header, '\t');
      header_lines_ = 1;
    }
    if (files.columns.empty()) return;
    columns_.source = place_of(files, files.columns[0], numbers);
    columns_.target = place_of(files, files.columns[1], numbers);
  }
  RecordColumns columns() const override { return columns_; }
  std::int64_t header_lines() const override { return header_lines_; }

 private:
  std::size_t place_of(const RecordFiles& files, const std::string& column, bool numbers) const {
    constexpr int kMost = 10'000;
    if (numbers) {
      int number = 0;
      if (parse_number(std::string_view(column), number) && number >= 1 && number <= kMost)
        return index(number - 1);
      throw UsageError(concat("--columns: found ", column, ", expected numbers from 1"));
    }
    const auto found = std::ranges::find(columns_.names, column);
    if (found != columns_.names.end()) return index(found - columns_.names.begin());
    if (columns_.names.empty()) return column == files.columns[0] ? 0 : 1;  // an empty file
    throw InputError(concat(input_name(files.tsv), ":1: found the columns ", join(columns_.names, ", "),
                            ", but not ", shown(column)));
  }

  void read(std::string& line, PairRecord& record) override {
    record.source.clear();
    record.target.clear();
    std::size_t column = 0;
    for (const std::string_view text : between_tabs(line)) {
      if (column == columns_.source) {
        record.source = text;
      } else if (column == columns_.target) {
        record.target = text;
      } else {
        record.other.emplace_back(text);
      }
      ++column;
    }
    const std::size_t needed = std::max(columns_.source, columns_.target) + 1;
    if (columns_.names.empty() ? column >= needed : column == columns_.names.size()) return;
    record.broken = concat("found ", counted(static_cast<std::int64_t>(column), "column"), ", expected ",
                           columns_.names.empty() ? concat("at least ", needed)
                                                  : concat(columns_.names.size(), " as in the first line"));
    record.source = line;
    record.target.clear();
    record.other.clear();
  }

  RecordColumns columns_;
  std::int64_t header_lines_ = 0;
};

/// Two files whose lines are translations of one another.
class TwoFileRecords : public RecordSource {
 public:
  TwoFileRecords(const RecordFiles& files, const TextShard& source, const TextShard& target)
      : files_(files), source_(source, files.max_line_bytes), target_(target, files.max_line_bytes) {}

  bool next(PairRecord& record) override {
    const bool source = source_.next(record.source), target = target_.next(record.target);
    if (source != target) refuse();
    record.line = source_.number();
    record.cut = source_.cut() || target_.cut();
    return source;
  }
  bool available(std::chrono::steady_clock::time_point until) override {
    return source_.available(until) && target_.available(until);
  }
  CutLines cut_lines() const override {
    CutLines cut = source_.cut_lines();
    const CutLines other = target_.cut_lines();
    if (cut.count == 0) return other;
    if (other.count > 0) cut.first = std::min(cut.first, other.first);
    cut.count += other.count;
    return cut;
  }
  std::vector<std::string> notes() const override {
    std::vector<std::string> all = source_.notes();
    for (const std::string& note : target_.notes()) all.push_back(note);
    return all;
  }

 private:
  /// Throws InputError: the files have different numbers of lines.
  [[noreturn]] void refuse() {
    const std::int64_t lines = source_.count_all(), others = target_.count_all();
    throw InputError(concat(files_.source, " has ", counted(lines, "line"), " but ", files_.target, " has ",
                            counted(others, "line"), "; expected a translation of each line"));
  }

  RecordFiles files_;
  RecordLines source_, target_;
};

}  // namespace

std::unique_ptr<RecordSource> open_two_files(const RecordFiles& files, const Shard& shard,
                                             const TextShard& source) {
  const TextShard target({files.target}, shard, TextUnit::lines);
  if (target.total() != source.total()) {
    throw InputError(concat(files.source, " has ", counted(source.total(), "line"), " but ", files.target,
                            " has ", counted(target.total(), "line"),
                            "; expected a translation of each line"));
  }
  return std::make_unique<TwoFileRecords>(files, source, target);
}

std::unique_ptr<RecordSource> open_tsv(const RecordFiles& files, const TextShard& shard) {
  return std::make_unique<TsvRecords>(files, shard);
}
std::unique_ptr<RecordSource> open_plain(const RecordFiles& files, const TextShard& shard) {
  return std::make_unique<PlainRecords>(shard, files.max_line_bytes);
}

}  // namespace gloss
