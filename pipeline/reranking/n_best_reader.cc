// SPDX-License-Identifier: Apache-2.0

#include "pipeline/reranking/n_best_reader.h"

#include <algorithm>
#include <utility>

#include "base/counted.h"
#include "base/error.h"
#include "base/index.h"
#include "base/text.h"

namespace gloss {

NBestReader::NBestReader(const std::string& source, const std::string& list, const Shard& shard)
    : source_name_(input_name(source)),
      list_name_(input_name(list)),
      sources_(read_lines(source)),
      shard_({list}, shard) {
  if (shard_.parts().empty()) return;
  part_ = shard_.parts().front();
  list_ = std::make_unique<LineReader>(list, LineLimit{}, part_.bytes);
  std::string line;
  for (std::int64_t i = 0; i < part_.first_line; ++i) list_->next(line);
}

bool NBestReader::next(SentencePair& pair) {
  std::string line;
  if (list_ == nullptr || lines_read() == part_.lines || !list_->next(line)) return false;
  try {
    NBestEntry entry = parse_n_best(line);
    if (entry.line >= std::ssize(sources_)) {
      throw InputError(concat("found a translation of line ", entry.line, " (counted from 0), but ",
                              source_name_, " has ", counted(std::ssize(sources_), "line")));
    }
    if (!refused_feature_.empty() &&
        std::ranges::count(split(entry.features, ' '), refused_feature_ + "=") > 0) {
      throw InputError(concat("the list already has the feature ", refused_feature_,
                              "; give the new one another name with --feature NAME"));
    }
    pair = {sources_[index(entry.line)], entry.text};
    if (dropped_ == 0) entries_.push_back(std::move(entry));
    if (dropped_ > 0) --dropped_;
  } catch (const InputError& error) {
    throw InputError(concat(place(lines_read()), ": ", error.what()));
  }
  return true;
}

std::string NBestReader::place(std::int64_t number) const {
  return concat(list_name_, ":", shard_.lines_before() + number);
}

NBestEntry NBestReader::take_entry() {
  NBestEntry entry = std::move(entries_.front());
  entries_.pop_front();
  return entry;
}

}  // namespace gloss
