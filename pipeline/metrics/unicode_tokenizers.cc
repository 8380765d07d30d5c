// SPDX-License-Identifier: Apache-2.0

#include "pipeline/metrics/unicode_tokenizers.h"

#include "pipeline/metrics/western.h"
#include "tokenizer/characters.h"
#include "tokenizer/white_space.h"

namespace gloss {
namespace {

class InternationalTokenizer : public WordTokenizer {
 public:
  std::string signature() const override { return "intl"; }

  void tokenize(std::string_view line, std::string& out, std::vector<std::string_view>& words) override {
    code_points(line, text_);
    split_after_other();
    text_.swap(next_);
    split_before_other();
    out.clear();
    for (const char32_t c : next_) {
      const bool symbol = is_symbol(c);
      if (symbol) out += ' ';
      append_utf8(out, c);
      if (symbol) out += ' ';
    }
    split_words(out, words);
  }

 private:
  /// Puts spaces around punctuation after a character other than a number.
  void split_after_other() {
    next_.clear();
    for (std::size_t at = 0; at < text_.size(); ++at) {
      next_ += text_[at];
      if (at + 1 == text_.size() || !is_punctuation(text_[at + 1]) || is_number(text_[at])) continue;
      next_ += {U' ', text_[++at], U' '};
    }
  }

  /// Puts spaces around punctuation before a character other than a number.
  void split_before_other() {
    next_.clear();
    for (std::size_t at = 0; at < text_.size(); ++at) {
      if (at + 1 == text_.size() || !is_punctuation(text_[at]) || is_number(text_[at + 1])) {
        next_ += text_[at];
        continue;
      }
      next_ += {U' ', text_[at], U' ', text_[at + 1]};
      ++at;
    }
  }

  std::u32string text_, next_;
};

/// The characters that sacreBLEU treats as Chinese. Its ranges U+2001 to U+2A6D, which contains punctuation
/// and arrows, and U+2F81 to U+2FA1 are mistaken for ideographs of the supplementary planes, but needed for
/// the same scores.
constexpr bool is_chinese(char32_t c) {
  constexpr char32_t kRanges[][2] = {{0x2001, 0x2a6d}, {0x2e80, 0x2eff}, {0x2f00, 0x2fdf}, {0x2ff0, 0x303f},
                                     {0x3100, 0x312f}, {0x31a0, 0x31bf}, {0x31c0, 0x31ef}, {0x3200, 0x4db5},
                                     {0x4e00, 0x9fbb}, {0xf900, 0xfa2d}, {0xfa30, 0xfa6a}, {0xfa70, 0xfad9},
                                     {0xfe10, 0xfe1f}, {0xfe30, 0xfe4f}, {0xff00, 0xffef}};
  for (const auto& range : kRanges) {
    if (c >= range[0] && c <= range[1]) return true;
  }
  return false;
}

class ChineseTokenizer : public WordTokenizer {
 public:
  std::string signature() const override { return "zh"; }

  void tokenize(std::string_view line, std::string& out, std::vector<std::string_view>& words) override {
    code_points(trim(line), text_);
    out.clear();
    for (const char32_t c : text_) {
      const bool alone = is_chinese(c);
      if (alone) out += ' ';
      append_utf8(out, c);
      if (alone) out += ' ';
    }
    western_words(out, LineEnds::nothing, words);
  }

 private:
  std::u32string text_;
};

class CharacterTokenizer : public WordTokenizer {
 public:
  std::string signature() const override { return "char"; }

  void tokenize(std::string_view line, std::string& out, std::vector<std::string_view>& words) override {
    out.clear();
    for (std::size_t at = 0; at < line.size(); ++at) {
      // Inserts no space before continuation bytes.
      if ((static_cast<unsigned char>(line[at]) & 0xc0) != 0x80) out += ' ';
      out += line[at];
    }
    split_words(out, words);
  }
};

}  // namespace

std::unique_ptr<WordTokenizer> make_international_tokenizer() {
  return std::make_unique<InternationalTokenizer>();
}
std::unique_ptr<WordTokenizer> make_chinese_tokenizer() { return std::make_unique<ChineseTokenizer>(); }
std::unique_ptr<WordTokenizer> make_character_tokenizer() { return std::make_unique<CharacterTokenizer>(); }

}  // namespace gloss
