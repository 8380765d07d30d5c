// SPDX-License-Identifier: Apache-2.0

#include "base/shown.h"

#include <gtest/gtest.h>

#include "base/text.h"
#include "base/utf8.h"
#include "tests/support/has.h"

namespace gloss {
namespace {

TEST(Shown, ShortTextsAreWhole) {
  EXPECT_EQ(shown(""), "''");
  EXPECT_EQ(shown("a b"), "'a b'");
  EXPECT_EQ(without_middle("a message"), "a message");
}

TEST(Shown, OfLongTextsTheStartAndTheSize) {
  const std::string text = shown(std::string(40'000, 'x'));
  EXPECT_LT(text.size(), 200u);
  EXPECT_TRUE(text.starts_with("'xxxxx") && has(text, "40000 bytes")) << text;
}

TEST(Shown, CutsNoCharacters) {
  for (std::size_t before = 0; before < 4; ++before) {
    std::string text(before, 'a');
    for (int i = 0; i < 5'000; ++i) text += "ä€";
    EXPECT_TRUE(is_valid_utf8(shown(text)));
    const std::string message = without_middle(text + "end");
    EXPECT_TRUE(is_valid_utf8(message));
    EXPECT_LT(message.size(), 4'100u);
    EXPECT_TRUE(message.ends_with("end"));
  }
}

}  // namespace
}  // namespace gloss
