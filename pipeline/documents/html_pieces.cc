// SPDX-License-Identifier: Apache-2.0

#include "pipeline/documents/html_pieces.h"

#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "pipeline/documents/html_elements.h"
#include "pipeline/documents/html_nesting.h"
#include "pipeline/documents/html_parser.h"
#include "pipeline/documents/text_place.h"
#include "pipeline/documents/xhtml.h"

namespace gloss {
namespace {

constexpr std::size_t kLongestPage = 1 << 30;  // bytes; gumbo counts in 32 bits

using UsePiece = std::function<void(const HtmlPiece&)>;

/// Divides bytes that gumbo says are text: it skips tags that it ignores.
void use_text(std::string_view document, ByteRange range, const UsePiece& use) {
  while (range.begin < range.end) {
    ByteRange markup = next_markup(document.substr(0, range.end), range.begin);
    if (markup.begin > range.begin) {
      use({HtmlKind::text, {range.begin, markup.begin}, "", true, false, false, {}, {}});
    }
    if (markup.size() > 0) use({HtmlKind::other, markup, "", true, false, false, {}, {}});
    range.begin = markup.end;
  }
}

}  // namespace

void each_html_piece(std::string_view document, const std::string& name, const UsePiece& use) {
  constexpr std::size_t kDeepest = 10'000;
  if (document.size() > kLongestPage) {
    throw InputError(concat(name, ": found a page of ", document.size(), " bytes, expected at most ",
                            kLongestPage, "; divide it"));
  }
  XhtmlAsHtml xhtml;
  const bool converted = is_xhtml(document);
  if (converted) xhtml = xhtml_as_html(document);
  const std::string_view html = converted ? xhtml.page : document;
  if (const std::size_t place = too_deep(html, kDeepest); place < html.size()) {
    throw InputError(concat(text_place(name, document, place), ": found more than ", kDeepest,
                            " elements that are open at once; close elements that are open"));
  }
  HtmlTree found = parse_html(html);
  // Of elements that gumbo repeats, the first piece is the longest.
  const auto is_before = [](const HtmlPiece& a, const HtmlPiece& b) {
    return a.bytes.begin != b.bytes.begin ? a.bytes.begin < b.bytes.begin : a.bytes.end > b.bytes.end;
  };
  // Sorting copies half of the pieces.
  if (!std::ranges::is_sorted(found.markup, is_before)) std::ranges::stable_sort(found.markup, is_before);
  std::ranges::sort(found.texts, {}, &ByteRange::begin);
  std::size_t at = 0;
  auto text = found.texts.begin();
  const auto fill = [&](std::size_t end) {  // the bytes before `end`
    while (at < end) {
      while (text != found.texts.end() && text->end <= at) ++text;
      const bool has_text = text != found.texts.end() && text->begin < end;
      const std::size_t begin = has_text ? std::max(at, text->begin) : end;
      if (at < begin) use({HtmlKind::other, {at, begin}, "", true, false, false, {}, {}});
      at = has_text ? std::min(end, text->end) : end;
      if (has_text) use_text(document, {begin, at}, use);
    }
  };
  for (HtmlPiece& piece : found.markup) {
    if (piece.bytes.begin < at) continue;
    if (const auto empty = xhtml.empty.find(piece.bytes.begin); empty != xhtml.empty.end()) {
      const HtmlElement kind = html_element(empty->second);
      piece.in_line = kind == HtmlElement::in_line || kind == HtmlElement::kept;
    }
    fill(piece.bytes.begin);
    at = piece.bytes.end;
    use(piece);
  }
  fill(document.size());
}

}  // namespace gloss
