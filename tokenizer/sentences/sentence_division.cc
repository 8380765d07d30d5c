// SPDX-License-Identifier: Apache-2.0

#include "tokenizer/sentences/sentence_division.h"

#include <algorithm>
#include <array>

#include "tokenizer/sentences/line_characters.h"
#include "tokenizer/sentences/marks.h"

namespace gloss {
namespace {

/// How well a sentence can be divided at a place.
enum class Place { none, space, comma, clause };

/// The kind of place between the white space that ends at `at` and what follows.
Place place_at(const LineCharacters& text, std::size_t at) {
  if (!is_space(text[at - 1]) || is_space(text[at])) return Place::none;
  std::size_t mark = at - 1;
  while (mark > 0 && is_space(text[mark])) --mark;
  if (is_space(text[mark])) return Place::none;  // only white space before it
  while (mark > 0 && is_closing(text[mark])) --mark;
  const std::u32string_view clauses = U";:–—；：", commas = U",،，、)";
  if (clauses.find(text[mark]) != std::u32string_view::npos || is_end_mark(text[mark])) return Place::clause;
  if (commas.find(text[mark]) != std::u32string_view::npos) return Place::comma;
  return Place::space;
}

/// The character before which the text is best divided; 0: nowhere.
std::size_t best_place(const LineCharacters& text) {
  // A mark in the middle half is better than a space nearer to the middle.
  const std::size_t middle = text.size() / 2;
  std::array<std::size_t, 4> nearest{};  // to the middle, for each kind of place
  const auto distance = [middle](std::size_t at) { return at > middle ? at - middle : middle - at; };
  for (std::size_t at = 1; at < text.size(); ++at) {
    std::size_t& best = nearest[static_cast<std::size_t>(place_at(text, at))];
    if (best == 0 || distance(at) < distance(best)) best = at;
  }
  for (const Place kind : {Place::clause, Place::comma}) {
    const std::size_t at = nearest[static_cast<std::size_t>(kind)];
    if (at > 0 && distance(at) <= text.size() / 4) return at;
  }
  std::size_t best = 0;
  for (const Place kind : {Place::space, Place::comma, Place::clause}) {
    const std::size_t at = nearest[static_cast<std::size_t>(kind)];
    if (at > 0 && (best == 0 || distance(at) < distance(best))) best = at;
  }
  return best;
}

}  // namespace

std::vector<std::string_view> divided(std::string_view sentence, std::int64_t most,
                                      const TextLength& length) {
  std::vector<std::string_view> parts;
  std::vector<std::string_view> rest{sentence};  // the next part is the last
  while (!rest.empty()) {
    const std::string_view part = rest.back();
    rest.pop_back();
    const LineCharacters text(length(part) > most ? part : "");
    const std::size_t at = text.byte(best_place(text));
    if (at == 0) {
      parts.push_back(part);
      continue;
    }
    rest.push_back(part.substr(at));
    rest.push_back(part.substr(0, at));
  }
  return parts;
}

}  // namespace gloss
