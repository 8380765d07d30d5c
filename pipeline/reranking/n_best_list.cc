// SPDX-License-Identifier: Apache-2.0

#include "pipeline/reranking/n_best_list.h"

#include "base/error.h"

namespace gloss {
namespace {

constexpr std::string_view kSeparator = " ||| ";

/// Moves the last field of `line` to `field`; false if there is no separator.
bool take_last(std::string_view& line, std::string_view& field) {
  const std::size_t place = line.rfind(kSeparator);
  if (place == std::string_view::npos) return false;
  field = line.substr(place + kSeparator.size());
  line = line.substr(0, place);
  return true;
}

bool is_number(std::string_view text) {
  double ignored = 0;
  return parse_number(text, ignored);
}

/// True if the last field is an alignment, which follows the score. An alignment may also be a single number;
/// then the line has features before the score.
bool has_alignment(std::string_view line) {
  std::string_view last, score, features;
  if (!take_last(line, last) || !take_last(line, score) || !is_number(score)) return false;
  if (!is_number(last)) return true;
  return take_last(line, features) && features.find('=') != std::string_view::npos &&
         line.find(kSeparator) != std::string_view::npos;
}

}  // namespace

NBestEntry parse_n_best(std::string_view line) {
  const auto wrong = [&](const std::string& what) {
    return InputError(concat(what, ", expected LINE ||| TEXT ||| FEATURES ||| SCORE"));
  };
  const std::string_view whole = line;
  std::string_view last, features;
  if (has_alignment(line)) take_last(line, last);
  if (!take_last(line, last)) throw wrong("found no ' ||| '");
  if (!is_number(last)) throw wrong("found no score");
  NBestEntry entry;
  entry.rest = whole.substr(line.size() + kSeparator.size());
  const std::size_t first = line.find(kSeparator);
  if (first == std::string_view::npos || !take_last(line, features)) throw wrong("found too few fields");
  if (first > line.size() || first + kSeparator.size() > line.size()) throw wrong("found too few fields");
  if (!parse_number(line.substr(0, first), entry.line) || entry.line < 0) {
    throw wrong(concat("found line number '", line.substr(0, first), "'"));
  }
  entry.text = line.substr(first + kSeparator.size());
  entry.features = features;
  return entry;
}

std::string n_best_text(const NBestEntry& entry) {
  return concat(entry.line, kSeparator, entry.text, kSeparator, entry.features, kSeparator, entry.rest);
}

}  // namespace gloss
