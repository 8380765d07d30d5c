// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>

#include "tests/support/run_program.h"
#include "tests/support/subword_model.h"
#include "tests/support/temporary_directory.h"

namespace gloss {
namespace {

std::string text() {
  std::string lines;
  for (const char* who : {"the cat", "the dog", "a child", "an old woman", "the bird"}) {
    for (const char* what : {"sees", "hears", "follows", "carries", "likes"}) {
      for (const char* whom : {"the mouse", "a ball", "the garden", "his brother", "an umbrella"}) {
        lines += std::string(who) + " " + what + " " + whom + ".\n";
      }
    }
  }
  return lines;
}

/// Runs `gloss vocab` with further words.
ProgramResult vocab(std::vector<std::string> words, const std::string& input = "") {
  words.insert(words.begin(), {kGlossBinary, "vocab"});
  return run_program(words, input);
}

void expect_vocab_message(const ProgramResult& result, int status, const std::string& part) {
  EXPECT_EQ(result.status, status);
  EXPECT_NE(result.errors.find(part), std::string::npos) << result.errors << "expected: " << part;
  EXPECT_EQ(result.output, "");
}

TEST(Vocab, LearnsFromFilesAndStandardInputAlike) {
  const TemporaryDirectory folder;
  const std::string all = text();
  const std::size_t half = all.find('\n', all.size() / 2) + 1;
  const std::string first = folder.write("first.txt", all.substr(0, half));
  const std::string second = folder.write("second.txt", all.substr(half));
  const ProgramResult files =
      vocab({"--input", first, second, "--size", "80", "--output", folder / "files.model"});
  EXPECT_EQ(files.status, 0) << files.errors;
  EXPECT_EQ(files.output, "");
  EXPECT_EQ(files.errors, "gloss vocab: read 125 lines, 0 of them blank\ngloss vocab: wrote 80 pieces to " +
                              (folder / "files.model") + "\n");
  EXPECT_EQ(vocab({"--size", "80", "-o", folder / "stdin.model", "-q"}, all).errors, "");
  EXPECT_FALSE(folder.read("files.model").empty());
  EXPECT_EQ(folder.read("stdin.model"), folder.read("files.model"));
}

TEST(Vocab, LearnsFromNastyLines) {
  const TemporaryDirectory folder;
  std::string input = text();
  for (const std::string& line : nasty_lines()) input += line + "\n";
  input.pop_back();
  const ProgramResult result =
      vocab({"--size", "250", "--byte-fallback", "--output", folder / "x.model"}, input);
  expect_vocab_message(result, 3, "ask for at least");
  const ProgramResult larger =
      vocab({"--size", "400", "--byte-fallback", "--output", folder / "x.model"}, input);
  EXPECT_EQ(larger.status, 0);
  EXPECT_NE(larger.errors.find("11"), std::string::npos) << larger.errors;
  EXPECT_NE(larger.errors.find("U+FFFD"), std::string::npos) << larger.errors;
  EXPECT_NE(larger.errors.find("tabs, NUL and U+2585"), std::string::npos) << larger.errors;
  EXPECT_NE(larger.errors.find("read 148 lines, 5 of them blank"), std::string::npos) << larger.errors;
}

TEST(Vocab, UserSymbolsAndSampling) {
  const TemporaryDirectory folder;
  const ProgramResult result = vocab({"--size", "60", "--user-symbol", "<a>", "<b>", "--user-symbol", "<c>",
                                      "--sample-lines", "50", "--seed", "3", "--output", folder / "x.model"},
                                     text());
  expect_vocab_message(result, 0, "random sample of 50 of 125 lines");
  const ProgramResult encoded =
      run_program({kGlossBinary, "encode", "-t", folder / "x.model"}, "the<b><c>\n");
  EXPECT_NE(encoded.output.find(" <b> <c>\n"), std::string::npos) << encoded.output;
}

TEST(Vocab, EveryTypeIsEncodedAndDecoded) {
  const TemporaryDirectory folder;
  const std::string model = folder / "x.model";
  std::string nasty;
  for (const std::string& line : nasty_lines()) nasty += line + "\n";
  const auto encode = [&](const std::string& input, std::vector<std::string> more = {}) {
    std::vector<std::string> words{kGlossBinary, "encode", "-t", model};
    words.insert(words.end(), more.begin(), more.end());
    return run_program(words, input);
  };
  const auto decode = [&](const std::string& input, const std::string& type) {
    return run_program({kGlossBinary, "decode", "-t", model, "--input-type", type}, input).output;
  };
  struct Case {
    std::string type, size, words;  // type, requested size, expected message
  };
  for (const Case& one :
       {Case{"bpe", "80", "wrote 80 pieces"}, Case{"unigram", "38", "wrote 38 pieces"},
        Case{"char", "8000", "wrote 24 pieces"}, Case{"byte-bpe", "300", "wrote 300 pieces"}}) {
    expect_vocab_message(vocab({"--type", one.type, "--size", one.size, "-o", model}, text()), 0, one.words);
    EXPECT_EQ(decode(encode(text()).output, "piece"), text()) << one.type;
    EXPECT_EQ(decode(encode(text(), {"--output-type", "id"}).output, "id"), text()) << one.type;
    const ProgramResult sampled = encode(text(), {"--bpe-dropout", "0.4"});
    if (one.type == "unigram" || one.type == "char") {
      expect_vocab_message(sampled, 3, "BPE dropout needs a BPE model");
    } else {
      EXPECT_EQ(decode(sampled.output, "piece"), text()) << one.type;
      EXPECT_NE(sampled.output, encode(text()).output);
      EXPECT_EQ(encode(text(), {"--bpe-dropout", "0.4", "-j", "3"}).output, sampled.output);
    }
  }
  // With byte-bpe, the last type, all valid UTF-8 is restored byte for byte.
  const std::string clean = run_program({kGlossBinary, "decode", "-t", model}, encode(nasty).output).output;
  EXPECT_EQ(std::count(clean.begin(), clean.end(), '\n'), static_cast<std::ptrdiff_t>(nasty_lines().size()));
  EXPECT_NE(clean.find("  the  cat  \n"), std::string::npos);
  EXPECT_TRUE(decode(encode(clean).output, "piece") == clean);
}

TEST(Vocab, ExtendsAModel) {
  const TemporaryDirectory folder;
  const std::string model = folder / "x.model", more = folder / "more.model";
  vocab({"--type", "char", "-o", model}, text());
  const auto extend = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {kGlossBinary, "vocab", "--extend", model});
    return run_program(words);
  };
  const ProgramResult result = extend({"--add-symbols", "<he>", "at", "-o", more});
  expect_vocab_message(result, 0, "'at' has the id 25, and was a t");
  expect_vocab_message(result, 0, "wrote 26 pieces");
  EXPECT_EQ(run_program({kGlossBinary, "encode", "-t", more}, "the cat<he>\n").output, "t h e ▁ c at <he>\n");
  EXPECT_EQ(run_program({kGlossBinary, "encode", "-t", more, "--output-type", "id"}, "<he>\n").output,
            "24\n");
  expect_vocab_message(extend({"--add-symbols", "a", "-o", more}), 2, "'a'");
  expect_vocab_message(extend({"-o", more}), 2, "--extend MODEL and --add-symbols SYMBOL... together");
  expect_vocab_message(vocab({"--add-symbols", "a", "-o", more}, text()), 2,
                       "--extend MODEL and --add-symbols");
  expect_vocab_message(extend({"--add-symbols", "x", "--byte-fallback", "-o", more}), 2,
                       "--byte-fallback is for learning");
  expect_vocab_message(run_program({kGlossBinary, "vocab", "--extend", folder.write("bad", "no model"),
                                    "--add-symbols", "x", "-o", folder / "none"}),
                       3, "bad");
  EXPECT_FALSE(std::filesystem::exists(folder / "none"));
}

