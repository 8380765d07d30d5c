// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/listener.h"
#include "tests/support/subword_model.h"
#include "tokenizer/characters.h"
#include "tokenizer/subword.h"
#include "tokenizer/text.h"

namespace gloss {

using Strings = std::vector<std::string>;

inline Strings sentences() {
  Strings lines;
  for (const char* who : {"the cat", "a child", "der Mann", "die Bäckerin", "3 birds"}) {
    for (const char* what : {"sees", "hears", "follows", "grüßt"}) {
      for (const char* whom : {"the mouse", "a ball", "den Schlüssel", "his brother", "12 umbrellas"}) {
        lines.push_back(std::string(who) + " " + what + " " + whom + ".");
      }
    }
  }
  return lines;
}

inline Subwords learn(const Strings& lines, const SubwordSettings& settings, Listener& listener,
                      int threads = 1) {
  std::size_t next = 0;
  return learn_subwords(
      [&](std::string& line) { return next < lines.size() && (line = lines[next++], true); }, settings,
      threads, listener);
}

inline Subwords learn(VocabularyType type, int size, const Strings& lines = sentences(),
                      const Strings& symbols = {}) {
  SubwordSettings settings;
  settings.type = type;
  settings.size = size;
  settings.user_symbols = symbols;
  Listener listener;
  return learn(lines, settings, listener);
}

inline std::string refusal(const SubwordSettings& settings, const Strings& lines = sentences()) {
  Listener listener;
  try {
    learn(lines, settings, listener);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

/// Lines of valid UTF-8 that break careless programs, and lines of random characters.
inline Strings hard_lines() {
  Strings lines;
  for (const std::string& line : nasty_lines()) lines.push_back(clean_text(line, Normalization::none).text);
  Random random(7);
  for (int i = 0; i < 300; ++i) {
    std::string line;
    for (std::uint64_t length = random.below(30); length > 0; --length) {
      constexpr char32_t kEnds[] = {0x80, 0x180, 0x800, 0x3000, 0x10000, 0x110000};
      const auto character = static_cast<char32_t>(random.below(kEnds[random.below(6)]));
      const bool surrogate = character >= 0xD800 && character < 0xE000;
      append_utf8(line, surrogate || character == '\n' ? U' ' : character);
    }
    lines.push_back(line);
  }
  return lines;
}

inline void expect_exact(const Subwords& subwords, const std::string& line) {
  const std::vector<int> ids = subwords.encode(line);
  for (const int id : ids) ASSERT_NE(id, subwords.unknown_id()) << line;
  ASSERT_TRUE(subwords.decode(ids) == line) << line.substr(0, 80);
  ASSERT_TRUE(subwords.decode_pieces(subwords.encode_pieces(line)) == line) << line.substr(0, 80);
}

}  // namespace gloss
