// SPDX-License-Identifier: Apache-2.0

#include "pipeline/documents/inline_text.h"

#include <algorithm>
#include <utility>

#include "pipeline/documents/white_space.h"
#include "tokenizer/characters.h"

namespace gloss {
namespace {

bool is_space_byte(char byte) { return kDocumentSpace.find(byte) != std::string_view::npos; }

/// True if the text has a letter outside of kept pieces.
bool has_letter(const MarkedBytes& marked) {
  std::size_t at = 0;
  std::string rest;
  for (const KeptText& piece : marked.kept) {
    rest += marked.text.substr(at, piece.place.begin - at);
    at = piece.place.end;
  }
  rest += marked.text.substr(at);
  return has_letters(rest);
}

/// Joins text and marks to a line.
class Line {
 public:
  void add_text(std::string_view text) {
    for (const char byte : text) {
      if (is_space_byte(byte)) {
        space_due_ = true;
      } else {
        add_due_space();
        line_.text += byte;
      }
    }
  }
  void add(Mark mark) {
    if (mark.is_space) {
      mark.at = line_.text.size();
      space_due_ = true;
    } else {
      add_due_space();
      mark.at = line_.text.size();
    }
    line_.marks.push_back(std::move(mark));
  }
  void add_kept(std::string_view text, std::string_view bytes) {
    add_due_space();
    const std::size_t begin = line_.text.size();
    add_text(without_space_around(text));
    line_.kept.push_back({{begin, line_.text.size()}, std::string(bytes)});
  }
  MarkedBytes finish() && {
    const std::size_t end = without_space_around(line_.text).size();  // it begins with a word or a mark
    line_.text.resize(end);
    for (Mark& mark : line_.marks) mark.at = std::min(mark.at, end);
    return std::move(line_);
  }

 private:
  void add_due_space() {
    if (space_due_ && !line_.text.empty()) {
      if (line_.text.back() != ' ') {
        line_.text += ' ';
      } else if (!line_.marks.empty() && line_.marks.back().at == line_.text.size()) {
        line_.marks.back().apart = line_.marks.back().kind == MarkKind::alone;
      }
    }
    space_due_ = false;
  }

