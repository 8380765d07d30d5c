// SPDX-License-Identifier: Apache-2.0

#include "pipeline/reading/indexed_lines.h"

#include <gtest/gtest.h>

#include "base/index.h"
#include "base/random.h"
#include "tests/support/heard_listener.h"
#include "tests/support/temporary_directory.h"

namespace gloss {
namespace {

struct IndexedLinesTest : testing::Test {
  /// Reads all blocks and compares them with the lines of `text`.
  void expect_lines(const std::string& text, std::size_t longest) {
    const std::string path = folder.write("text", text);
    const IndexedLines indexed(path, folder.path(), heard, static_cast<std::int64_t>(longest));
    std::vector<std::string> expected;
    std::string line;
    for (std::size_t at = 0; at < text.size(); at += line.size() + 1) {
      line = text.substr(at, text.find('\n', at) - at);
      expected.push_back(line);
    }
    ASSERT_EQ(indexed.lines(), std::ssize(expected));
    std::size_t number = 0;
    for (std::int64_t i = 0; i < indexed.blocks(); ++i) {
      const LineBlock block = indexed.read(i);
      auto too_long = block.too_long.begin();
      for (std::size_t j = 0; j < block.lines.size(); ++j, ++number) {
        ASSERT_LT(number, expected.size());
        const bool marked = too_long != block.too_long.end() && *too_long == j;
        ASSERT_EQ(marked, expected[number].size() > longest) << "line " << number + 1;
        ASSERT_EQ(block.lines[j], marked ? "" : expected[number]) << "line " << number + 1;
        if (marked) ++too_long;
      }
      EXPECT_EQ(too_long, block.too_long.end());
    }
    EXPECT_EQ(number, expected.size());
  }
  TemporaryDirectory folder;
  HeardListener heard;
};

TEST_F(IndexedLinesTest, LongLinesAreMarkedAndNotRead) {
  expect_lines("", 4);
  expect_lines("\n", 4);
  expect_lines("12345", 4);
  expect_lines("1234\n12345\n\n123456\n1", 4);
  expect_lines("12345\n12345\n12345\n", 4);
  expect_lines("1\n12345", 4);
}

TEST_F(IndexedLinesTest, LongLinesAreFoundAtAnyPlace) {
  Random random(1);
  for (int round = 0; round < 20; ++round) {
    std::string text;
    for (int line = 0; line < 700; ++line) {
      const std::size_t size = random.below(9) == 0 ? random.below(300) : random.below(90);
      text += std::string(size, static_cast<char>('a' + line % 26)) + "\n";
    }
    if (round % 2 == 0) text.pop_back();
    expect_lines(text, 80);
  }
}

TEST_F(IndexedLinesTest, ALineLargerThanTheFilesChunksIsSkipped) {
  const std::string huge(5 << 20, 'x');
  expect_lines("a\n" + huge + "\nb\n" + huge, 1000);
  expect_lines(huge + "\n" + huge + "\nc\n", 4 << 20);
  expect_lines(huge + "\nc\n", 6 << 20);
}

}  // namespace
}  // namespace gloss
