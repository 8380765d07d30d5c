// SPDX-License-Identifier: Apache-2.0

#include "pipeline/documents/xml_text.h"

#include "base/utf8.h"
#include "pipeline/documents/white_space.h"

namespace gloss {
namespace {

/// Reads a text as it is written and decoded side by side.
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

}  // namespace

std::vector<XmlTextPart> xml_text_parts(std::string_view bytes, std::string_view text) {
  return XmlTextReader(bytes, text).read();
}

}  // namespace gloss
