// SPDX-License-Identifier: Apache-2.0

#include "pipeline/inference/n_best_reader.h"

#include <utility>

#include "base/counted.h"
#include "base/error.h"
#include "base/index.h"

namespace gloss {

NBestReader::NBestReader(const std::string& source, const std::string& list)
    : source_name_(input_name(source)), sources_(read_lines(source)), list_(list) {}

bool NBestReader::next(SentencePair& pair) {
  std::string line;
  if (!list_.next(line)) return false;
  try {
    NBestEntry entry = parse_n_best(line);
    if (entry.line >= std::ssize(sources_)) {
      throw InputError(concat("found a translation of line ", entry.line, " (counted from 0), but ",
                              source_name_, " has ", counted(std::ssize(sources_), "line")));
    }
    pair = {sources_[index(entry.line)], entry.text};
    entries_.push_back(std::move(entry));
  } catch (const InputError& error) {
    throw InputError(concat(place(list_.line_number()), ": ", error.what()));
  }
  return true;
}

std::string NBestReader::place(std::int64_t number) const { return concat(list_.name(), ":", number); }

NBestEntry NBestReader::take_entry() {
  NBestEntry entry = std::move(entries_.front());
  entries_.pop_front();
  return entry;
}

}  // namespace gloss
