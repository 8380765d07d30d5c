// SPDX-License-Identifier: Apache-2.0

#include "pipeline/data/pair_reader.h"

#include <algorithm>

#include "base/error.h"
#include "pipeline/data/text_start.h"

namespace gloss {
namespace {

/// Reads a file to its end and returns "NAME has N lines".
std::string whole_file_text(TextReader& reader) {
  std::string line;
  while (reader.next(line)) {
  }
  return concat(reader.name(), " has ", reader.line_number(), reader.line_number() == 1 ? " line" : " lines");
}

}  // namespace

PairReader::PairReader(const ParallelFiles& files)
    : name_(input_name(files.text())), plain_(!files.plain.empty()) {
  const LineLimit limit{files.max_line_bytes, true};
  const bool two = !plain_ && files.tsv.empty();
  const std::string& first = plain_ ? files.plain : two ? files.source : files.tsv;
  // Before the readers, which take the start of standard input.
  warnings_ = doubts_about_text(two ? std::vector{first, files.target} : std::vector{first});
  source_ = std::make_unique<TextReader>(first, limit);
  if (two) target_ = std::make_unique<TextReader>(files.target, limit);
}

bool PairReader::next(SentencePair& pair) {
  if (plain_) {
    pair.source.clear();
    return source_->next(pair.target);
  }
  if (!target_) return next_row(pair);
  const bool source = source_->next(pair.source), target = target_->next(pair.target);
  if (source != target) {
    throw InputError(concat(whole_file_text(*source_), " but ", whole_file_text(*target_),
                            "; expected a translation of each line"));
  }
  return source;
}

bool PairReader::available(std::chrono::steady_clock::time_point until) {
  return source_->available(until) && (!target_ || target_->available(until));
}

std::string PairReader::place(std::int64_t number) const { return concat(name_, ":", number); }

CutLines PairReader::cut_lines() const {
  CutLines cut = source_->cut_lines();
  if (!target_) return cut;
  const CutLines& of_target = target_->cut_lines();
  if (of_target.count > 0 && cut.count > 0) cut.first = std::min(cut.first, of_target.first);
  if (cut.count == 0) return of_target;
  cut.count += of_target.count;
  return cut;
}

std::vector<std::string> PairReader::notes() const {
  std::vector<std::string> all = source_->notes();
  for (const std::string& note : target_ ? target_->notes() : std::vector<std::string>()) all.push_back(note);
  return all;
}

bool PairReader::next_row(SentencePair& pair) {
  if (!source_->next(pair.source)) return false;
  const auto tabs = std::ranges::count(pair.source, '\t');
  if (tabs != 1) {
    throw InputError(concat(source_->name(), ":", source_->line_number(), ": found ", tabs + 1,
                            tabs == 0 ? " column" : " columns", ", expected 2 (source TAB target)"));
  }
  const std::size_t tab = pair.source.find('\t');
  pair.target.assign(pair.source, tab + 1);
  pair.source.resize(tab);
  return true;
}

}  // namespace gloss
