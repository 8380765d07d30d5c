// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/run_program.h"
#include "tests/support/subword_model.h"
#include "tests/support/temporary_directory.h"

namespace gloss {
namespace {

struct DecodeCommand : testing::Test {
  DecodeCommand() {
    cat = folder.write("cat.model", cat_model());
    bytes = folder.write("bytes.model", cat_model(byte_pieces(), byte_fallback()));
  }

  static ProgramResult run(const std::string& command, std::vector<std::string> words,
                           const std::string& input) {
    words.insert(words.begin(), {kGlossBinary, command});
    return run_program(words, input);
  }
  static ProgramResult decode(const std::vector<std::string>& words, const std::string& input = "") {
    return run("decode", words, input);
  }

  TemporaryDirectory folder;
  std::string cat, bytes;
};

void expect_decode_message(const ProgramResult& result, int status, const std::string& part) {
  EXPECT_EQ(result.status, status);
  EXPECT_NE(result.errors.find(part), std::string::npos) << result.errors << "expected: " << part;
}

TEST_F(DecodeCommand, ReadsPiecesOrIds) {
  EXPECT_EQ(decode({"-t", cat}, "▁the ▁cat ▁sat .\n\n▁ xyz ▁cat").output, "the cat sat.\n\nxyz cat\n");
  EXPECT_EQ(decode({"-t", cat, "--input-type", "id"}, "6 11 25\n\n 6  11 \n").output,
            "the cat.\n\nthe cat\n");
  EXPECT_EQ(decode({"-t", cat}, "").output, "");
}

TEST_F(DecodeCommand, RestoresEncodedText) {
  // Every line that has no spaces to lose, no U+2581 and only valid bytes.
  std::string text;
  for (const std::string line :
       {"the cat sat on the mat.", "", "tab\tand <unk> <s> </s> <0x41> ⁇",
        "family 👨‍👩‍👧‍👦 flag 🇩🇪", "return \r inside", "cafe\xCC\x81",
        "line\xE2\x80\xA8separator\xC2\x85\f\v", "עברית 中文", "\xE2\x96\x85"}) {
    text += line + "\n";
  }
  text += std::string("a\0b\n", 4) + std::string(100'000, 'q') + "\n";
  for (const std::string type : {"piece", "id"}) {
    const std::string encoded = run("encode", {"-t", bytes, "--output-type", type}, text).output;
    EXPECT_TRUE(decode({"-t", bytes, "--input-type", type}, encoded).output == text);
  }
  // Without byte fallback pieces still hold the text that the model does not know.
  EXPECT_TRUE(decode({"-t", cat}, run("encode", {"-t", cat}, text).output).output == text);
}

TEST_F(DecodeCommand, NastyLinesGiveTheSameLinesForAnyThreads) {
  std::string text;
  for (int copies = 0; copies < 20; ++copies) {
    for (const std::string& line : nasty_lines()) text += line + "\n";
  }
  text.pop_back();
  const ProgramResult one = decode({"-t", bytes, "-j", "1"}, text);
  expect_decode_message(one, 0, "standard input:10: invalid UTF-8 was replaced by U+FFFD; 220 times");
  EXPECT_EQ(std::count(one.output.begin(), one.output.end(), '\n'),
            std::count(text.begin(), text.end(), '\n') + 1);
  EXPECT_TRUE(decode({"-t", bytes, "-j", "2"}, text).output == one.output);
  EXPECT_TRUE(decode({"-t", bytes, "-j", "4"}, text).output == one.output);
}

TEST_F(DecodeCommand, StaysOneLineWhenPiecesMakeALineEnd) {
  EXPECT_EQ(decode({"-t", bytes}, "▁the <0x0A> ▁cat\n").output, "the  cat\n");
}

TEST_F(DecodeCommand, NamesTheFirstBadLine) {
  std::string ids;
  for (int i = 0; i < 5000; ++i) ids += "6 11\n";
  const ProgramResult result =
      decode({"-t", cat, "--input-type", "id", "-j", "4"}, ids + "6 27\n" + ids + "x\n");
  expect_decode_message(result, 3, "standard input:5001: id 27");
  EXPECT_EQ(std::count(result.output.begin(), result.output.end(), '\n'), 5000);
  expect_decode_message(decode({"-t", cat, "--input-type", "id"}, "6\n-1\n"), 3, "standard input:2: id -1");
  expect_decode_message(decode({"-t", cat, "--input-type", "id"}, "6 ▁the\n"), 3,
                        "standard input:1: found '▁the'");
  expect_decode_message(decode({"-t", cat, "--input-type", "id"}, "99999999999999999999\n"), 3,
                        "standard input:1: found '999");
}

TEST_F(DecodeCommand, NamesMistakes) {
  expect_decode_message(decode({}), 2, "--tokenizer FILE");
  expect_decode_message(decode({"-t", cat, "--input-typ", "id"}), 2, "did you mean '--input-type'?");
  expect_decode_message(decode({"-t", folder / "missing.model"}), 3, "missing.model");
  expect_decode_message(decode({"-t", folder.write("random.model", "\x01\x02\x03\x04\x05")}), 3,
                        "random.model");
  expect_decode_message(decode({"-t", cat, "-o", folder / "no/folder/out"}, "the\n"), 1, "cannot write");
}

}  // namespace
}  // namespace gloss