  MarkedBytes line_;
  bool space_due_ = false;
};

}  // namespace

bool has_letters(std::string_view text) { return std::ranges::any_of(code_points(text), is_letter); }

void InlineText::add_text(ByteRange bytes, std::string decoded) {
  items_.push_back({Item::Kind::text, bytes, std::move(decoded), 0, false});
}

void InlineText::open(ByteRange bytes, std::string name) {
  open_.push_back(items_.size());
  items_.push_back({Item::Kind::open, bytes, std::move(name), 0, false});
}

void InlineText::close(ByteRange bytes, const std::string& name) {
  const auto found =
      std::find_if(open_.rbegin(), open_.rend(), [&](std::size_t item) { return items_[item].text == name; });
  if (found == open_.rend()) {
    add_alone(bytes);
    return;
  }
  while (items_[open_.back()].text != name) {
    items_[open_.back()].kind = Item::Kind::alone;
    open_.pop_back();
  }
  items_[open_.back()].partner = items_.size();
  items_.push_back({Item::Kind::close, bytes, name, open_.back(), false});
  open_.pop_back();
}

void InlineText::add_alone(ByteRange bytes, bool is_space) {
  items_.push_back({Item::Kind::alone, bytes, "", 0, is_space});
}

void InlineText::add_kept(ByteRange bytes, std::string decoded) {
  items_.push_back({Item::Kind::kept, bytes, std::move(decoded), 0, false});
}

bool InlineText::is_blank_text(const Item& item) {
  return item.kind == Item::Kind::text && without_space_around(item.text).empty();
}

bool InlineText::is_invisible(std::size_t first, std::size_t last) const {
  return std::all_of(items_.begin() + static_cast<std::ptrdiff_t>(first),
                     items_.begin() + static_cast<std::ptrdiff_t>(last), [](const Item& item) {
                       return item.kind != Item::Kind::kept &&
                              (item.kind != Item::Kind::text || is_blank_text(item));
                     });
}

void InlineText::peel(std::size_t& first, std::size_t& last) const {
  const auto passes = [](const Item& item) { return item.kind == Item::Kind::alone || is_blank_text(item); };
  while (first < last) {
    const Item &begin = items_[first], &end = items_[last - 1];
    if (passes(begin)) {
      ++first;
    } else if (passes(end)) {
      --last;
    } else if (begin.kind == Item::Kind::open && begin.partner == last - 1) {
      ++first;
      --last;
    } else if (begin.kind == Item::Kind::open && is_invisible(first, begin.partner)) {
      first = begin.partner + 1;
    } else if (end.kind == Item::Kind::close && is_invisible(end.partner, last)) {
      last = end.partner;
    } else {
      return;
    }
  }
}

ByteRange InlineText::with_space_around(std::size_t item, std::size_t first, std::size_t last) const {
  ByteRange bytes = items_[item].bytes;
  const auto is_text = [&](std::size_t i) { return items_[i].kind == Item::Kind::text; };
  if (item > first && is_text(item - 1) && items_[item - 1].bytes.end == bytes.begin) {
    const std::string_view before = items_[item - 1].bytes.of(document_);
    const std::size_t words = before.find_last_not_of(kDocumentSpace) + 1;
    const bool taken = words == 0 && item > first + 1 && items_[item - 2].is_space;  // by that one
    if (!taken) bytes.begin -= before.size() - words;
  }
  if (item + 1 < last && is_text(item + 1) && items_[item + 1].bytes.begin == bytes.end) {
    const std::string_view after = items_[item + 1].bytes.of(document_);
    bytes.end += std::min(after.find_first_not_of(kDocumentSpace), after.size());
  }
  return bytes;
}

MarkedBytes InlineText::marked(std::size_t first, std::size_t last) const {
  Line line;
  for (std::size_t i = first; i < last; ++i) {
    const Item& item = items_[i];
    if (item.kind == Item::Kind::text) {
      line.add_text(item.text);
      continue;
    }
    if (item.kind == Item::Kind::kept) {
      line.add_kept(item.text, item.bytes.of(document_));
      continue;
    }
    const MarkKind kind = item.kind == Item::Kind::open    ? MarkKind::open
                          : item.kind == Item::Kind::close ? MarkKind::close
                                                           : MarkKind::alone;
    const ByteRange bytes = item.is_space ? with_space_around(i, first, last) : item.bytes;
    line.add({kind, 0, item.partner, std::string(bytes.of(document_)), item.is_space, bytes.begin});
  }
  MarkedBytes result = std::move(line).finish();
  // Partners are numbers of items so far.
  std::vector<std::size_t> mark_of_item(last - first);
  for (std::size_t i = first, mark = 0; i < last; ++i) {
    if (items_[i].kind != Item::Kind::text && items_[i].kind != Item::Kind::kept)
      mark_of_item[i - first] = mark++;
  }
  for (Mark& mark : result.marks) {
    if (mark.kind != MarkKind::alone) mark.partner = mark_of_item[mark.partner - first];
  }
  const std::string_view begin = items_[first].bytes.of(document_);
  const std::string_view end = items_[last - 1].bytes.of(document_);
  result.bytes.begin = items_[first].bytes.begin;
  result.bytes.end = items_[last - 1].bytes.end;
  if (items_[first].kind == Item::Kind::text) {
    result.bytes.begin += std::min(begin.find_first_not_of(kDocumentSpace), begin.size());
  }
  if (items_[last - 1].kind == Item::Kind::text) {
    result.bytes.end -= end.size() - (end.find_last_not_of(kDocumentSpace) + 1);
  }
  return result;
}

std::optional<MarkedBytes> InlineText::finish() {
  for (const std::size_t item : open_) items_[item].kind = Item::Kind::alone;
  open_.clear();
  std::size_t first = 0, last = items_.size();
  peel(first, last);
  std::optional<MarkedBytes> result;
  if (first < last) result = marked(first, last);
  items_.clear();
  if (result && !has_letter(*result)) result.reset();
  return result;
}

}  // namespace gloss
