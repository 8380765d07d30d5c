// SPDX-License-Identifier: Apache-2.0

#include "tokenizer/sentences/line_characters.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "tokenizer/characters.h"

namespace gloss {
namespace {

TEST(LineCharacters, KnowTheirBytes) {
  Random random(3);
  const std::vector<std::string> parts{"a", "ü",           "犬", "🎉", "\xFF", "\xE7\x8A", "\xF0\x9F\x8E",
                                       " ", "\xEF\xBF\xBD"};
  for (int round = 0; round < 300; ++round) {
    std::string line;
    for (auto left = random.below(100); left > 0; --left) line += parts[random.below(parts.size())];
    const LineCharacters characters(line);
    const std::u32string expected = code_points(line);
    ASSERT_EQ(characters.size(), expected.size());
    std::string joined;
    for (std::size_t at = 0; at < expected.size(); ++at) {
      EXPECT_EQ(characters[at], expected[at]);
      const std::string_view bytes = characters.text(at, at + 1);
      EXPECT_EQ(code_points(bytes), std::u32string(1, expected[at]));
      EXPECT_EQ(characters.byte(at), joined.size());
      joined += bytes;
    }
    EXPECT_EQ(joined, line);
    EXPECT_EQ(characters.byte(expected.size() + 1), line.size());
  }
}

}  // namespace
}  // namespace gloss
