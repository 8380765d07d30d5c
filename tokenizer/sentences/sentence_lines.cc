// SPDX-License-Identifier: Apache-2.0

#include "tokenizer/sentences/sentence_lines.h"

#include <algorithm>

#include "tokenizer/characters.h"
#include "tokenizer/sentences/marks.h"

namespace gloss {

std::string_view understood_space(std::string_view line) {
  constexpr std::size_t kTail = 64;  // bytes; perhaps it begins inside a character, which does not matter
  const std::u32string tail = code_points(line.substr(line.size() - std::min(line.size(), kTail)));
  if (!tail.empty() && is_space(tail.back())) return "";
  std::size_t end = tail.size();
  while (end > 0 && is_closing(tail[end - 1])) --end;
  return end > 0 && tail[end - 1] >= 0x80 && tail[end - 1] != U'…' && is_end_mark(tail[end - 1]) ? "" : " ";
}

std::string_view without_trailing_space(std::string_view text) {
  for (;;) {
    std::size_t last = text.size();
    do {
      if (last == 0) return text;
      --last;
    } while ((static_cast<unsigned char>(text[last]) & 0xC0) == 0x80);
    const std::u32string character = code_points(text.substr(last));
    if (character.size() != 1 || !is_space(character.front())) return text;
    text = text.substr(0, last);
  }
}

std::string sentence_lines(std::span<const std::string_view> sentences) {
  std::string lines;
  std::string_view before;  // the line so far
  std::size_t line = 0;     // where it begins
  for (std::size_t i = 0; i + 1 < sentences.size(); ++i) {
    lines += sentences[i];
    before = std::string_view(lines).substr(line);
    const std::string_view text = before.substr(0, before.size() - 1);
    if (before.ends_with(' ') && !text.empty() && understood_space(text) == " ") {
      lines.back() = '\n';
    } else if (understood_space(before).empty()) {
      lines += '\n';
    } else {
      continue;
    }
    line = lines.size();
  }
  if (!sentences.empty()) lines += sentences.back();
  return lines;
}

std::string SentenceLineWriter::next(std::string_view sentences, bool ended) {
  std::string text = separator_due_ ? "\n" : "";
  separator_due_ = !sentences.empty();
  text += sentences;
  if (ended) text += '\n';
  return text;
}

std::string SentenceLineJoiner::next(std::string_view line, bool ended) {
  std::string text;
  if (line.empty()) {
    text = "\n";
    started_ = false;
    return text;
  }
  if (started_) text = space_;
  text += line;
  started_ = true;
  ended_ = ended;
  space_ = understood_space(line);
  return text;
}

}  // namespace gloss
