// SPDX-License-Identifier: Apache-2.0

#include "pipeline/documents/marked_bytes.h"

#include <algorithm>
#include <utility>

#include "pipeline/documents/white_space.h"
#include "tokenizer/characters.h"

namespace gloss {

bool has_letters(std::string_view text) { return std::ranges::any_of(code_points(text), is_letter); }

bool has_letters(const MarkedBytes& marked) {
  std::size_t at = 0;
  std::string rest;
  for (const KeptText& piece : marked.kept) {
    rest += marked.text.substr(at, piece.place.begin - at);
    at = piece.place.end;
  }
  rest += marked.text.substr(at);
  return has_letters(rest);
}

void MarkedLine::add_text(std::string_view text) {
  for (const char byte : text) {
    if (kDocumentSpace.find(byte) != std::string_view::npos) {
      space_due_ = true;
    } else {
      add_due_space();
      line_.text += byte;
    }
  }
}

void MarkedLine::add(Mark mark) {
  if (mark.is_space) {
    mark.at = line_.text.size();
    space_due_ = true;
  } else {
    add_due_space();
    mark.at = line_.text.size();
  }
  line_.marks.push_back(std::move(mark));
}

void MarkedLine::add_kept(std::string_view text, std::string_view bytes) {
  add_due_space();
  const std::size_t begin = line_.text.size();
  add_text(without_space_around(text));
  line_.kept.push_back({{begin, line_.text.size()}, std::string(bytes)});
}

MarkedBytes MarkedLine::finish() && {
  const std::size_t end = without_space_around(line_.text).size();  // it begins with a word or a mark
  line_.text.resize(end);
  for (Mark& mark : line_.marks) mark.at = std::min(mark.at, end);
  return std::move(line_);
}

void MarkedLine::add_due_space() {
  if (space_due_ && !line_.text.empty()) {
    if (line_.text.back() != ' ') {
      line_.text += ' ';
    } else if (!line_.marks.empty() && line_.marks.back().at == line_.text.size()) {
      line_.marks.back().apart = line_.marks.back().kind == MarkKind::alone;
    }
  }
  space_due_ = false;
}

}  // namespace gloss
