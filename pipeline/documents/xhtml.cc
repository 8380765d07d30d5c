// SPDX-License-Identifier: Apache-2.0

#include "pipeline/documents/xhtml.h"

#include <utility>

#include "base/byte_range.h"
#include "pipeline/documents/html_elements.h"
#include "pipeline/documents/html_nesting.h"

namespace gloss {
namespace {

/// The bytes from `begin` to the end of the next `mark`, or of the page.
ByteRange up_to(std::string_view page, std::size_t begin, std::string_view mark) {
  const std::size_t found = page.find(mark, begin);
  return {begin, found == std::string_view::npos ? page.size() : found + mark.size()};
}

/// The tag at `begin`, whose values may have '>'.
ByteRange tag_at(std::string_view page, std::size_t begin) {
  std::size_t at = begin;
  while (at < page.size() && page[at] != '>') {
    at = page.find_first_of("\"'>", at);
    if (at >= page.size() || page[at] == '>') break;
    at = page.find(page[at], at + 1);
    if (at != std::string_view::npos) ++at;
  }
  return {begin, at < page.size() ? at + 1 : page.size()};
}

/// Reads the markup of a page from left to right.
class Converter {
 public:
  explicit Converter(std::string_view page) : page_(page) { result_.page = page; }

  XhtmlAsHtml convert() && {
    for (std::size_t at = page_.find('<'); at < page_.size(); at = page_.find('<', at)) at = after(at);
    return std::move(result_);
  }

 private:
  /// The end of the markup at a '<'.
  std::size_t after(std::size_t begin) {
    const std::string_view rest = page_.substr(begin);
    if (rest.starts_with("<!--")) return up_to(page_, begin, "-->").end;
    if (rest.starts_with("<![CDATA[")) {
      const ByteRange section = up_to(page_, begin, "]]>");
      hide_ends(section);
      return section.end;
    }
    if (rest.size() < 2 || !is_letter_byte(rest[1])) return begin + 1;
    const ByteRange tag = tag_at(page_, begin);
    const std::string_view bytes = tag.of(page_);
    const std::string name = lower_ascii(bytes.substr(1, bytes.find_first_of(" \t\r\n/>") - 1));
    if (bytes.ends_with("/>")) {
      if (!is_void_element(name)) make_comment(tag, name);
      return tag.end;
    }
    // Their content may look like tags.
    if (name == "script" || name == "style") return content_end(tag.end, name);
    return tag.end;
  }
  std::size_t content_end(std::size_t begin, const std::string& name) {
    for (std::size_t at = page_.find('<', begin); at < page_.size(); at = page_.find('<', at + 1)) {
      const std::string_view rest = page_.substr(at);
      if (rest.starts_with("<![CDATA[")) {
        const ByteRange section = up_to(page_, at, "]]>");
        hide_ends(section);
        at = section.end - 1;
      } else if (rest.starts_with("</") && lower_ascii(rest.substr(2, name.size())) == name) {
        return at;
      }
    }
    return page_.size();
  }
  void make_comment(ByteRange tag, const std::string& name) {
    result_.empty[tag.begin] = name;
    result_.page[tag.begin + 1] = '?';
    hide_ends(tag);
  }
  /// Of some markup, only the last byte ends a comment.
  void hide_ends(ByteRange bytes) {
    for (std::size_t at = bytes.begin + 1; at + 1 < bytes.end; ++at) {
      if (page_[at] == '>' || page_[at] == '<') result_.page[at] = ' ';
    }
  }

  std::string_view page_;
  XhtmlAsHtml result_;
};

}  // namespace

bool is_xhtml(std::string_view page) {
  constexpr std::size_t kStart = 4096;  // bytes
  const std::string start = lower_ascii(page.substr(0, kStart));
  const std::size_t first = start.find_first_not_of("\xEF\xBB\xBF \t\r\n");
  if (first != std::string::npos && std::string_view(start).substr(first).starts_with("<?xml")) return true;
  const std::size_t type = start.find("<!doctype"), root = start.find("<html");
  const auto tag_has = [&](std::size_t begin, std::string_view part) {
    return begin != std::string::npos &&
           up_to(start, begin, ">").of(start).find(part) != std::string_view::npos;
  };
  return tag_has(type, "//dtd xhtml") || tag_has(root, "http://www.w3.org/1999/xhtml");
}

XhtmlAsHtml xhtml_as_html(std::string_view page) { return Converter(page).convert(); }

}  // namespace gloss
