// SPDX-License-Identifier: Apache-2.0

#include "pipeline/reading/pair_reader.h"

#include <algorithm>

#include "base/counted.h"
#include "base/error.h"
#include "base/text.h"
#include "pipeline/reading/text_start.h"

namespace gloss {
namespace {

bool has_two(const ParallelFiles& files) { return files.plain.empty() && files.tsv.empty(); }

/// The text, or the source.
std::string first_of(const ParallelFiles& files) {
  return !files.plain.empty() ? files.plain : has_two(files) ? files.source : files.tsv;
}

/// Throws InputError: the files have different numbers of lines.
[[noreturn]] void refuse_numbers(const std::string& source, std::int64_t lines, const std::string& target,
                                 std::int64_t target_lines) {
  throw InputError(concat(source, " has ", counted(lines, "line"), " but ", target, " has ",
                          counted(target_lines, "line"), "; expected a translation of each line"));
}

/// Reads what a shard has of one file; null: nothing.
std::unique_ptr<TextRangeReader> reader_of(const TextShard& shard, std::int64_t longest_line) {
  if (shard.parts().empty()) return nullptr;
  return std::make_unique<TextRangeReader>(shard.parts().front(), longest_line);
}

/// Reads a file to its end and returns the number of its lines.
std::int64_t all_lines(TextRangeReader& reader) {
  std::string line;
  while (reader.next(line)) {
  }
  return reader.lines();
}

}  // namespace

PairReader::PairReader(const ParallelFiles& files, const Shard& shard)
    : name_(input_name(files.text())),
      plain_(!files.plain.empty()),
      two_(has_two(files)),
      shard_({first_of(files)}, shard, two_ ? TextUnit::lines : TextUnit::bytes_if_plain) {
  // Before the readers, which take the start of standard input.
  warnings_ =
      doubts_about_text(two_ ? std::vector{files.source, files.target} : std::vector{first_of(files)});
  source_ = reader_of(shard_, files.max_line_bytes);
  if (!two_) return;
  const TextShard target({files.target}, shard, TextUnit::lines);
  if (target.total() != shard_.total()) {
    refuse_numbers(files.source, shard_.total(), files.target, target.total());
  }
  target_ = reader_of(target, files.max_line_bytes);
}

bool PairReader::next(SentencePair& pair) {
  if (source_ == nullptr) return false;
  if (plain_) {
    pair.source.clear();
    return source_->next(pair.target);
  }
  if (!two_) return next_row(pair);
  const bool source = source_->next(pair.source), target = target_->next(pair.target);
  if (source != target) {
    const std::int64_t lines = all_lines(*source_);
    refuse_numbers(source_->name(), lines, target_->name(), all_lines(*target_));
  }
  return source;
}

bool PairReader::available(std::chrono::steady_clock::time_point until) {
  return source_ == nullptr || (source_->available(until) && (!two_ || target_->available(until)));
}

std::string PairReader::place(std::int64_t number) const {
  return concat(name_, ":", shard_.lines_before() + number);
}

CutLines PairReader::cut_lines() const {
  if (source_ == nullptr) return {};
  CutLines cut = source_->cut_lines();
  if (!two_) return cut;
  const CutLines of_target = target_->cut_lines();
  if (of_target.count > 0 && cut.count > 0) cut.first = std::min(cut.first, of_target.first);
  if (cut.count == 0) return of_target;
  cut.count += of_target.count;
  return cut;
}

std::vector<std::string> PairReader::notes() const {
  std::vector<std::string> all;
  for (const TextRangeReader* reader : {source_.get(), target_.get()}) {
    if (reader == nullptr) continue;
    for (const std::string& note : reader->notes()) all.push_back(note);
  }
  return all;
}

bool PairReader::next_row(SentencePair& pair) {
  if (!source_->next(pair.source)) return false;
  const auto tabs = std::ranges::count(pair.source, '\t');
  if (tabs != 1) {
    throw InputError(concat(place(source_->lines()), ": found ", tabs + 1, tabs == 0 ? " column" : " columns",
                            ", expected 2 (source TAB target)"));
  }
  const std::size_t tab = pair.source.find('\t');
  pair.target.assign(pair.source, tab + 1);
  pair.source.resize(tab);
  return true;
}

}  // namespace gloss
