// SPDX-License-Identifier: Apache-2.0
// gloss finetune --task classify and gloss classify through the real binary.
#include <numeric>

#include "tests/cli/classify_command.h"
#include "tests/support/subword_model.h"

namespace gloss {
namespace {

TEST_F(ClassifyCommand, LearnsTheMeaningOfLabels) {
  for (const std::string pooling : {"first", "mean", "max"}) {
    const ProgramResult trained = finetune(
        "run", judged({"--max-updates", "150", "--pooling", pooling, "--fresh", "--precision", "f32"}));
    ASSERT_EQ(trained.status, 0) << trained.errors;
    EXPECT_NE(trained.errors.find(", 2 labels, "), std::string::npos) << trained.errors;
    EXPECT_EQ(accuracy("run/best"), 100) << pooling << trained.errors;
    EXPECT_NE(trained.errors.find("accuracy 100.00, the best so far"), std::string::npos) << trained.errors;
  }
  for (const std::string type : {"bf16", "int8"}) {
    ASSERT_EQ(
        gloss({"quantize", "-m", folder / "run/best", "--type", type, "--output", folder / type}).status, 0);
    EXPECT_EQ(accuracy(type), 100);
  }
  ASSERT_EQ(gloss({"average", folder / "run/best", folder / "bf16", "--output", folder / "mean"}).status, 0);
  EXPECT_EQ(accuracy("mean"), 100);
  const ProgramResult shown = gloss({"info", "-m", folder / "run"});
  EXPECT_NE(shown.output.find("with, without"), std::string::npos) << shown.output;
  // With the state of the class token, the decisive word gets the largest attention.
  ASSERT_EQ(finetune("first", judged({"--max-updates", "150"})).status, 0);
  const nlohmann::json predicted = nlohmann::json::parse(
      classify("one seven two four\n", {"--format", "json", "--explain"}, "first").output);
  EXPECT_EQ(predicted["label"], "with");
  EXPECT_GT(predicted["probabilities"][0]["probability"], 0.5);
  double shares = 0;
  std::string words;
  for (const nlohmann::json& word : predicted["words"]) {
    words += word["word"].get<std::string>() + " ";
    shares += static_cast<double>(word["attention"]);
  }
  EXPECT_EQ(words, "one seven two four ");
  EXPECT_LT(shares, 1);
  EXPECT_GT(shares, 0);
}

TEST_F(ClassifyCommand, ContinuesToTheSameBytesOnAnyNumberOfThreads) {
  expect_parts_as_whole([&](const auto&... of) { return finetune(of...); },
                        judged({"--valid-interval", "4", "--bpe-dropout", "0.1", "--word-dropout", "0.2"}),
                        {"8", "12", "30"});
}

TEST_F(ClassifyCommand, OfSeveralSentencesIsTheirMeanByTokens) {
  ASSERT_EQ(finetune("run", {"--max-updates", "3", "--pooling", "mean"}).status, 0);
  const auto answers = [&](const std::string& text, std::vector<std::string> more) {
    more.insert(more.end(), {"--format", "json", "--explain"});
    const ProgramResult result = classify(text, more);
    EXPECT_EQ(result.status, 0) << result.errors;
    std::vector<nlohmann::json> lines;
    for (const std::string& line : split(result.output, '\n')) {
      if (!line.empty()) lines.push_back(nlohmann::json::parse(line));
    }
    return lines;
  };
  const std::vector<std::string> sentences{"one seven two.", "Four five six eight nine."};
  std::vector<double> tokens;
  for (const std::string& sentence : sentences) {
    const std::string pieces =
        gloss({"encode", "--tokenizer", folder / "run/best/tokenizer.model"}, sentence + "\n").output;
    tokens.push_back(static_cast<double>(std::ranges::count(pieces, ' ')) + 1);
  }
  const auto apart = answers(concat(sentences[0], "\n", sentences[1], "\n"), {});
  const std::string text = concat(sentences[0], " ", sentences[1], "\n\n", sentences[0], "\n");
  const auto split = answers(text, {"--split", "--batch-size", "1"});
  ASSERT_EQ(split.size(), 3u);
  const auto probability = [](const nlohmann::json& line, const std::string& label) {
    for (const nlohmann::json& one : line.at("probabilities")) {
      if (one.at("label").get<std::string>() == label) return one.at("probability").get<double>();
    }
    return -1.0;
  };
  for (const std::string label : {"with", "without"}) {
    EXPECT_NEAR(probability(split[0], label),
                (tokens[0] * probability(apart[0], label) + tokens[1] * probability(apart[1], label)) /
                    (tokens[0] + tokens[1]),
                1e-9);
  }
  EXPECT_EQ(split[0]["words"].size(), apart[0]["words"].size() + apart[1]["words"].size());
  EXPECT_EQ(split[1]["label"], "");
  EXPECT_EQ(split[2]["probabilities"], apart[0]["probabilities"]) << "one sentence";
  EXPECT_EQ(answers(text, {"--split", "-j", "3"}), split);
  expect_failure(classify("one\n\none\ttwo\n", {"--split"}), 3, "standard input:3");
  expect_failure(classify("one\n", {"--split-rules", folder / "train.tsv"}), 2, "--split");
}

TEST_F(ClassifyCommand, AnswersLineByLineWhateverTheBatch) {
  ASSERT_EQ(finetune("run", {"--max-updates", "3", "--pooling", "mean"}).status, 0);
  std::vector<std::string> lines{"", " ", "one two", "one\ttwo three", "\t", "one\t", "\tone"};
  for (const std::string& line : nasty_lines()) lines.push_back(line);
  std::string input;
  for (const std::string& line : lines) input += line + "\n";
  const std::vector<std::string> all{"--scores", "--explain"};
  const auto predicted = [&](const std::string& text, std::vector<std::string> more) {
    more.insert(more.end(), all.begin(), all.end());
    return classify(text, more);
  };
  const ProgramResult expected = predicted(input, {"-j", "1", "--batch-size", "1"});
  ASSERT_EQ(expected.status, 0) << expected.errors;
  const std::vector<std::string> out = split(expected.output, '\n');
  ASSERT_EQ(out.size(), lines.size() + 1);
  EXPECT_EQ(out[0] + out[1] + out[4], "");
  EXPECT_EQ(out[2].substr(0, 4), "with");
  EXPECT_NE(out[3].find("three="), std::string::npos) << out[3];
  EXPECT_NE(expected.errors.find(": the last "), std::string::npos) << expected.errors;
  const std::string file = folder.write("lines", input);
  EXPECT_EQ(predicted("", {file, file}).output, expected.output + expected.output);
  for (const std::string threads : {"1", "3"}) {
    EXPECT_EQ(predicted(input, {"-j", threads, "--batch-size", "7"}).output, expected.output);
  }
  std::vector<std::size_t> order(lines.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  Random(5).shuffle(order);
  std::string shuffled;
  for (const std::size_t line : order) shuffled += lines[line] + "\n";
  const std::vector<std::string> found = split(predicted(shuffled, {}).output, '\n');
  for (std::size_t i = 0; i < order.size(); ++i) EXPECT_EQ(found[i], out[order[i]]);
}

TEST_F(ClassifyCommand, NamesMistakes) {
  const auto from = [&](const std::string& lines) {
    return finetune("wrong", {"--vocab-size", "20", "--input", folder.write("wrong.tsv", lines)});
  };
  expect_failure(from("with\tseven\nseven\n"), 3, "wrong.tsv:2: found 1 column, expected 2 (label TAB text)");
  expect_failure(from("a\tb\tc\td\n"), 3, "wrong.tsv:1: found 4 columns");
  expect_failure(from("with\tseven\n\tone\n"), 3, "wrong.tsv:2: the label before the tab is missing");
  expect_failure(from("with\tseven\nwith\tseven one\n"), 3,
                 "all lines have the label 'with'; expected at least two");
  expect_failure(from(""), 3, "wrong.tsv");
  expect_failure(finetune("wrong", {"--valid-input", folder.write("valid", "with\tone\nelse\ttwo\n")}), 3,
                 "valid:2: the model does not have the label 'else'; expected one of with, without");
  expect_failure(gloss({"finetune", "--task", "classify", "--output", folder / "wrong"}), 2, "--input FILE");
  expect_failure(finetune("wrong", judged({"--stop-on", "bleu"})), 2, "--stop-on: found 'bleu'");
  expect_failure(train("run", {"--stop-on", "accuracy"}), 2, "--stop-on: found 'accuracy'");
  expect_failure(pretrain("run", {"--stop-on", "accuracy"}), 2, "--stop-on");
  ASSERT_EQ(train("translation", {"--max-updates", "1"}).status, 0);
  expect_failure(finetune("wrong", {"--model", folder / "translation"}), 3, "is a translation model");
  expect_failure(finetune("wrong", {"--model", folder / "missing"}), 3, "missing");
  EXPECT_FALSE(std::filesystem::exists(folder / "wrong/last"));
  expect_failure(classify("one\n", {}, "translation"), 3, "is a translation model");
  ASSERT_EQ(finetune("run", {"--max-updates", "1"}).status, 0);
  expect_failure(gloss({"translate", "-m", folder / "run"}, "one\n"), 3, "is a classifier");
  expect_failure(gloss({"fill", "-m", folder / "run"}, "one\n"), 3, "is a classifier");
  expect_failure(gloss({"classify"}, "one\n"), 2, "-m DIR");
  expect_failure(classify("", {"--scores", "--format", "json"}), 2, "--scores");
  const std::string config = folder.read("run/best/config.json");
  const auto with = [&](std::string was, const std::string& is) {
    std::string other = config;
    const std::size_t place = other.find(was);
    EXPECT_NE(place, std::string::npos) << config;
    folder.write("run/best/config.json", other.replace(place, was.size(), is));
    return classify("one\n");
  };
  expect_failure(with("\"without\"", "\"without\", \"more\""), 3, "3 labels for 2 classes");
  EXPECT_EQ(with("\"classes\": 2", "\"classes\": 1").status, 3);
  EXPECT_EQ(with("\"without\"", "\"wi\\nthout\"").status, 3);
  EXPECT_EQ(with("\"classes\": 2", "\"classes\": \"two\"").status, 3);
  EXPECT_EQ(with("\"decoder_layers\": 0", "\"decoder_layers\": 1").status, 3);
}

}  // namespace
}  // namespace gloss
