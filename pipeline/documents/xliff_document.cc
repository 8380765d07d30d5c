// SPDX-License-Identifier: Apache-2.0

#include "pipeline/documents/xliff_document.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "pipeline/documents/white_space.h"
#include "pipeline/documents/xliff_source.h"
#include "pipeline/documents/xliff_units.h"
#include "pipeline/documents/xml_parser.h"

namespace gloss {
namespace {

/// Divides a document into parts, with targets for all units.
class XliffReader {
 public:
  XliffReader(std::string_view document, std::span<const XmlPiece> pieces)
      : document_(document), pieces_(pieces), source_(document, pieces) {}

  std::vector<DocumentPart> parts(const std::vector<XliffUnit>& units) {
    for (const XliffUnit& unit : units) add(unit);
    copy(document_.size());
    if (!before_.empty()) parts_.push_back({.before = std::move(before_), .line = line_});
    return std::move(parts_);
  }

 private:
  void copy(std::size_t end) {
    before_ += document_.substr(copied_, end - copied_);
    line_ += std::count(document_.begin() + static_cast<std::ptrdiff_t>(copied_),
                        document_.begin() + static_cast<std::ptrdiff_t>(end), '\n');
    copied_ = end;
  }
  void add(const XliffUnit& unit) {
    const XmlPiece &start = pieces_[unit.source.start], &end = pieces_[unit.source.end];
    if (end.bytes.size() == 0) return;  // <source/>
    const ByteRange content{start.bytes.end, end.bytes.begin};
    const std::string after = open_target(unit);
    const std::optional<MarkedBytes> found = source_.read(unit.source);
    if (!found) {
      before_ += content.of(document_);
    } else {
      before_ += document_.substr(content.begin, found->bytes.begin - content.begin);
      DocumentPart part{std::move(before_), std::string(found->bytes.of(document_)),
                        found->text,        found->marks,
                        found->kept,        line_};
      parts_.push_back(std::move(part));
      before_ = document_.substr(found->bytes.end, content.end - found->bytes.end);
    }
    before_ += after;
  }
  /// Copies all up to the content of the target; returns what follows the content.
  std::string open_target(const XliffUnit& unit) {
    if (!unit.target) {
      copy(pieces_[unit.last].bytes.end);
      const std::string name = prefix(unit) + "target";
      before_ += indentation(unit) + "<" + name + ">";
      return "</" + name + ">";
    }
    const XmlPiece &start = pieces_[unit.target->start], &end = pieces_[unit.target->end];
    if (end.bytes.size() > 0) {
      copy(start.bytes.end);
      copied_ = end.bytes.begin;
      return "";
    }
    copy(start.bytes.end);  // <target/>
    before_.erase(before_.rfind('/'), 1);
    return "</" + prefix(unit) + "target>";
  }
  /// "xlf:" of "<xlf:source>"; "" without a prefix.
  std::string prefix(const XliffUnit& unit) const {
    const std::string_view tag = pieces_[unit.source.start].bytes.of(document_);
    const std::string_view name = tag.substr(1, tag.find_first_of(" \t\r\n/>") - 1);
    const std::size_t colon = name.find(':');
    return colon == std::string_view::npos ? "" : std::string(name.substr(0, colon + 1));
  }
  /// The line end and white space before the source.
  std::string indentation(const XliffUnit& unit) const {
    if (unit.source.start == 0 || pieces_[unit.source.start - 1].kind != XmlKind::text) return "";
    const std::string_view text = pieces_[unit.source.start - 1].bytes.of(document_);
    if (!without_space_around(text).empty()) return "";
    const std::size_t line = text.rfind('\n');
    if (line == std::string_view::npos) return "";
    return std::string(text.substr(line > 0 && text[line - 1] == '\r' ? line - 1 : line));
  }

  std::string_view document_;
  std::span<const XmlPiece> pieces_;
  XliffSource source_;
  std::vector<DocumentPart> parts_;
  std::string before_;
  std::size_t copied_ = 0;
  std::int64_t line_ = 1;
};

}  // namespace

std::vector<DocumentPart> xliff_parts(std::string_view document, const std::string& name) {
  const std::vector<XmlPiece> pieces = xml_pieces(document, name);
  return XliffReader(document, pieces).parts(xliff_units(pieces, name));
}

std::string xml_written(std::string_view text) {
  std::string written;
  for (const char byte : text) {
    const auto code = static_cast<unsigned char>(byte);
    if (byte == '&') {
      written += "&amp;";
    } else if (byte == '<') {
      written += "&lt;";
    } else if (byte == '>') {
      written += "&gt;";
    } else {
      written +=
          code < 0x20 && byte != '\t' && byte != '\n' ? ' ' : byte;  // XML has no other control characters
    }
  }
  return written;
}

}  // namespace gloss
