// SPDX-License-Identifier: Apache-2.0

#include "pipeline/pages/page.h"

#include <gtest/gtest.h>

namespace gloss {
namespace {

TEST(PrintableText, IsolatesTextThatTurnsWhatFollows) {
  EXPECT_EQ(printable_text("abc עברית"), "abc עברית") << "letters need no isolation";
  EXPECT_EQ(printable_text("a\u202Eb"), "\u2068a\u202Eb\u2069");
  EXPECT_EQ(printable_text("a\u2067b\u2066c"), "\u2068a\u2067b\u2066c\u2069\u2069\u2069");
  EXPECT_EQ(printable_text("\u2067b\u2069c"), "\u2068\u2067b\u2069c\u2069");
  // An end without a beginning would end the isolation around the text.
  EXPECT_EQ(printable_text("a\u2069\u202Eb"), "\u2068a\uFFFD\u202Eb\u2069");
  EXPECT_EQ(printable_text("a\u2069b"), "a\uFFFDb");
  EXPECT_EQ(printable_text("a\u202E\u2029b"), "\u2068a\u202E\uFFFDb\u2069") << "a new paragraph would end it";
}

}  // namespace
}  // namespace gloss
