// SPDX-License-Identifier: Apache-2.0

#include "pipeline/documents/html_document.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/shown.h"
#include "base/text.h"
#include "base/utf8.h"
#include "pipeline/documents/html_nesting.h"
#include "pipeline/documents/html_parser.h"
#include "pipeline/documents/html_pieces.h"
#include "pipeline/documents/inline_text.h"
#include "pipeline/documents/references.h"
#include "pipeline/documents/text_place.h"
#include "pipeline/documents/white_space.h"

namespace gloss {
namespace {

/// The value of an attribute as a line of text.
std::string one_line(std::string_view value) {
  std::string line;
  for (const char byte : without_space_around(value)) {
    const bool space = kDocumentSpace.find(byte) != std::string_view::npos;
    if (!space || line.back() != ' ') line += space ? ' ' : byte;
  }
  return line;
}

/// The mark around a place of the document; none: its number is that of all marks.
std::size_t mark_around(const std::vector<Mark>& marks, std::size_t place) {
  const auto next = std::ranges::upper_bound(marks, place, {}, &Mark::place);
  if (next == marks.begin()) return marks.size();
  auto mark = next - 1;
  while (mark->is_copy) --mark;  // never the first
  return place < mark->place + mark->bytes.size() ? static_cast<std::size_t>(mark - marks.begin())
                                                  : marks.size();
}

/// Divides a page into parts.
class PageReader {
 public:
  PageReader(std::string_view page, const std::string& language)
      : page_(page), language_(language), text_(page) {}

  /// Takes the next piece of the page.
  void read(HtmlPiece piece) {
    if (piece.bytes.begin == 0 && page_.starts_with(kByteOrderMark)) {
      piece.bytes.begin = std::min(kByteOrderMark.size(), piece.bytes.end);
    }
    attributes_.insert(attributes_.end(), piece.attributes.begin(), piece.attributes.end());
    add(piece);
  }
  std::vector<DocumentPart> parts() && {
    end_text();
    add_attributes(page_.size());
    if (copied_ < page_.size())
      parts_.push_back({.before = std::string(page_.substr(copied_)), .line = line_});
    return std::move(parts_);
  }

 private:
  void add(const HtmlPiece& piece) {
    if (!piece.in_line) {
      end_text();
    } else if (piece.kind == HtmlKind::text) {
      add_text(piece.bytes);
    } else if (is_word(piece)) {
      text_.add_kept(piece.bytes, piece.content);
    } else if (const std::string name = ignored_end(piece); !name.empty()) {
      text_.close(piece.bytes, name);
    } else if (piece.kind == HtmlKind::other || piece.is_void) {
      text_.add_alone(piece.bytes, piece.breaks_line);
    } else if (piece.kind == HtmlKind::start) {
      text_.open(piece.bytes, piece.element);
    } else {
      text_.close(piece.bytes, piece.element);
    }
  }
  /// True for elements that are not translated but belong to the sentence, such as a name.
  static bool is_word(const HtmlPiece& piece) {
    constexpr std::size_t kLongest = 80;  // bytes; more would only confuse the model
    const bool text = piece.element != "script" && piece.element != "svg" && piece.element != "math";
    return text && !without_space_around(piece.content).empty() && piece.content.size() <= kLongest;
  }
  /// The name in an end tag that the parser ignores since another end tag has closed the element.
  std::string ignored_end(const HtmlPiece& piece) const {
    const std::string_view bytes = piece.bytes.of(page_);
    return piece.kind == HtmlKind::other && bytes.starts_with("</") ? tag_name(bytes.substr(2)) : "";
  }
  void add_text(ByteRange range) {
    while (range.begin < range.end) {
      const ByteRange space = next_fixed_space(page_.substr(0, range.end), range.begin);
      if (space.begin > range.begin) {
        const ByteRange words{range.begin, space.begin};
        text_.add_text(words, html_text(words.of(page_)));
      }
      if (space.size() > 0) text_.add_alone(space, true);
      range.begin = space.end;
    }
  }
  void end_text() {
    for (MarkedBytes& found : text_.finish()) add(std::move(found));
  }
  void add(MarkedBytes found) {
    add_attributes(found.bytes.begin);
    DocumentPart part;
    part.text = std::move(found.text);
    part.marks = std::move(found.marks);
    part.kept = std::move(found.kept);
    std::size_t first = 0;
    for (; first < attributes_.size() && attributes_[first].bytes.begin < found.bytes.end; ++first) {
      const HtmlAttribute& each = attributes_[first];
      const std::size_t mark = mark_around(part.marks, each.bytes.begin);
      if (mark == part.marks.size() || !has_letters(each.text)) continue;  // of a piece that is kept
      const std::size_t begin = each.bytes.begin - part.marks[mark].place;
      part.attributes.push_back({mark,
                                 {begin, begin + each.bytes.size()},
                                 {each.bytes.begin - found.bytes.begin, each.bytes.end - found.bytes.begin},
                                 one_line(each.text),
                                 quote_of(each)});
    }
    attributes_.erase(attributes_.begin(), attributes_.begin() + static_cast<std::ptrdiff_t>(first));
    push(std::move(part), found.bytes);
  }
  /// Adds the attributes outside of texts that begin before this byte.
  void add_attributes(std::size_t end) {
    std::size_t first = 0;
    for (; first < attributes_.size() && attributes_[first].bytes.begin < end; ++first) {
      const HtmlAttribute& each = attributes_[first];
      if (each.is_language ? language_.empty() : !has_letters(each.text)) continue;
      DocumentPart part;
      if (each.is_language) {
        const std::string quote(1, quote_of(each));
        push(std::move(part), {each.bytes.begin, each.bytes.begin});
        parts_.back().before += quote + language_ + quote;
        copied_ = each.bytes.end;
        continue;
      }
      part.text = one_line(each.text);
      part.quote = quote_of(each);
      push(std::move(part), each.bytes);
    }
    attributes_.erase(attributes_.begin(), attributes_.begin() + static_cast<std::ptrdiff_t>(first));
  }
  char quote_of(const HtmlAttribute& attribute) const {
    return page_[attribute.bytes.begin] == '\'' ? '\'' : '"';
  }
  /// Completes a part whose source is these bytes.
  void push(DocumentPart part, ByteRange source) {
    part.before = page_.substr(copied_, source.begin - copied_);
    part.source = source.of(page_);
    line_ += std::ranges::count(part.before, '\n');
    part.line = line_;
    line_ += std::ranges::count(part.source, '\n');
    copied_ = source.end;
    parts_.push_back(std::move(part));
  }

