// SPDX-License-Identifier: Apache-2.0

#include "base/terminal_text.h"

#include <gtest/gtest.h>

namespace gloss {
namespace {

TEST(TerminalText, KeepsText) {
  for (const std::string text : {"", "plain \\ text", "Größe ▁x 漢字 😀", "مرحبا שלום", "e\u0301 \u200D"}) {
    EXPECT_EQ(terminal_text(text), text);
  }
}

TEST(TerminalText, EscapesWhatATerminalObeys) {
  EXPECT_EQ(terminal_text("\x1b[2J\x1b]0;title\x07"), "\\x1b[2J\\x1b]0;title\\x07");
  EXPECT_EQ(terminal_text("a\r\nwhole\tb\x7f"), "a\\x0d\\x0awhole\\x09b\\x7f");
  EXPECT_EQ(terminal_text("\u009b2J"), "\\x9b2J") << "the control sequence introducer in one character";
  EXPECT_EQ(terminal_text("a\u202Eb\u2066c\u2028d\u200Fe"), "a\\u202eb\\u2066c\\u2028d\\u200fe");
  EXPECT_EQ(terminal_text("\xff\xe2\x82z\x9b"), "\\xff\\xe2\\x82z\\x9b") << "invalid UTF-8";
  EXPECT_EQ(terminal_text(std::string("\0x", 2)), "\\x00x");
}

}  // namespace
}  // namespace gloss
