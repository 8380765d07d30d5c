// SPDX-License-Identifier: Apache-2.0

#include "pipeline/documents/xliff_document.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/byte_range.h"
#include "base/text.h"
#include "pipeline/documents/references.h"
#include "pipeline/documents/white_space.h"
#include "pipeline/documents/xliff_source.h"
#include "pipeline/documents/xliff_units.h"
#include "pipeline/documents/xml_parser.h"

namespace gloss {
namespace {

/// Where an attribute is in a tag.
struct AttributePlace {
  ByteRange all{};    ///< with the white space before it; empty, before the end of the tag, if there is none
  ByteRange value{};  ///< without quotes
};

AttributePlace find_attribute(std::string_view tag, std::string_view name) {
  std::size_t at = tag.find_first_of(" \t\r\n/>");
  for (;;) {
    const std::size_t begin = tag.find_first_not_of(kDocumentSpace, at);
    if (begin >= tag.size() || tag[begin] == '/' || tag[begin] == '>') return {{at, at}, {}};
    const std::size_t equals = std::min(tag.find('=', begin), tag.size() - 1);
    const std::size_t quote = std::min(tag.find_first_of("\"'", equals), tag.size() - 1);
    const std::size_t end = std::min(tag.find(tag[quote], quote + 1), tag.size() - 1);
    if (without_space_around(tag.substr(begin, equals - begin)) == name)
      return {{at, end + 1}, {quote + 1, end}};
    at = end + 1;
  }
}

/// A start tag of well-formed XML with another value of an attribute, or with one more attribute. `value` has
/// no characters that need references.
std::string with_attribute(std::string_view tag, std::string_view name, std::string_view value) {
  const AttributePlace place = find_attribute(tag, name);
  if (place.all.size() == 0)
    return concat(tag.substr(0, place.all.begin), " ", name, "=\"", value, "\"", tag.substr(place.all.begin));
  return concat(tag.substr(0, place.value.begin), value, tag.substr(place.value.end));
}

/// A start tag without an attribute.
std::string without_attribute(std::string_view tag, std::string_view name) {
  const AttributePlace place = find_attribute(tag, name);
  return concat(tag.substr(0, place.all.begin), tag.substr(place.all.end));
}

/// Divides a document into parts, with targets for all units.
class XliffReader {
 public:
  XliffReader(std::string_view document, std::span<const XmlPiece> pieces)
      : document_(document),
        pieces_(pieces),
        source_(document, pieces),
        version_(pieces.front().attribute("version")) {}

  std::vector<DocumentPart> parts(const std::vector<XliffUnit>& units, const std::string& language) {
    // XLIFF 2 requires it of documents with targets.
    if (is_version_2() && !units.empty() && !language.empty() &&
        pieces_.front().attribute("trgLang").empty()) {
      copy_tag(0, [&](std::string_view tag) { return with_attribute(tag, "trgLang", language); });
    }
    std::optional<std::size_t> named;  // file
    for (const XliffUnit& unit : units) {
      if (!is_version_2() && unit.file && unit.file != named && !language.empty())
        name_language(*unit.file, language);
      named = unit.file;
      add(unit);
    }
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
  bool is_version_2() const { return version_.starts_with("2."); }
  /// Copies all up to a tag, and `changed` of the tag.
  template <class Change>
  void copy_tag(std::size_t piece, const Change& changed) {
    const ByteRange tag = pieces_[piece].bytes;
    const std::size_t before = tag.begin;
    copy(before);
    const std::size_t kept = before_.size();
    copy(tag.end);
    before_.replace(kept, std::string::npos, changed(tag.of(document_)));
  }
  void name_language(std::size_t file, const std::string& language) {
    if (!pieces_[file].attribute("target-language").empty()) return;
    copy_tag(file, [&](std::string_view tag) { return with_attribute(tag, "target-language", language); });
  }
  /// A tag of a segment or target that says what a machine has translated.
  std::string with_state(std::string_view tag) const {
    if (is_version_2()) return with_attribute(without_attribute(tag, "subState"), "state", "translated");
    if (version_ == "1.0") return std::string(tag);  // does not list states
    return with_attribute(with_attribute(tag, "state", "needs-review-translation"), "state-qualifier",
                          "leveraged-mt");
  }
  /// The start tag of a target with its state, and with the xml:space of its source.
  std::string target_tag(std::string_view tag, const XliffUnit& unit) const {
    const std::string target = is_version_2() ? std::string(tag) : with_state(tag);
    const bool keeps_space = pieces_[unit.source.start].attribute("xml:space") == "preserve";
    return keeps_space ? with_attribute(target, "xml:space", "preserve") : target;
  }
  void add(const XliffUnit& unit) {
    const ByteRange content{pieces_[unit.source.start].bytes.end, pieces_[unit.source.end].bytes.begin};
    if (is_version_2()) copy_tag(unit.start, [&](std::string_view tag) { return with_state(tag); });
    const std::string after = open_target(unit);
    std::size_t written = content.begin;
    const std::vector<XmlElement> whole{unit.source};
    for (const XmlElement& text : unit.segments.empty() ? whole : unit.segments) {
      for (MarkedBytes& found : source_.read(text)) {
        before_ += document_.substr(written, found.bytes.begin - written);
        written = found.bytes.end;
        parts_.push_back({.before = std::exchange(before_, ""),
                          .source = std::string(found.bytes.of(document_)),
                          .text = std::move(found.text),
                          .marks = std::move(found.marks),
                          .kept = std::move(found.kept),
                          .line = line_,
                          .section = found.section});
      }
    }
    before_ += document_.substr(written, content.end - written);
    before_ += after;
  }
  /// Copies all up to the content of the target; returns what follows the content.
  std::string open_target(const XliffUnit& unit) {
    const std::string end_tag = "</" + prefix(unit) + "target>";
    if (!unit.target) {
      copy(pieces_[unit.last].bytes.end);
      before_ += indentation(unit) + target_tag("<" + prefix(unit) + "target>", unit);
      return end_tag;
    }
    const XmlPiece& end = pieces_[unit.target->end];
    copy_tag(unit.target->start, [&](std::string_view tag) { return target_tag(tag, unit); });
    if (end.bytes.size() > 0) {
      line_ += std::count(document_.begin() + static_cast<std::ptrdiff_t>(copied_),
                          document_.begin() + static_cast<std::ptrdiff_t>(end.bytes.begin), '\n');
      copied_ = end.bytes.begin;
      return "";
    }
    before_.erase(before_.rfind('/'), 1);  // <target/>
    return end_tag;
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
  std::string version_;
  std::vector<DocumentPart> parts_;
  std::string before_;
  std::size_t copied_ = 0;
  std::int64_t line_ = 1;
};

}  // namespace

std::vector<DocumentPart> xliff_parts(std::string_view document, const std::string& name,
                                      const std::string& language) {
  const std::vector<XmlPiece> pieces = xml_pieces(document, name);
  const std::vector<XliffUnit> units = xliff_units(document, pieces, name);
  return XliffReader(document, pieces).parts(units, language);
}

std::string xml_written(std::string_view text) {
  std::string written;
  for (const char byte : text) {
    const auto code = static_cast<unsigned char>(byte);
    if (const std::string_view reference = reference_to(byte); !reference.empty()) {
      written += reference;
    } else {
      written +=
          code < 0x20 && byte != '\t' && byte != '\n' ? ' ' : byte;  // XML has no other control characters
    }
  }
  return written;
}

}  // namespace gloss