  std::string_view page_;
  std::string language_;  // for the page; empty: its own
  InlineText text_;
  std::vector<HtmlAttribute> attributes_;  // that no part has yet, in their order
  std::vector<DocumentPart> parts_;
  std::size_t copied_ = 0;  // bytes that the parts have
  std::int64_t line_ = 1;
};

/// Where a page declares its encoding; empty if it declares none.
ByteRange declared_encoding(std::string_view page) {
  constexpr std::size_t kStart = 4096;  // bytes; browsers look at 1024
  const std::string start = lower_ascii(page.substr(0, kStart));
  const bool is_xml = start.starts_with("<?xml") || start.starts_with(concat(kByteOrderMark, "<?xml"));
  const std::size_t xml_end = is_xml ? start.find("?>") : 0;
  const std::size_t in_xml = is_xml ? start.find("encoding=") : std::string::npos;
  const std::size_t meta = start.find("<meta");
  const bool xml_names = in_xml < xml_end;
  const std::size_t name = xml_names                   ? in_xml
                           : meta == std::string::npos ? meta
                                                       : start.find("charset=", meta);
  if (name == std::string::npos) return {};
  const std::size_t begin = start.find_first_not_of("\"' ", start.find('=', name) + 1);
  if (begin == std::string::npos) return {};
  return {begin, std::min(start.find_first_of("\"' ;/>", begin), start.size())};
}

void expect_utf8(std::string_view page, const std::string& name) {
  const ByteRange declared = declared_encoding(page);
  const std::string encoding = lower_ascii(declared.of(page));
  if (!encoding.empty() && encoding != "utf-8" && encoding != "utf8") {
    throw InputError(concat(text_place(name, page, declared.begin), ": the page declares the encoding ",
                            shown(encoding), ", expected UTF-8; convert it with 'iconv -f ", encoding,
                            " -t UTF-8' and change its charset"));
  }
  if (is_valid_utf8(page)) return;
  std::size_t at = 0;
  for (Utf8Part part = first_utf8_part(page); part.valid; part = first_utf8_part(page.substr(at)))
    at += part.size;
  throw InputError(
      concat(text_place(name, page, at), ": found bytes that are not UTF-8; convert the page with iconv"));
}

}  // namespace

std::vector<DocumentPart> html_parts(std::string_view page, const std::string& name,
                                     const std::string& language) {
  expect_utf8(page, name);
  PageReader reader(page, language);
  each_html_piece(page, name, [&](const HtmlPiece& piece) { reader.read(piece); });
  return std::move(reader).parts();
}

std::string html_written(std::string_view text) {
  std::string written;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char byte = text[at];
    if (const std::string_view reference = reference_to(byte); !reference.empty()) {
      written += reference;
    } else if (text.substr(at).starts_with("\xC2\xA0")) {
      written += "&#160;";  // XHTML knows no &nbsp;
      ++at;
    } else {
      written += byte;
    }
  }
  return written;
}

}  // namespace gloss
