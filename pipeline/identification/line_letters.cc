// SPDX-License-Identifier: Apache-2.0
#include "pipeline/identification/line_letters.h"

#include <algorithm>
#include <array>

#include "base/utf8.h"
#include "tokenizer/characters.h"

namespace gloss {
namespace {

/// Characters of a script that one language uses, or nearly one.
struct OwnScript {
  char32_t first, last;
  const char* language;
};

constexpr auto kOwnScripts = std::to_array<OwnScript>({
    {0x0370, 0x03FF, "el"}, {0x0530, 0x058F, "hy"},  {0x0780, 0x07BF, "dv"}, {0x0A00, 0x0A7F, "pa"},
    {0x0A80, 0x0AFF, "gu"}, {0x0B00, 0x0B7F, "or"},  {0x0B80, 0x0BFF, "ta"}, {0x0C00, 0x0C7F, "te"},
    {0x0C80, 0x0CFF, "kn"}, {0x0D00, 0x0D7F, "ml"},  {0x0D80, 0x0DFF, "si"}, {0x0E00, 0x0E7F, "th"},
    {0x0E80, 0x0EFF, "lo"}, {0x0F00, 0x0FFF, "bo"},  {0x1000, 0x109F, "my"}, {0x10A0, 0x10FF, "ka"},
    {0x1100, 0x11FF, "ko"}, {0x13A0, 0x13FF, "chr"}, {0x1780, 0x17FF, "km"}, {0x1F00, 0x1FFF, "el"},
    {0x3040, 0x30FF, "ja"}, {0x3130, 0x318F, "ko"},  {0xAC00, 0xD7AF, "ko"}, {0xFF66, 0xFF9D, "ja"},
});

/// The script of one language that a letter belongs to; null: none.
const OwnScript* own_script(char32_t letter) {
  if (letter < kOwnScripts.front().first) return nullptr;
  const auto range = std::ranges::lower_bound(kOwnScripts, letter, {}, &OwnScript::last);
  return range != kOwnScripts.end() && letter >= range->first ? &*range : nullptr;
}

bool is_han(char32_t letter) {
  return (letter >= 0x3400 && letter <= 0x9FFF) || (letter >= 0xF900 && letter <= 0xFAFF) ||
         (letter >= 0x20000 && letter <= 0x3FFFF);
}

/// Letters by the languages of their scripts.
class ScriptCounts {
 public:
  void add(char32_t letter) {
    if (const OwnScript* script = own_script(letter)) {
      ++counts_[static_cast<std::size_t>(script - kOwnScripts.data())];
    } else if (is_han(letter)) {
      ++han_;
    }
  }
  /// Adds the language of most letters to `line`.
  void decide(LineLetters& line) const {
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      const std::string_view language = kOwnScripts[i].language;
      std::size_t count = 0;
      for (std::size_t j = 0; j < counts_.size(); ++j) {
        if (kOwnScripts[j].language == language) count += counts_[j];
      }
      // Japanese is written in Han characters too; a Chinese line may name a Japanese word.
      if (language == "ja" && count * 10 >= han_) count += han_;
      if (2 * count <= line.letters) continue;
      line.language = language;
      line.share = static_cast<double>(count) / static_cast<double>(line.letters);
    }
  }

 private:
  std::array<std::size_t, kOwnScripts.size()> counts_{};
  std::size_t han_ = 0;
};

/// The first character of a line, which loses it, if it is a letter or mark, in lower case; else 0.
char32_t next_letter(std::string_view& line) {
  const char first = line.front();
  if (static_cast<unsigned char>(first) < 0x80) {
    line.remove_prefix(1);
    const char lower = static_cast<char>(first | 0x20);
    return lower >= 'a' && lower <= 'z' ? static_cast<char32_t>(lower) : 0;
  }
  const Utf8Part part = first_utf8_part(line);
  const char32_t letter = part.valid ? lower_letter(code_point(line.substr(0, part.size))) : 0;
  line.remove_prefix(part.size);
  constexpr char32_t kWideA = 0xFF41, kWideZ = 0xFF5A;  // of full width
  return letter >= kWideA && letter <= kWideZ ? letter - kWideA + 'a' : letter;
}

}  // namespace

LineLetters line_letters(std::string_view line, std::size_t most) {
  LineLetters found;
  found.words.reserve(std::min(line.size(), 2 * most));
  ScriptCounts scripts;
  bool foreign = false;  // letters that may be of a script of one language
  bool apart = false;    // other characters since the last letter
  while (!line.empty() && found.letters < most) {
    const char32_t letter = next_letter(line);
    if (letter == 0) {
      apart = true;
      continue;
    }
    if (apart && !found.words.empty()) found.words += ' ';
    apart = false;
    ++found.letters;
    if (letter < 0x80) {
      found.words += static_cast<char>(letter);
      continue;
    }
    append_utf8(found.words, letter);
    if (letter >= kOwnScripts.front().first) {
      foreign = true;
      scripts.add(letter);
    }
  }
  found.complete = line.empty();
  if (foreign) scripts.decide(found);
  return found;
}

}  // namespace gloss
