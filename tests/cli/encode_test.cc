// SPDX-License-Identifier: Apache-2.0

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>

#include "base/index.h"
#include "tests/support/run_program.h"
#include "tests/support/shared_data.h"
#include "tests/support/subword_model.h"
#include "tests/support/temporary_directory.h"

namespace gloss {
namespace {

/// A folder with the models cat.model and bytes.model.
struct EncodeCommand : testing::Test {
  EncodeCommand() {
    cat = folder.write("cat.model", cat_model());
    bytes = folder.write("bytes.model", cat_model(byte_pieces(), byte_fallback()));
  }

  static ProgramResult encode(std::vector<std::string> words, const std::string& input = "") {
    words.insert(words.begin(), {kGlossBinary, "encode"});
    return run_program(words, input);
  }

  TemporaryDirectory folder;
  std::string cat, bytes;
};

void expect_encode_message(const ProgramResult& result, int status, const std::string& part) {
  EXPECT_EQ(result.status, status);
  EXPECT_NE(result.errors.find(part), std::string::npos) << result.errors << "expected: " << part;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

TEST_F(EncodeCommand, WritesPiecesOrIds) {
  const std::string text = "the cat sat on the mat.\n\n   \nxyz cat";
  const ProgramResult pieces = encode({"-t", cat}, text);
  EXPECT_EQ(pieces.output, "▁the ▁cat ▁sat ▁on ▁the ▁mat .\n\n\n▁ xyz ▁cat\n");
  EXPECT_EQ(pieces.errors, "");
  EXPECT_EQ(pieces.status, 0);
  EXPECT_EQ(encode({"--tokenizer", cat, "--output-type", "id"}, text).output,
            "6 11 12 14 6 9 25\n\n\n15 0 11\n");
  EXPECT_EQ(encode({"-t", cat}, "").output, "");
  EXPECT_EQ(encode({"-t", cat}, "\n").output, "\n");
}

TEST_F(EncodeCommand, ReadsAndWritesFiles) {
  const std::string input = folder.write("in.txt", "the cat\n");
  EXPECT_EQ(encode({"-t", cat, "-i", input, "-o", folder / "out.txt"}).output, "");
  EXPECT_EQ(folder.read("out.txt"), "▁the ▁cat\n");
  EXPECT_EQ(encode({"-t", cat, "-i", input, "-o", "-"}).output, "▁the ▁cat\n");
  EXPECT_EQ(encode({"-t", cat, "-i", input, "-o", input}).status, 2);
  EXPECT_EQ(folder.read("in.txt"), "the cat\n");
  const ProgramResult closed =
      run_program({"/bin/sh", "-c", "exec \"$0\" encode -t \"$1\" -i \"$2\" -o \"$3\" 2>&-", kGlossBinary,
                   cat, folder.write("again.txt", "the cat\n"), folder / "closed.txt"});
  EXPECT_EQ(closed.status, 0);
  EXPECT_EQ(folder.read("closed.txt"), "▁the ▁cat\n") << "the file must not take the place of standard error";
}

TEST_F(EncodeCommand, NormalizesWhenAsked) {
  EXPECT_EQ(encode({"-t", cat}, "u\xCC\x88\n").output, "▁ u\xCC\x88\n");
  EXPECT_EQ(encode({"-t", cat, "--normalization", "nfc"}, "u\xCC\x88\n").output, "▁ ü\n");
  EXPECT_EQ(encode({"-t", cat, "--normalization", "nfkc"}, "ｃａｔ\n").output, "▁cat\n");
}

TEST_F(EncodeCommand, NastyLinesGiveTheSameLinesForAnyThreads) {
  std::vector<std::string> lines = nasty_lines();
  for (int i = 0; i < 3000; ++i) lines.push_back("the cat " + std::to_string(i));
  std::string text = joined(lines);
  text.pop_back();
  for (const std::string& model : {cat, bytes}) {
    for (const std::string type : {"piece", "id"}) {
      const ProgramResult one = encode({"-t", model, "-j", "1", "--output-type", type}, text);
      EXPECT_EQ(one.status, 0);
      EXPECT_EQ(std::count(one.output.begin(), one.output.end(), '\n'), static_cast<long>(lines.size()));
      expect_encode_message(one, 0, "standard input:10: invalid UTF-8 was replaced by U+FFFD; 11 times");
      EXPECT_TRUE(encode({"-t", model, "-j", "2", "--output-type", type}, text).output == one.output);
      EXPECT_TRUE(encode({"-t", model, "-j", "4", "--output-type", type}, text).output == one.output);
    }
  }
}

TEST_F(EncodeCommand, DropoutDependsOnSeedAndLineNumberOnly) {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += "the cat sat on the mat.\n";
  const auto sampled = [&](const std::string& seed, const std::string& threads) {
    return encode({"-t", cat, "--bpe-dropout", "0.2", "--seed", seed, "-j", threads}, text).output;
  };
  const std::string one = sampled("1", "1");
  EXPECT_TRUE(sampled("1", "4") == one);
  EXPECT_FALSE(sampled("2", "1") == one);
  EXPECT_NE(one.substr(0, one.size() / 2), one.substr(one.size() / 2));
  EXPECT_EQ(encode({"-t", cat, "--bpe-dropout", "1"}, "the cat\n").output, "▁ t h e ▁ c a t\n");
  expect_encode_message(encode({"-t", cat, "--bpe-dropout", "1.5"}, text), 2, "--bpe-dropout");
}

TEST_F(EncodeCommand, NamesMistakes) {
  expect_encode_message(encode({}), 2, "--tokenizer FILE");
  expect_encode_message(encode({"--tokeniser", cat}), 2, "did you mean '--tokenizer'?");
  expect_encode_message(encode({"-t", cat, "--output-type", "word"}), 2, "--output-type");
  expect_encode_message(encode({"-t", folder / "missing.model"}), 3, "missing.model");
  expect_encode_message(encode({"-t", folder.write("empty.model", "")}), 3, "empty.model is empty");
  expect_encode_message(encode({"-t", folder.path()}), 3, "is a directory");
  expect_encode_message(encode({"-t", folder.write("cut.model", cat_model().substr(0, 100))}), 3,
                        "cut.model: ");
  expect_encode_message(encode({"-t", folder.write("text.model", "some text\n")}), 3, "text.model");
  expect_encode_message(encode({"-t", cat, "-i", folder / "missing.txt"}), 3, "missing.txt");
  expect_encode_message(encode({"-t", cat, "-o", folder / "no/folder/out"}, "the\n"), 1, "cannot write");
}

TEST_F(EncodeCommand, AnswersASlowStreamLineByLine) {
  support::Pipe in, out;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in.read_end, 0);
  posix_spawn_file_actions_adddup2(&actions, out.write_end, 1);
  std::string binary = kGlossBinary, command = "encode", option = "-t" + cat;
  char* arguments[] = {binary.data(), command.data(), option.data(), nullptr};
  pid_t child = 0;
  ASSERT_EQ(posix_spawn(&child, kGlossBinary, &actions, nullptr, arguments, environ), 0);
  posix_spawn_file_actions_destroy(&actions);
  const auto answer = [&] {
    pollfd end{out.read_end, POLLIN, 0};
    if (poll(&end, 1, 20'000) <= 0) return std::string("no answer");
    char buffer[100];
    return std::string(buffer, index(read(out.read_end, buffer, sizeof buffer)));
  };
  ASSERT_EQ(write(in.write_end, "the cat\n", 8), 8);
  EXPECT_EQ(answer(), "▁the ▁cat\n");
  ASSERT_EQ(write(in.write_end, "on the", 6), 6);
  ASSERT_EQ(write(in.write_end, " mat\nthe", 8), 8);
  EXPECT_EQ(answer(), "▁on ▁the ▁mat\n");
  support::Pipe::close_end(in.write_end);
  EXPECT_EQ(answer(), "▁the\n");
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST_F(EncodeCommand, EndsSilentlyWhenThePipeIsClosed) {
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += "the cat sat on the mat.\n";
  const std::string input = folder.write("long.txt", text);
  const std::string command = "(" + std::string(kGlossBinary) + " encode -t " + cat + " -i " + input +
                              "; echo status $? >&2) | head -n 1";
  const ProgramResult result = run_program({"/bin/sh", "-c", command});
  EXPECT_EQ(result.output, "▁the ▁cat ▁sat ▁on ▁the ▁mat .\n");
  EXPECT_EQ(result.errors, "status 0\n");
}

TEST_F(EncodeCommand, EqualsSpmEncodeOnMulti30k) {
  GLOSS_NEED_SHARED_DATA(data, "multi30k/raw/train.de");
  const std::string spm_encode = "/usr/bin/spm_encode";
  if (!std::filesystem::exists(spm_encode)) {
    GTEST_SKIP() << "SKIPPED: spm_encode is missing (Debian package sentencepiece)";
  }
  const std::string model = folder / "m30k.model";
  ASSERT_EQ(run_program({kGlossBinary, "vocab", "-q", "-i", *data, "--size", "4000", "-o", model}).status, 0);
  const ProgramResult ours = encode({"-t", model, "-i", *data});
  EXPECT_TRUE(ours.output == run_program({spm_encode, "--model=" + model, "--input=" + *data}).output);
  const ProgramResult back = run_program({kGlossBinary, "decode", "-t", model}, ours.output);
  EXPECT_TRUE(run_program({kGlossBinary, "encode", "-t", model}, back.output).output == ours.output);
}

}  // namespace
}  // namespace gloss
