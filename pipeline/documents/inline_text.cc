// SPDX-License-Identifier: Apache-2.0

#include "pipeline/documents/inline_text.h"

#include <algorithm>
#include <utility>

#include "pipeline/documents/white_space.h"

namespace gloss {

void InlineText::add_text(ByteRange bytes, std::string decoded, SectionEnds section) {
  items_.push_back({Item::Kind::text, bytes, std::move(decoded), 0, false, section, false, false});
}

void InlineText::add_space(ByteRange bytes, std::string decoded) {
  items_.push_back({Item::Kind::space, bytes, std::move(decoded), 0, false, {}, false, false});
}

void InlineText::open(ByteRange bytes, std::string name, bool is_code) {
  open_.push_back(items_.size());
  items_.push_back({Item::Kind::open, bytes, std::move(name), 0, false, {}, is_code, false});
}

void InlineText::close(ByteRange bytes, const std::string& name, bool is_code) {
  const auto found = std::find_if(open_.rbegin(), open_.rend(), [&](std::size_t item) {
    return items_[item].text == name || (is_code && !items_[item].is_code);
  });
  if (found == open_.rend() || items_[*found].text != name) {
    add_alone(bytes);
    return;
  }
  const std::size_t begin = *found;
  items_[begin].partner = items_.size();
  items_.push_back({Item::Kind::close, bytes, name, begin, false, {}, is_code, false});
  const auto ends_here = [&](std::size_t item) {
    if (item > begin && items_[item].is_code) items_[item].kind = Item::Kind::alone;
    return item == begin || items_[item].kind == Item::Kind::alone;
  };
  open_.erase(std::remove_if(found.base() - 1, open_.end(), ends_here), open_.end());
}

void InlineText::add_alone(ByteRange bytes, bool is_space) {
  items_.push_back({Item::Kind::alone, bytes, "", 0, is_space, {}, false, false});
}

void InlineText::add_kept(ByteRange bytes, std::string decoded) {
  items_.push_back({Item::Kind::kept, bytes, std::move(decoded), 0, false, {}, false, false});
}

bool InlineText::is_text(const Item& item) {
  return item.kind == Item::Kind::text || item.kind == Item::Kind::space;
}

bool InlineText::is_blank_text(const Item& item) {
  return is_text(item) && without_space_around(item.text).empty();
}

bool InlineText::is_kept_space(std::size_t item) const {
  if (items_[item].kind != Item::Kind::space) return false;
  const auto is_tag = [&](std::size_t i) {
    return items_[i].kind == Item::Kind::open || items_[i].kind == Item::Kind::close;
  };
  const auto is_mark = [&](std::size_t i) {
    return is_tag(i) || (items_[i].kind == Item::Kind::alone && !items_[i].is_space);
  };
  const auto is_word = [&](std::size_t i) {
    return items_[i].kind == Item::Kind::kept || (is_text(items_[i]) && !is_blank_text(items_[i]));
  };
  // A line of text has one space between two words: not one on each side of a tag, or beside its ends.
  const auto is_space = [&](std::size_t i) {
    return i < items_.size() && (items_[i].kind == Item::Kind::space || items_[i].is_space);
  };
  bool tag_before = is_space(item - 1), tag_after = is_space(item + 1);  // or white space itself
  std::size_t before = item, after = item + 1;
  for (; before > 0 && is_mark(before - 1); --before) tag_before = tag_before || is_tag(before - 1);
  for (; after < items_.size() && is_mark(after); ++after) tag_after = tag_after || is_tag(after);
  return items_[item].text != " " || (tag_before && (before == 0 || !is_word(before - 1))) ||
         (tag_after && (after == items_.size() || !is_word(after)));
}

std::vector<InlineText::Span> InlineText::divided() const {
  std::vector<std::size_t> kept{0};  // number of kept spaces before each item
  for (std::size_t i = 0; i < items_.size(); ++i) kept.push_back(kept.back() + (is_kept_space(i) ? 1 : 0));
  const auto divides = [&](std::size_t i) {
    const Item& item = items_[i];
    const bool in_pair = item.kind == Item::Kind::open || item.kind == Item::Kind::close;
    return in_pair ? kept[i] != kept[item.partner] : kept[i] != kept[i + 1];
  };
  std::vector<Span> spans;
  std::size_t first = 0;
  for (std::size_t i = 0; i <= items_.size(); ++i) {
    if (i < items_.size() && !divides(i)) continue;
    if (first < i) spans.push_back({first, i});
    first = i + 1;
  }
  return spans;
}

bool InlineText::is_invisible(std::size_t first, std::size_t last) const {
  return std::all_of(items_.begin() + static_cast<std::ptrdiff_t>(first),
                     items_.begin() + static_cast<std::ptrdiff_t>(last), [](const Item& item) {
                       return item.kind != Item::Kind::kept && (!is_text(item) || is_blank_text(item));
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

std::vector<InlineText::Item> InlineText::nested(std::size_t first, std::size_t last) {
  struct Open {
    std::size_t item, place;  // numbers of items_ and of the result
  };
  std::vector<Item> items;
  std::vector<Open> open;
  std::size_t copies = 0;
  const auto begin_pair = [&](std::size_t item, Item tag) {
    open.push_back({item, items.size()});
    items.push_back(std::move(tag));
  };
  const auto end_pair = [&](std::size_t place, Item tag) {
    items[place].partner = items.size();
    tag.partner = place;
    items.push_back(std::move(tag));
  };
  const auto copy = [&](std::size_t item) {
    Item tag = items_[item];
    tag.is_copy = true;
    return tag;
  };
  for (std::size_t i = first; i < last; ++i) {
    const Item::Kind kind = items_[i].kind;
    const bool in_pair = kind == Item::Kind::open || kind == Item::Kind::close;
    const std::size_t partner = items_[i].partner;
    const auto is_alone = [&] {  // the partner is not in this text, or a mark alone
      if (partner < first || partner >= last) return true;
      return kind == Item::Kind::close && items_[partner].kind != Item::Kind::open;
    };
    if (!in_pair || is_alone()) {
      items.push_back(in_pair ? items_[i] : std::move(items_[i]));
      if (in_pair) items_[i].kind = items.back().kind = Item::Kind::alone;
      continue;
    }
    if (kind == Item::Kind::open) {
      begin_pair(i, items_[i]);
      continue;
    }
    std::vector<Open> later;  // pairs that end after this one
    for (; open.back().item != partner; open.pop_back()) later.push_back(open.back());
    copies += 2 * later.size();
    const std::size_t most = 1000 + last - first;  // else a text of hostile depth would need any memory
    if (copies > most) {
      for (const auto& [item, place] : later) items_[item].kind = items[place].kind = Item::Kind::alone;
      copies -= 2 * later.size();
      later.clear();
    }
    for (const auto& [item, place] : later) end_pair(place, copy(items_[item].partner));
    end_pair(open.back().place, items_[i]);
    open.pop_back();
    for (auto pair = later.rbegin(); pair != later.rend(); ++pair) begin_pair(pair->item, copy(pair->item));
  }
  return items;
}

ByteRange InlineText::with_space_around(std::size_t item, std::span<const Item> items) const {
  ByteRange bytes = items[item].bytes;
  if (item > 0 && is_text(items[item - 1]) && items[item - 1].bytes.end == bytes.begin) {
    const std::string_view before = items[item - 1].bytes.of(document_);
    const std::size_t words = before.find_last_not_of(kDocumentSpace) + 1;
    const bool taken = words == 0 && item > 1 && items[item - 2].is_space;  // by that one
    if (!taken) bytes.begin -= before.size() - words;
  }
  if (item + 1 < items.size() && is_text(items[item + 1]) && items[item + 1].bytes.begin == bytes.end) {
    const std::string_view after = items[item + 1].bytes.of(document_);
    bytes.end += std::min(after.find_first_not_of(kDocumentSpace), after.size());
  }
  return bytes;
}

MarkedBytes InlineText::marked(std::size_t first, std::size_t last) {
  MarkedLine line;
  const std::vector<Item> items = nested(first, last);
  std::vector<std::size_t> mark_of_item(items.size());
  std::size_t place = 0;  // of the mark before
  for (std::size_t i = 0, mark = 0; i < items.size(); ++i) {
    const Item& item = items[i];
    if (is_text(item)) {
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
    const ByteRange bytes = item.is_space ? with_space_around(i, items) : item.bytes;
    if (!item.is_copy) place = bytes.begin;
    line.add(
        {kind, 0, item.partner, std::string(bytes.of(document_)), item.is_space, place, false, item.is_copy});
    mark_of_item[i] = mark++;
  }
  MarkedBytes result = std::move(line).finish();
  for (Mark& mark : result.marks) {  // partners are numbers of items so far
    if (mark.kind != MarkKind::alone) mark.partner = mark_of_item[mark.partner];
  }
  const std::string_view begin = items_[first].bytes.of(document_);
  const std::string_view end = items_[last - 1].bytes.of(document_);
  result.bytes.begin = items_[first].bytes.begin;
  result.bytes.end = items_[last - 1].bytes.end;
  result.section = {items_[first].section.begin, items_[last - 1].section.end};
  if (items_[first].kind == Item::Kind::text) {
    result.bytes.begin += std::min(begin.find_first_not_of(kDocumentSpace), begin.size());
  }
  if (items_[last - 1].kind == Item::Kind::text) {
    result.bytes.end -= end.size() - (end.find_last_not_of(kDocumentSpace) + 1);
  }
  return result;
}

std::vector<MarkedBytes> InlineText::finish() {
  for (const std::size_t item : open_) items_[item].kind = Item::Kind::alone;
  open_.clear();
  std::vector<MarkedBytes> texts;
  for (auto [first, last] : divided()) {
    peel(first, last);
    if (first == last) continue;
    texts.push_back(marked(first, last));
    if (!has_letters(texts.back())) texts.pop_back();
  }
  items_.clear();
  return texts;
}

}  // namespace gloss
