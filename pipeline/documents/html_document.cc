// SPDX-License-Identifier: Apache-2.0

#include "pipeline/documents/html_document.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/text.h"
#include "base/utf8.h"
#include "pipeline/documents/fixed_spaces.h"
#include "pipeline/documents/html_nesting.h"
#include "pipeline/documents/html_parser.h"
#include "pipeline/documents/html_pieces.h"
#include "pipeline/documents/inline_text.h"
#include "pipeline/documents/white_space.h"

namespace gloss {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

class PageReader {
 public:
  explicit PageReader(std::string_view page) : page_(page), text_(page) {}

  std::vector<DocumentPart> parts(const std::vector<HtmlPiece>& pieces) {
    for (HtmlPiece piece : pieces) {
      if (piece.bytes.begin == 0 && page_.starts_with(kByteOrderMark)) {
        piece.bytes.begin = std::min(kByteOrderMark.size(), piece.bytes.end);
      }
      add(piece);
    }
    end_text();
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
    std::optional<MarkedBytes> found = text_.finish();
    if (!found) return;
    DocumentPart part;
    part.before = page_.substr(copied_, found->bytes.begin - copied_);
    part.source = found->bytes.of(page_);
    part.text = std::move(found->text);
    part.marks = std::move(found->marks);
    part.kept = std::move(found->kept);
    line_ += std::ranges::count(part.before, '\n');
    part.line = line_;
    line_ += std::ranges::count(part.source, '\n');
    copied_ = found->bytes.end;
    parts_.push_back(std::move(part));
  }

  std::string_view page_;
  InlineText text_;
  std::vector<DocumentPart> parts_;
  std::size_t copied_ = 0;  // bytes that the parts have
  std::int64_t line_ = 1;
};

/// The encoding that a page declares, in lower case; "" if it declares none.
std::string declared_encoding(std::string_view page) {
  constexpr std::size_t kStart = 4096;  // bytes; browsers look at 1024
  const std::string start = lower_ascii(page.substr(0, kStart));
  const std::size_t meta = start.find("<meta");
  const std::size_t name = meta == std::string::npos ? meta : start.find("charset=", meta);
  if (name == std::string::npos) return "";
  const std::size_t begin = start.find_first_not_of("\"' ", name + 8);
  return begin == std::string::npos ? "" : start.substr(begin, start.find_first_of("\"' ;/>", begin) - begin);
}

void expect_utf8(std::string_view page, const std::string& name) {
  const std::string encoding = declared_encoding(page);
  const bool other = !encoding.empty() && encoding != "utf-8" && encoding != "utf8";
  if (is_valid_utf8(page) && !other) return;
  std::size_t line = 1;
  for (std::string_view rest = page; !rest.empty() && !other; ++line) {
    const std::size_t end = std::min(rest.find('\n'), rest.size() - 1) + 1;
    if (!is_valid_utf8(rest.substr(0, end))) break;
    rest.remove_prefix(end);
  }
  throw InputError(
      other ? concat(name, ": the page declares the encoding '", encoding,
                     "', expected UTF-8; convert it with 'iconv -f ", encoding,
                     " -t UTF-8' and change its charset")
            : concat(name, ":", line, ": found bytes that are not UTF-8; convert the page with iconv"));
}

}  // namespace

std::vector<DocumentPart> html_parts(std::string_view page, const std::string& name) {
  expect_utf8(page, name);
  return PageReader(page).parts(html_pieces(page, name));
}

std::string html_written(std::string_view text) {
  std::string written;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char byte = text[at];
    if (byte == '&') {
      written += "&amp;";
    } else if (byte == '<') {
      written += "&lt;";
    } else if (byte == '>') {
      written += "&gt;";
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
