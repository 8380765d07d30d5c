// SPDX-License-Identifier: Apache-2.0

#include "tokenizer/training_text.h"

#include <algorithm>

#include "base/index.h"
#include "base/utf8.h"

namespace gloss {
namespace {

// SentencePiece stores positions in a word in 16 bits and aborts on overflow. Pieces have at most 16
// characters, so splitting a long word loses next to nothing.
constexpr std::size_t kLongestTrainingWord = 4096;
// Sentences are split between words to bound the memory; the result is the same, as pieces do not cross
// words.
constexpr std::size_t kLongestSentence = 8192;

/// The size in bytes of a character that SentencePiece's trainer reserves, at the start of `text`; or 0. It
/// would skip lines with U+2585 and split words at tabs and NUL.
std::size_t reserved_size(std::string_view text) {
  if (text[0] == '\0' || text[0] == '\t') return 1;
  return text.starts_with("\xE2\x96\x85") ? 3 : 0;
}

/// The largest size of at most `limit` bytes that does not split a character.
std::size_t whole_characters(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) return text.size();
  while ((static_cast<unsigned char>(text[limit]) & 0xC0) == 0x80) --limit;
  return limit;
}

}  // namespace

void TrainingText::add(std::string_view line) {
  ++counts_.lines;
  std::string words;
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t reserved = reserved_size(line.substr(at));
    if (reserved > 0) {
      words += ' ';
      ++counts_.reserved;
    } else {
      words += line[at];
    }
    at += std::max<std::size_t>(reserved, 1);
  }
  if (words.find_first_not_of(' ') == std::string::npos) {
    ++counts_.blank;
    return;
  }
  add_words(words);
}

void TrainingText::add_words(std::string_view words) {
  while (!words.empty()) {
    std::size_t end = words.size();
    if (end > kLongestSentence) {
      const std::size_t space = words.rfind(' ', kLongestSentence);
      end = space == std::string_view::npos || space == 0 ? words.find(' ', 1) : space;
      end = std::min(end, words.size());
    }
    std::string_view part = words.substr(0, end);
    words.remove_prefix(end);
    while (part.size() > kLongestSentence) {  // a single word
      const std::size_t size = whole_characters(part, kLongestTrainingWord);
      add_sentence(part.substr(0, size));
      part.remove_prefix(size);
      ++counts_.cut;
    }
    add_sentence(part);
  }
}

void TrainingText::add_sentence(std::string_view sentence) {
  if (sentence.find_first_not_of(' ') == std::string_view::npos) return;
  const std::int64_t number = counts_.parts++;
  if (number < limit_) {
    sentences_.emplace_back(sentence);
    return;
  }
  const auto place = static_cast<std::int64_t>(random_.below(static_cast<std::uint64_t>(number) + 1));
  if (place < limit_) sentences_[index(place)] = sentence;
}

}  // namespace gloss
