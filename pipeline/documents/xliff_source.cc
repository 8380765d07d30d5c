// SPDX-License-Identifier: Apache-2.0

#include "pipeline/documents/xliff_source.h"

#include <algorithm>
#include <set>

#include "base/byte_range.h"
#include "base/utf8.h"
#include "pipeline/documents/section_ends.h"
#include "pipeline/documents/white_space.h"

namespace gloss {
namespace {

/// A part of a text in an XML document.
struct XmlTextPart {
  ByteRange bytes{};        ///< of the text as it is written
  std::string_view text{};  ///< decoded
  bool is_space = false;    ///< white space; else it has none
  SectionEnds section{};
};

/// Divides a text of an XML document into words and white space, which may be written as references or in
/// CDATA sections. `bytes` and `text`: the text as it is written, and decoded. Joined, the parts are both. A
/// section begins a part.
class XmlTextReader {
 public:
  XmlTextReader(std::string_view bytes, std::string_view text) : bytes_(bytes), text_(text) {}

  std::vector<XmlTextPart> read() && {
    while (at_ < bytes_.size()) {
      const std::string_view left = bytes_.substr(at_);
      if (!in_section_ && left.starts_with(kSectionBegin)) {
        end_part();
        in_section_ = true;
        at_ += kSectionBegin.size();
      } else if (in_section_ && left.starts_with(kSectionEnd)) {
        in_section_ = false;
        at_ += kSectionEnd.size();
      } else {
        read_character(left);
      }
    }
    end_part();
    return std::move(parts_);
  }

 private:
  void read_character(std::string_view written) {
    const std::string_view decoded = text_.substr(text_at_);
    const bool is_space = !decoded.empty() && kDocumentSpace.find(decoded.front()) != std::string_view::npos;
    if (text_at_ > text_begin_ && is_space != part_.is_space) end_part();
    part_.is_space = is_space;
    if (!in_section_ && written.front() == '&') {
      at_ += written.find(';') + 1;
      text_at_ += first_utf8_part(decoded).size;
    } else {
      at_ += written.starts_with("\r\n") ? 2 : 1;  // XML reads both as '\n'
      ++text_at_;
    }
  }
  void end_part() {
    if (at_ > part_.bytes.begin) {
      part_.bytes.end = at_;
      part_.text = text_.substr(text_begin_, text_at_ - text_begin_);
      part_.section.end = in_section_;
      parts_.push_back(part_);
    }
    part_ = {{at_, at_}, {}, false, {in_section_, false}};
    text_begin_ = text_at_;
  }

  std::string_view bytes_, text_;
  std::vector<XmlTextPart> parts_;
  XmlTextPart part_;                          // in progress
  std::size_t at_ = 0;                        // in the bytes
  std::size_t text_begin_ = 0, text_at_ = 0;  // of the part, and now, in the text
  bool in_section_ = false;
};

/// Elements whose content is code of the original format.
bool has_code(const std::string& name) {
  static const std::set<std::string> kNames{"ph", "it", "bpt", "ept", "x",  "bx",
                                            "ex", "sc", "ec",  "cp",  "sm", "em"};
  return kNames.contains(name);
}

/// The name of the pair that an element without text of its own begins or ends; "" for others.
std::string pair_of(const XmlPiece& tag) {
  const auto first = [&](const char* name, const char* other) {
    const std::string value = tag.attribute(name);
    return value.empty() ? tag.attribute(other) : value;
  };
  if (tag.name == "bx" || tag.name == "ex" || tag.name == "bpt" || tag.name == "ept")
    return "1:" + first("rid", "id");
  if (tag.name == "sc" || tag.name == "ec") return "2:" + first("startRef", "id");
  if (tag.name == "sm" || tag.name == "em") return "3:" + first("startRef", "id");
  return "";
}

bool begins_pair(const std::string& name) {
  return name == "bx" || name == "bpt" || name == "sc" || name == "sm";
}

std::vector<ByteRange> fixed_spaces(std::string_view text) {
  std::vector<ByteRange> spaces;
  for (ByteRange next = next_fixed_space(text, 0); next.size() > 0; next = next_fixed_space(text, next.end)) {
    spaces.push_back(next);
  }
  return spaces;
}

}  // namespace

std::vector<MarkedBytes> XliffSource::read(const XmlElement& source) {
  for (std::size_t i = source.start + 1; i < source.end; ++i) i = add(i);
  return text_.finish();
}

std::size_t XliffSource::add(std::size_t i) {
  const XmlPiece& piece = pieces_[i];
  if (piece.kind == XmlKind::text) {
    add_text(piece);
  } else if (piece.kind == XmlKind::other) {
    text_.add_alone(piece.bytes);
  } else if (piece.kind == XmlKind::end) {
    if (piece.bytes.size() > 0) text_.close(piece.bytes, piece.name);
  } else {
    return add_element(i);
  }
  return i;
}

std::size_t XliffSource::add_element(std::size_t i) {
  const XmlPiece& piece = pieces_[i];
  const std::size_t end = end_of_element(pieces_, i);
  const bool is_empty = pieces_[end].bytes.size() == 0;
  const bool kept = piece.attribute("translate") == "no" || piece.attribute("mtype") == "protected";
  const ByteRange all{piece.bytes.begin, std::max(piece.bytes.end, pieces_[end].bytes.end)};
  const std::string pair = pair_of(piece);
  if (!pair.empty()) {
    if (begins_pair(piece.name)) {
      text_.open(all, pair, true);
    } else {
      text_.close(all, pair, true);
    }
  } else if (is_empty || has_code(piece.name)) {
    text_.add_alone(all);
  } else if (kept) {
    std::string content;
    for (std::size_t each = i; each < end; ++each) content += pieces_[each].text;
    if (without_space_around(content).empty()) {
      text_.add_alone(all);
    } else {
      text_.add_kept(all, content);
    }
  } else {
    text_.open(piece.bytes, piece.name);
    return i;
  }
  return end;
}

void XliffSource::add_text(const XmlPiece& piece) {
  if (!piece.keeps_space) {
    add_words(piece.bytes, piece.text, {});
    return;
  }
  for (const XmlTextPart& part : XmlTextReader(piece.bytes.of(document_), piece.text).read()) {
    const ByteRange bytes{piece.bytes.begin + part.bytes.begin, piece.bytes.begin + part.bytes.end};
    if (part.is_space) {
      text_.add_space(bytes, std::string(part.text));
    } else {
      add_words(bytes, part.text, part.section);
    }
  }
}

void XliffSource::add_words(ByteRange range, std::string_view text, SectionEnds section) {
  const std::string_view bytes = range.of(document_);
  // In a section, a reference is text.
  const bool has_section = section.begin || bytes.find(kSectionBegin) != std::string_view::npos;
  const std::vector<ByteRange> written = fixed_spaces(has_section ? "" : bytes), read = fixed_spaces(text);
  std::size_t at = 0, text_at = 0;
  const auto add_until = [&](std::size_t end, std::size_t text_end) {
    if (at < end) {
      text_.add_text({range.begin + at, range.begin + end},
                     std::string(text.substr(text_at, text_end - text_at)), section);
    }
  };
  for (std::size_t i = 0; i < written.size() && written.size() == read.size(); ++i) {
    add_until(written[i].begin, read[i].begin);
    text_.add_alone({range.begin + written[i].begin, range.begin + written[i].end}, true);
    at = written[i].end;
    text_at = read[i].end;
  }
  add_until(bytes.size(), text.size());
}

}  // namespace gloss