TEST(Vocab, NamesMistakes) {
  const TemporaryDirectory folder;
  const std::string model = folder / "x.model";
  expect_vocab_message(vocab({"--size", "80"}, text()), 2, "--output FILE");
  expect_vocab_message(vocab({"--sise", "80", "-o", model}), 2, "did you mean '--size'?");
  expect_vocab_message(vocab({"--size", "two", "-o", model}), 2, "--size");
  expect_vocab_message(vocab({"--character-coverage", "0.5", "-o", model}), 2, "--character-coverage");
  expect_vocab_message(vocab({"--user-symbol", "a b", "-o", model}, text()), 2, "'a b'");
  expect_vocab_message(vocab({"-i", folder / "missing.txt", "-o", model}), 3, "missing.txt");
  expect_vocab_message(vocab({"-o", model}, ""), 3, "nothing to learn a vocabulary from");
  expect_vocab_message(vocab({"-o", model}, "\n \n\n"), 3, "all 3 lines of the text are empty or blank");
  expect_vocab_message(vocab({"--size", "5000", "-o", model}, text()), 3, "ask for at most ");
  expect_vocab_message(vocab({"--type", "letters", "-o", model}, text()), 2,
                       "bpe, unigram, char, byte-bpe, word");
  expect_vocab_message(vocab({"--type", "byte-bpe", "--size", "200", "-o", model}, text()), 2,
                       "ask for at least 259");
  expect_vocab_message(vocab({"--type", "byte-bpe", "--byte-fallback", "-o", model}, text()), 2,
                       "leave out the byte fallback");
  expect_vocab_message(vocab({"--type", "byte-bpe", "--size", "9000", "-o", model}, text()), 3,
                       "ask for at most ");
  expect_vocab_message(vocab({"--type", "char", "--size", "10", "-o", folder / "warned.model"}, text()), 0,
                       "rarest of 20 characters");
  std::filesystem::remove(folder / "warned.model");
  expect_vocab_message(vocab({"--size", "10", "-o", model}, text()), 3, "ask for at least ");
  EXPECT_EQ(folder.read("x.model"), "");
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(Vocab, NoticesAnUnwritableOutputBeforeItReads) {
  const TemporaryDirectory folder;
  const std::string missing = folder / "missing.txt";
  expect_vocab_message(vocab({"-o", folder / "no/folder/x.model"}, text()), 1, "cannot write");
  expect_vocab_message(vocab({"-o", folder.path()}, text()), 1, "it is a directory");
  EXPECT_EQ(vocab({"-o", folder / "no/folder/x.model"}, text()).errors.find("read 125 lines"),
            std::string::npos);
}

}  // namespace
}  // namespace gloss
