// SPDX-License-Identifier: Apache-2.0
// gloss finetune --task answer, gloss answer and gloss evaluate --task answer through the real binary.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "base/text.h"
#include "tests/cli/train_command.h"
#include "tests/support/has.h"
#include "tests/support/subword_model.h"

namespace gloss {
namespace {

/// Stories of people who go from place to place.
struct AnswerCommand : TrainCommand {
  AnswerCommand() {
    folder.write("train", stories(400, 1));
    folder.write("valid", stories(60, 2));
  }
  /// Lines with stories of two to six sentences, a question and the answer.
  static std::string stories(int lines, std::uint64_t seed) {
    const std::vector<std::string> people{"Wim", "Perla", "Orlo"}, places{"mill", "ford", "inn", "cave"};
    Random random(seed);
    std::string text;
    for (int line = 0; line < lines; ++line) {
      const std::uint64_t sentences = 2 + random.below(5);
      std::map<std::string, std::string> at;
      for (std::uint64_t i = 0; i < sentences; ++i) {
        const std::string& person = people[random.below(3)];
        at[person] = places[random.below(4)];
        text += concat(i == 0 ? "" : " | ", person, " went to the ", at[person], ".");
      }
      auto asked = at.begin();
      std::advance(asked, random.below(at.size()));
      text += concat("\tWhere is ", asked->first, "?\t", asked->second, "\n");
    }
    return text;
  }
  ProgramResult finetune(const std::string& output, const std::vector<std::string>& more = {}) {
    std::vector<std::string> words{kGlossBinary, "finetune", "--task", "answer", "--output", folder / output};
    const std::vector<std::pair<std::string, std::string>> usual{{"--input", folder / "train"},
                                                                 {"--valid-input", folder / "valid"},
                                                                 {"--report-interval", "5"},
                                                                 {"--batch-tokens", "1000"},
                                                                 {"--max-epochs", "40"},
                                                                 {"--learning-rate", "0.01"},
                                                                 {"--warmup-updates", "10"},
                                                                 {"--accumulation", "1"},
                                                                 {"-j", "1"}};
    for (const auto& [option, value] : usual) {
      if (std::ranges::find(more, option) == more.end()) words.insert(words.end(), {option, value});
    }
    words.insert(words.end(), more.begin(), more.end());
    return run_program(words);
  }
  ProgramResult answer(const std::string& input, const std::vector<std::string>& more = {},
                       const std::string& model = "run") {
    std::vector<std::string> words{"answer", "-m", folder / model};
    words.insert(words.end(), more.begin(), more.end());
    return gloss(words, input);
  }
  /// The accuracy of answers to stories, computed by gloss evaluate.
  double accuracy(const std::string& text, const std::vector<std::string>& more = {},
                  const std::string& model = "run") {
    const ProgramResult answered = answer(text, more, model);
    EXPECT_EQ(answered.status, 0) << answered.errors;
    const ProgramResult scored = gloss({"evaluate", "--task", "answer", folder.write("asked", text), "-i",
                                        folder.write("answers", answered.output), "-b", "-w", "4"});
    EXPECT_EQ(scored.status, 0) << scored.errors;
    return std::stod(scored.output);
  }
};

TEST_F(AnswerCommand, FindsThePlacesOfPeople) {
  const ProgramResult trained = finetune("run", {"--valid-interval", "200"});
  ASSERT_EQ(trained.status, 0) << trained.errors;
  EXPECT_TRUE(has(trained.errors, "400 questions, 4 answers")) << trained.errors;
  EXPECT_GE(accuracy(stories(200, 3)), 97) << trained.errors;
  const std::string story =
      "Wim went to the mill. | Perla went to the inn. | Wim went to the ford. | Orlo went to the cave.\t"
      "Where is Wim?";
  const ProgramResult explained = answer(story + "\n\n", {"--explain"});
  const std::vector<std::string> columns = split(split(explained.output, '\n')[0], '\t');
  ASSERT_EQ(columns.size(), 4u) << explained.output;
  EXPECT_EQ(columns[0], "ford");
  EXPECT_TRUE(std::any_of(columns.begin() + 1, columns.end(), [](const std::string& hop) {
    return hop.starts_with("3=");
  })) << explained.output;
  EXPECT_EQ(split(explained.output, '\n')[1], "");
  const nlohmann::json object =
      nlohmann::json::parse(split(answer(story, {"--explain", "--format", "json"}).output, '\n')[0]);
  EXPECT_EQ(object["answer"], "ford");
  EXPECT_EQ(object["probabilities"].size(), 4u);
  EXPECT_EQ(object["question"], "Where is Wim?");
  EXPECT_EQ(object["sentences"].size(), 4u);
  ASSERT_EQ(object["hops"].size(), 3u);
  for (const nlohmann::json& hop : object["hops"]) {
    double sum = 0;
    for (const nlohmann::json& weight : hop) sum += weight.get<double>();
    EXPECT_GT(sum, 0.5);
    EXPECT_LE(sum, 1.0001);
  }
  EXPECT_EQ(nlohmann::json::parse(answer(story, {"--format", "json"}).output).contains("hops"), false);
  const std::string map = answer(story, {"--explain", "--format", "map"}).output;
  EXPECT_TRUE(has(map, "question 0: Where is Wim? ford\n")) << map;
  EXPECT_TRUE(has(map, "hop 3\n")) << map;
  EXPECT_TRUE(has(map, "Wim went to the ford. ")) << map;
  EXPECT_EQ(answer(story, {"--html", folder / "page.html"}).output, "ford\n");
  const std::string page = folder.read("page.html");
  EXPECT_TRUE(has(page, "Where is Wim? ford") && has(page, "hop 2") && has(page, "Orlo went to the cave."));
  // The formats say the same.
  const std::string babi =
      "1 Wim went to the mill.\n2 Perla went to the inn.\n3 Wim went to the ford.\n4 Orlo went to the cave.\n"
      "5 Where is Wim?\tford\t3\n6 Wim went to the inn.\n7 Where is Wim?\tinn\t6\n";
  EXPECT_EQ(answer(babi).output, "ford\ninn\n");
  EXPECT_EQ(accuracy(babi), 100);
  for (const std::string type : {"bf16", "int8"}) {
    ASSERT_EQ(gloss({"quantize", "-m", folder / "run", "--type", type, "--output", folder / type}).status, 0);
    EXPECT_GE(accuracy(stories(200, 3), {}, type), 96);
  }
  EXPECT_EQ(gloss({"embed", "-m", folder / "run"}, "one two\n").status, 0);
}

TEST_F(AnswerCommand, LearnsTwentyStoriesByHeart) {
  const std::string twenty = stories(20, 7);
  for (const std::vector<std::string>& kind :
       {std::vector<std::string>{},
        {"--hop-tying", "layerwise", "--hops", "2", "--sentence-encoding", "bag"},
        {"--linear-start", "20", "--hops", "1"}}) {
    std::vector<std::string> all = kind;
    all.insert(all.end(),
               {"--input", folder.write("twenty", twenty), "--valid-input", folder / "twenty", "--max-epochs",
                "200", "--empty-memories", "0", "--fresh", "--valid-interval", "1000"});
    const ProgramResult trained = finetune("run", all);
    ASSERT_EQ(trained.status, 0) << trained.errors;
    EXPECT_EQ(accuracy(twenty), 100) << trained.errors;
  }
}

TEST_F(AnswerCommand, ContinuesToTheSameBytesOnAnyNumberOfThreads) {
  expect_parts_as_whole([&](const auto&... of) { return finetune(of...); },
                        {"--valid-interval", "4", "--linear-start", "1", "--schedule", "constant"},
                        {"8", "12", "30"});
}

TEST_F(AnswerCommand, AnswersEachQuestionByItself) {
  ASSERT_EQ(finetune("run", {"--max-epochs", "2"}).status, 0);
  std::string input = stories(40, 5);
  for (std::string line : nasty_lines()) {
    std::ranges::replace(line, '\t', ' ');
    input += concat("Wim went to the mill. | ", line, "\tWhere is Wim? ", line, "\n");
  }
  const std::vector<std::string> lines = split(input, '\n');
  const auto answered = [&](const std::string& text, std::vector<std::string> more) {
    more.insert(more.end(), {"--scores", "--explain"});
    return answer(text, more);
  };
  const ProgramResult expected = answered(input, {"-j", "1", "--batch-size", "1"});
  ASSERT_EQ(expected.status, 0) << expected.errors;
  const std::vector<std::string> out = split(expected.output, '\n');
  ASSERT_EQ(out.size(), lines.size());
  for (const std::string threads : {"1", "3"}) {
    EXPECT_EQ(answered(input, {"-j", threads, "--batch-size", "7"}).output, expected.output);
  }
  std::string reversed;
  for (std::size_t i = lines.size() - 1; i-- > 0;) reversed += lines[i] + "\n";
  std::vector<std::string> back = split(answered(reversed, {}).output, '\n');
  back.pop_back();
  std::ranges::reverse(back);
  back.push_back("");
  EXPECT_EQ(back, out);
  const std::string file = folder.write("file", input);
  std::string shards;
  for (const std::string shard : {"1/2", "2/2"}) shards += answered("", {"--shard", shard, file}).output;
  EXPECT_EQ(shards, expected.output);
}

TEST_F(AnswerCommand, NamesMistakes) {
  const auto from = [&](const std::string& lines) {
    return finetune("wrong", {"--input", folder.write("wrong.tsv", lines)});
  };
  expect_failure(from("Wim slept.\tWhere is Wim?\n"), 3, "wrong.tsv:1: found 2 columns; expected 'story TAB");
  expect_failure(from("1 Wim slept.\n3 Wim sang.\n"), 3, "wrong.tsv:2: found the line number 3, expected 2");
  expect_failure(from("\tWhere is Wim?\tmill\n"), 3, "wrong.tsv:1: the story has no sentences");
  expect_failure(from("Wim slept.\tWhere?\tinn\nWim sang.\tWhere?\tinn\n"), 3,
                 "all lines have the answer 'inn'; expected at least two different answers");
  expect_failure(from(""), 3, "wrong.tsv");
  expect_failure(from("1 Wim slept.\n2 Wim sang.\n"), 3, "wrong.tsv: nothing to learn a vocabulary from");
  expect_failure(from("\n1 Wim slept.\n3 Wim sang.\n"), 3, "wrong.tsv:3: found the line number 3");
  expect_failure(from("1 Wim slept.\n2 Who slept?\tWim\t2\n"), 3, "wrong.tsv:2: found '2' among the numbers");
  expect_failure(finetune("wrong", {"--linear-start", "3", "--max-epochs", "3"}), 2,
                 "--linear-start 3 leaves no epoch with softmax: --max-epochs is 3");
  const std::string with_moon =
      folder.write("with_moon", folder.read("valid") + "Wim went to the moon.\tWhere is Wim?\tmoon\n");
  expect_failure(
      finetune("wrong", {"--valid-input", with_moon}), 3,
      "with_moon:61: the model does not have the answer 'moon'; expected one of cave, ford, inn, mill; "
      "to count such answers as wrong, give --unknown-answers wrong");
  expect_failure(gloss({"finetune", "--task", "answer", "--input", folder / "train", "--output",
                        folder / "wrong", "--unknown-answers", "wrong"}),
                 2, "--unknown-answers has no effect");
  expect_failure(finetune("wrong", {"--unknown-answers", "wrong", "--valid-input",
                                    folder.write("moon",
                                                 "Wim left.\tWhere is Wim?\tmoon\n"
                                                 "Wim left.\tWhere is Wim?\tsun\n")}),
                 3, "moon: the training text lacks the answers of all 2 questions (the first in line 1)");
  expect_failure(gloss({"finetune", "--task", "answer", "--output", folder / "wrong"}), 2, "--input FILE");
  expect_failure(gloss({"finetune", "--task", "answer", "--input", folder / "train", "--output",
                        folder / "wrong", "--max-updates", "2"}),
                 2, "finetune: --max-updates 2 ends the training");
  for (const char* const option :
       {"--heads", "--layers", "--dropout", "--cell", "--encoder-layers", "--preset"}) {
    const std::string value = option == std::string("--cell")      ? "lstm"
                              : option == std::string("--preset")  ? "tiny"
                              : option == std::string("--dropout") ? "0.1"
                                                                   : "2";
    EXPECT_EQ(finetune("wrong", {option, value}).status, 2) << option;
  }
  expect_failure(finetune("wrong", {"--pooling", "mean"}), 2, "--pooling has no effect");
  expect_failure(finetune("wrong", {"--hops", "0"}), 2, "--hops");
  expect_failure(finetune("wrong", {"--no-temporal-encoding", "--empty-memories", "0.2"}), 2,
                 "--empty-memories has no effect: it needs --temporal-encoding");
  expect_failure(gloss({"finetune", "--task", "classify", "--architecture", "memory", "--input",
                        folder.write("labels", "a\tone\nb\ttwo\n"), "--output", folder / "wrong"}),
                 2, "--architecture memory answers questions about stories; use --task answer");
  expect_failure(train("wrong", {"--architecture", "memory"}), 2, "memory");
  expect_failure(train("wrong", {"--hops", "2"}), 2, "it is an option of gloss finetune --task answer");
  EXPECT_FALSE(std::filesystem::exists(folder / "wrong/last"));
  // An answer that only the validation text has can count as wrong; one that a starting model lacks is
  // refused.
  const ProgramResult trained =
      finetune("run", {"--max-epochs", "1", "--valid-input", with_moon, "--unknown-answers", "wrong"});
  ASSERT_EQ(trained.status, 0) << trained.errors;
  EXPECT_TRUE(has(trained.errors,
                  "with_moon: 1 question has an answer that the training text lacks, which "
                  "counts as wrong (the first in line 61)"))
      << trained.errors;
  expect_failure(
      finetune("further", {"--model", folder / "run", "--input", folder / "with_moon"}), 3,
      "with_moon:61: the model does not have the answer 'moon'; expected one of cave, ford, inn, mill");
  ASSERT_EQ(finetune("further", {"--model", folder / "run", "--max-epochs", "1"}).status, 0);
  expect_failure(answer("Wim slept.\n"), 3, "standard input:1: found 1 column");
  expect_failure(answer("Wim slept.\tWhere is Wim?\n \tWhere?\n"), 3, "standard input:2: the story has no");
  expect_failure(gloss({"classify", "-m", folder / "run"}, "one\n"), 2, "gloss answer");
  expect_failure(answer("a\tb\n", {"--format", "map"}), 2, "--explain");
  expect_failure(answer("a\tb\n", {"--format", "json", "--scores"}), 2, "--scores");
  expect_failure(gloss({"evaluate", "--task", "answer", folder / "labels"}, "a\n"), 3, "labels:1: found 2");
}

TEST_F(AnswerCommand, OtherArchitecturesAnswerToo) {
  const ProgramResult trained =
      finetune("run", {"--architecture", "transformer", "--width", "32", "--heads", "2", "--layers", "2",
                       "--feed-forward-width", "64", "--max-epochs", "2"});
  ASSERT_EQ(trained.status, 0) << trained.errors;
  EXPECT_EQ(answer("Wim slept.\tWhere is Wim?\n").status, 0);
  expect_failure(answer("Wim slept.\tWhere is Wim?\n", {"--explain"}), 2, "--explain needs a memory network");
}

}  // namespace
}  // namespace gloss
