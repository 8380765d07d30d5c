// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <algorithm>

#include "base/text.h"
#include "tests/support/untrained_translation.h"

namespace gloss {
namespace {

ProgramResult run_split(std::vector<std::string> words, const std::string& input = "") {
  words.insert(words.begin(), {kGlossBinary, "split"});
  return run_program(words, input);
}

TEST(SplitCommand, WritesSentencesAndJoinsThem) {
  const std::string text = "Dr. Hill left. She stayed.  It rained.\n\nNo end";
  const ProgramResult sentences = run_split({"--language", "en"}, text);
  EXPECT_EQ(sentences.output, "Dr. Hill left.\nShe stayed.  \nIt rained.\n\n\nNo end");
  EXPECT_EQ(sentences.status, 0);
  EXPECT_EQ(sentences.errors, "");
  EXPECT_EQ(run_split({"--join"}, sentences.output).output, text);
  EXPECT_EQ(run_split({"-l", "en", "--flat"}, text).output,
            "Dr. Hill left.\nShe stayed.  \nIt rained.\nNo end\n");
}

TEST(SplitCommand, RestoresAllBytes) {
  std::string text = "\xEF\xBB\xBF First.\r\nSecond. Third.\r\n";
  for (int i = 0; i < 20'000; ++i)
    text += concat("Line ", i, ". It ends\tso\xFF. ", std::string(1, '\0'), "\n");
  for (const char* threads : {"1", "3"}) {
    const std::string sentences = run_split({"-l", "en", "-q", "--threads", threads}, text).output;
    EXPECT_GT(sentences.size(), text.size());
    EXPECT_EQ(run_split({"--join", "-q"}, sentences).output, text);
  }
  EXPECT_EQ(run_split({}, "").output, "");
  EXPECT_EQ(run_split({"--join"}, "").output, "");
}

TEST(SplitCommand, DividesLongSentences) {
  const std::string text = "one two three; four five six\n";
  EXPECT_EQ(run_split({"--max-characters", "20"}, text).output, "one two three;\nfour five six\n");
  EXPECT_EQ(run_split({"--max-characters", "0"}, text).output, text);
}

TEST(SplitCommand, ReadsRulesAndFiles) {
  const TemporaryDirectory folder;
  const std::string text = folder.write("text", "See Spl. Nine. Go.\n"),
                    rules = folder.write("rules", "title Spl.\n");
  EXPECT_EQ(run_split({"-l", "en", "--rules", rules, text}).output, "See Spl. Nine.\nGo.\n");
  EXPECT_EQ(run_split({"-l", "en", "-i", text, "-o", folder / "out"}).status, 0);
  EXPECT_EQ(folder.read("out"), "See Spl.\nNine.\nGo.\n");
}

TEST(SplitCommand, NamesMistakes) {
  const TemporaryDirectory folder;
  const std::string wrong = folder.write("rules", "title Dr.\nabbrev etc.\n");
  expect_failed(run_split({"-l", "english"}), 2, "'english'");
  expect_failed(run_split({"-l", "english"}), 2, "--language");
  expect_failed(run_split({"--rules", wrong}), 3, "rules:2");
  expect_failed(run_split({"--rules", folder / "none"}), 3, "none");
  expect_failed(run_split({folder / "none"}), 3, "none");
  expect_failed(run_split({"--join", "--flat"}), 2, "--flat");
  expect_failed(run_split({"--join", "-l", "en"}), 2, "--language");
  expect_failed(run_split({wrong, wrong}), 2, "rules");
  expect_failed(run_split({"--max-line-bytes", "8"}, "0123456789\n"), 3, "standard input:1");
}

struct SplitTranslation : UntrainedTranslation {};

TEST_F(SplitTranslation, IsThatOfTheSentences) {
  const std::string apart = translate("The small dog sees a house.\nA dog walks.\nHome?\n", {"-q"}).output;
  std::string joined = apart;
  std::replace(joined.begin(), joined.end() - 1, '\n', ' ');
  const std::string text = "The small dog sees a house. A dog walks. Home?\n";
  for (const char* batch : {"1", "32"}) {
    const ProgramResult split = translate(text, {"--split", "--split-language", "en", "--batch-size", batch});
    EXPECT_EQ(split.output, joined);
    EXPECT_EQ(split.errors.find("several sentences"), std::string::npos) << split.errors;
  }
  const ProgramResult in_json = translate(text, {"--split", "--format", "json"});
  EXPECT_EQ(nlohmann::json::parse(in_json.output)["translations"][0]["text"].get<std::string>() + "\n",
            joined);
}

TEST_F(SplitTranslation, IsRecommendedOnce) {
  const ProgramResult whole = translate("A dog walks. Home?\nA dog.\nA dog. Home.\n", {});
  EXPECT_NE(whole.errors.find("--split"), std::string::npos) << whole.errors;
  EXPECT_NE(whole.errors.find("2 times on 2 lines"), std::string::npos) << whole.errors;
  EXPECT_EQ(translate("A dog walks.\nHome?\n", {}).errors.find("--split"), std::string::npos);
}

TEST_F(SplitTranslation, ExcludesWhatSpeaksOfOneSentence) {
  expect_excluded(*this, {{"--n-best", "2"}, {"--prefix"}, {"--word-scores"}, {"--alignment", "hard"}},
                  {"--split"});
  expect_failed(translate("A dog.\n", {"--split-language", "en"}), 2, "--split");
  expect_failed(translate("A dog.\n", {"--split-language", "en"}), 2, "--format");
  expect_failed(translate("A dog.\n", {"--split-rules", "x"}), 2, "--split-rules");
  expect_failed(translate("A dog.\n", {"--split", "--split-language", "english"}), 2, "'english'");
  expect_failed(translate("A dog.\n", {"--split", "--split-language", "english"}), 2, "--split-language");
}

}  // namespace
}  // namespace gloss
