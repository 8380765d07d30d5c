// SPDX-License-Identifier: Apache-2.0
// Records of a translation memory (TMX). Each unit is parsed by itself, so that memory is bounded by the
// largest one, a broken one costs no other, and entities that a document type defines are not known.
#include <algorithm>
#include <array>

#include "base/error.h"
#include "base/letter_case.h"
#include "base/shown.h"
#include "base/text.h"
#include "base/utf8.h"
#include "pipeline/documents/xml_parser.h"
#include "pipeline/records/record_reader.h"

namespace gloss {
namespace {

/// "en" of "en-GB" and "EN_us".
std::string primary_language(std::string_view tag) {
  return lower_case(std::string(tag.substr(0, tag.find_first_of("-_"))));
}

/// The text of one language in a unit.
struct Variant {
  std::string language, text;
};

/// The variants of a unit in their order. Codes of other formats within a text are left out. Throws
/// InputError.
std::vector<Variant> variants_of(std::string_view unit) {
  constexpr auto kCodes = std::to_array<std::string_view>({"bpt", "ept", "ph", "it", "ut", "sub"});
  std::vector<Variant> variants;
  bool in_segment = false;
  int codes = 0;  // open elements whose text is none of the segment
  for (const XmlPiece& piece : xml_pieces(unit, "unit")) {
    const int step = piece.kind == XmlKind::start ? 1 : piece.kind == XmlKind::end ? -1 : 0;
    if (step > 0 && piece.name == "tuv") {
      const std::string language = piece.attribute("xml:lang");
      variants.push_back({language.empty() ? piece.attribute("lang") : language, ""});
    }
    if (step != 0 && piece.name == "seg") in_segment = step > 0;
    if (step != 0 && std::ranges::count(kCodes, piece.name) > 0) codes += step;
    if (piece.kind == XmlKind::text && in_segment && codes == 0 && !variants.empty())
      variants.back().text += piece.text;
  }
  for (Variant& variant : variants) {
    std::ranges::replace_if(
        variant.text, [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
  }
  return variants;
}

class TmxRecords : public RecordSource {
 public:
  explicit TmxRecords(const RecordFiles& files)
      : name_(input_name(files.tmx)),
        longest_(static_cast<std::size_t>(files.max_line_bytes)),
        source_(open_bytes(files.tmx)) {
    for (const std::string& language : files.languages) languages_.push_back(primary_language(language));
  }

  bool next(PairRecord& record) override {
    record.source.clear();
    record.target.clear();
    while (const std::size_t left = skip_to_tag()) {
      const std::string_view rest = std::string_view(buffer_).substr(at_, left);
      if (rest.starts_with("<!--")) {
        drop_past("-->");
      } else if (rest.starts_with("<![CDATA[")) {
        drop_past("]]>");
      } else if (opens_unit(rest)) {
        read_unit(record);
        return true;
      } else {
        begun_ |= rest.starts_with("<tmx");
        ended_ |= rest.starts_with("</tmx");
        drop(1);
      }
    }
    if (!begun_) throw InputError(concat(name_, ": found no <tmx>, expected a translation memory"));
    if (ended_) return false;
    ended_ = true;
    record.line = line_;
    record.broken = "the file ends without </tmx>: it is truncated; copy or write it again";
    return true;
  }
  bool available(std::chrono::steady_clock::time_point until) override {
    // Units of a pipe that is waited for are rare: a unit that is begun is waited for.
    const auto left = until - std::chrono::steady_clock::now();
    return at_ < buffer_.size() || source_->ready(std::max<std::chrono::nanoseconds>(left, {}));
  }

 private:
  static constexpr std::size_t kTagStart = 9;  // bytes that show what a tag is

  static bool is_name_end(char c) {
    return c == '>' || c == '/' || c == ' ' || c == '\n' || c == '\t' || c == '\r';
  }
  static bool opens_unit(std::string_view text) {
    return text.size() > 3 && text.starts_with("<tu") && is_name_end(text[3]);
  }
  static bool closes_unit(std::string_view text) {
    return text.size() > 4 && text.starts_with("</tu") && is_name_end(text[4]);
  }

  bool fill() {
    constexpr std::size_t kChunk = 1 << 16;
    if (at_ > 0) {
      buffer_.erase(0, at_);
      at_ = 0;
    }
    const std::size_t before = buffer_.size();
    buffer_.resize(before + kChunk);
    const std::size_t got = source_->read(buffer_.data() + before, kChunk);
    buffer_.resize(before + got);
    return got > 0;
  }
  /// Passes over bytes and counts their lines.
  void drop(std::size_t bytes) {
    const auto begin = buffer_.begin() + static_cast<std::ptrdiff_t>(at_);
    line_ += std::count(begin, begin + static_cast<std::ptrdiff_t>(bytes), '\n');
    at_ += bytes;
  }
  /// Passes over the text before a tag; returns the number of bytes that are there from it on, 0 at the end.
  std::size_t skip_to_tag() {
    while (true) {
      const std::size_t tag = std::min(buffer_.find('<', at_), buffer_.size());
      drop(tag - at_);
      if (buffer_.size() - at_ >= kTagStart || !fill()) return buffer_.size() - at_;
    }
  }
  /// Passes over everything up to the end of `mark`.
  void drop_past(std::string_view mark) {
    while (true) {
      const std::size_t found = buffer_.find(mark, at_);
      if (found != std::string::npos) return drop(found + mark.size() - at_);
      const std::size_t kept = std::min(buffer_.size() - at_, mark.size() - 1);
      drop(buffer_.size() - at_ - kept);
      if (!fill()) return drop(buffer_.size() - at_);
    }
  }

  /// The size of the unit that begins here; sets why it is broken.
  std::size_t unit_size(std::string& broken) {
    std::size_t size = 1;
    const auto find =
        [&](std::string_view mark) {  // sets `size` to the place of the mark; false: there is none
          while (true) {
            const std::size_t found = buffer_.find(mark, at_ + size);
            if (found != std::string::npos) {
              size = found - at_;
              return true;
            }
            size = std::max(size, buffer_.size() - at_ - std::min(buffer_.size() - at_, mark.size() - 1));
            if (size > longest_ || !fill()) return false;
          }
        };
    while (size <= longest_ && find("<")) {
      while (buffer_.size() - at_ - size < kTagStart && fill()) {
      }
      const std::string_view rest = std::string_view(buffer_).substr(at_ + size);
      if (rest.starts_with("<!--")) {
        if (!find("-->")) break;
      } else if (rest.starts_with("<![CDATA[")) {
        if (!find("]]>")) break;
      } else if (closes_unit(rest)) {
        if (!find(">")) break;
        return size + 1;
      } else if (opens_unit(rest)) {
        broken = "the unit has no </tu>";
        return size;
      }
      ++size;
    }
    broken = size > longest_ ? concat("the unit has more than ", longest_, " bytes")
                             : std::string("the file ends within the unit");
    return std::min(size, buffer_.size() - at_);
  }

  void read_unit(PairRecord& record) {
    record.line = line_;
    const std::size_t size = unit_size(record.broken);
    const std::string unit = valid_utf8(std::string_view(buffer_).substr(at_, size));
    drop(size);
    if (record.broken.empty()) {
      try {
        take(variants_of(unit), record);
      } catch (const InputError& error) {
        record.broken = error.what();
      }
    }
    if (record.broken.empty()) return;
    constexpr std::size_t kShown = 1000;  // bytes
    record.source = unit.substr(0, kShown);
    std::ranges::replace_if(
        record.source, [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
  }

  /// Without languages, those of the first unit with two. A text that a unit lacks is empty.
  void take(std::vector<Variant> variants, PairRecord& record) {
    if (languages_.empty()) {
      if (variants.size() < 2) {
        record.broken = "the unit has fewer than two languages; --languages names those to read";
        return;
      }
      languages_ = {primary_language(variants[0].language), primary_language(variants[1].language)};
    }
    const auto text = [&](const std::string& language) {
      const auto found = std::ranges::find(
          variants, language, [](const Variant& variant) { return primary_language(variant.language); });
      return found == variants.end() ? std::string() : std::move(found->text);
    };
    record.source = text(languages_[0]);
    record.target = text(languages_[1]);
  }

  std::string name_;
  std::size_t longest_;
  std::unique_ptr<ByteStream> source_;
  std::vector<std::string> languages_;
  std::string buffer_;
  std::size_t at_ = 0;  // offset of the first byte that is not passed over
  std::int64_t line_ = 1;
  bool begun_ = false, ended_ = false;
};

}  // namespace

std::unique_ptr<RecordSource> open_tmx(const RecordFiles& files) {
  return std::make_unique<TmxRecords>(files);
}

}  // namespace gloss
