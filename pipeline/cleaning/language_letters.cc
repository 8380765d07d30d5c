// SPDX-License-Identifier: Apache-2.0

#include "pipeline/cleaning/language_letters.h"

#include <string>

#include "tokenizer/exemplar_letters.h"
#include "tokenizer/text.h"

namespace gloss {

LetterShares letter_shares(const SideText& side, std::string_view language) {
  if ((side.present & kMark) != 0) {  // composed characters are among the letters, decomposed ones are not
    const std::string composed = clean_text(side.bytes, Normalization::nfc).text;
    if (composed != side.bytes) {
      SideText other;
      other.read(composed);
      return letter_shares(other, language);
    }
  }
  if (side.words.empty()) return {};
  const ExemplarLetters* const letters = ExemplarLetters::of(std::string(language));
  const auto is_letter = [&](std::size_t place) {
    return letters == nullptr ? side.has(place, kLetter | kMark) : letters->has(side.characters[place]);
  };
  std::size_t own = 0, all = 0, words = 0;
  for (std::size_t i = side.words.front().begin; i < side.words.back().end; ++i) {
    if (side.characters[i] == U' ') continue;
    ++all;
    own += is_letter(i) ? 1 : 0;
  }
  for (const TextPart& word : side.words) words += is_letter(word.begin) ? 1 : 0;
  return {static_cast<double>(own) / static_cast<double>(all),
          static_cast<double>(words) / static_cast<double>(side.words.size())};
}

}  // namespace gloss
