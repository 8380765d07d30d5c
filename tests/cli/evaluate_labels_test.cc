// SPDX-License-Identifier: Apache-2.0
// gloss evaluate --task classify
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/support/run_program.h"
#include "tests/support/temporary_directory.h"

namespace gloss {
namespace {

using Words = std::vector<std::string>;

std::string label_lines(const Words& labels) {
  std::string text;
  for (const std::string& label : labels) text += label + "\n";
  return text;
}

class EvaluateLabels : public testing::Test {
 protected:
  ProgramResult evaluate(Words arguments, const std::string& input = "") {
    arguments.insert(arguments.begin(), {kGlossBinary, "evaluate", "--task", "classify"});
    return run_program(arguments, input);
  }
  void expect_failure(const ProgramResult& result, int status, const std::string& message) {
    EXPECT_EQ(result.status, status) << result.errors;
    EXPECT_NE(result.errors.find(message), std::string::npos) << result.errors;
    EXPECT_EQ(result.output, "");
  }

  TemporaryDirectory folder_;
  // Correct of predicted and of reference: a: 2 of 2 and of 3; b: 2 of 3 and of 2; c: 0 of 1 reference; d: 0
  // of the predicted.
  std::string gold_ = folder_.write("gold", label_lines({"a", "a", "a", "b", "b", "c"}));
  std::string system_ = folder_.write("system", label_lines({"a", "b", "a", "b", "b", "d"}));
};

TEST_F(EvaluateLabels, CountsByHand) {
  const ProgramResult result = evaluate({gold_, "-i", system_, "-w", "3"});
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_NE(result.errors.find("line 6: no reference has the label 'd'"), std::string::npos) << result.errors;
  const auto object = nlohmann::json::parse(result.output);
  std::vector<double> scores;
  for (const auto& score : object["scores"]) scores.push_back(score["score"]);
  EXPECT_EQ(scores, (std::vector<double>{66.667, 40, 41.667, 41.667}));  // accuracy, F1, precision, recall
  EXPECT_EQ(object["scores"][1]["name"], "F1");
  EXPECT_EQ(object["scores"][1]["average"], "macro");
  const auto row = [](const nlohmann::json& of) {
    return std::vector<double>{of["precision"], of["recall"], of["f1"], of["references"], of["predictions"]};
  };
  EXPECT_EQ(object["labels"][0]["label"], "a");
  EXPECT_EQ(row(object["labels"][0]), (std::vector<double>{100, 66.667, 80, 3, 2}));
  EXPECT_EQ(row(object["labels"][1]), (std::vector<double>{66.667, 100, 80, 2, 3}));
  EXPECT_EQ(row(object["labels"][2]), (std::vector<double>{0, 0, 0, 1, 0}));
  EXPECT_EQ(row(object["labels"][3]), (std::vector<double>{0, 0, 0, 0, 1}));
  EXPECT_EQ(row(object["macro"]), (std::vector<double>{41.667, 41.667, 40, 6, 6}));
  EXPECT_EQ(row(object["micro"]), (std::vector<double>{66.667, 66.667, 66.667, 6, 6}));
  EXPECT_EQ(object["confusion"], nlohmann::json::parse("[[2,1,0,0],[0,2,0,0],[0,0,0,1],[0,0,0,0]]"));
}

TEST_F(EvaluateLabels, LabelsEndAtTheFirstTab) {
  const std::string labelled =
      folder_.write("labelled", "yes\tA fine text.\n no \tAnother\twith tabs\nyes\tx\n");
  const ProgramResult result = evaluate({labelled, "-m", "accuracy", "-b"}, "yes\t0.9\nno\t0.6\nno\t0.8\n");
  EXPECT_EQ(result.output, "66.7\n") << result.errors;
}

TEST_F(EvaluateLabels, TextAndLatexHaveTheSameTables) {
  const ProgramResult text = evaluate({gold_, "-i", system_, "-f", "text"});
  for (const std::string part : {"accuracy|nrefs:1|task:classify|version:gloss-",
                                 "F1|nrefs:1|task:classify|average:macro|version:", " = 66.7\n", " = 40.0\n",
                                 "macro average", "micro average", "reference \\ predicted"}) {
    EXPECT_NE(text.output.find(part), std::string::npos) << part << "\n" << text.output;
  }
  const ProgramResult latex = evaluate({gold_, "-i", system_, "-f", "latex"});
  EXPECT_NE(latex.output.find("\\begin{tabular}{rccccc}"), std::string::npos) << latex.output;
  EXPECT_EQ(evaluate({gold_, "-i", system_, "-m", "f1", "-b", "--average", "micro"}).output, "66.7\n");
  EXPECT_EQ(evaluate({gold_, "-i", system_, "-m", "accuracy", "-sl", "-b"}).output,
            "100.0\n0.0\n100.0\n100.0\n100.0\n0.0\n");
}

TEST_F(EvaluateLabels, ManyLabelsHaveNoConfusionMatrix) {
  Words labels;
  for (int i = 0; i < 30; ++i) labels.push_back("label" + std::to_string(i));
  const std::string many = folder_.write("many", label_lines(labels));
  const ProgramResult result = evaluate({many, "-i", many, "-f", "text"});
  EXPECT_NE(result.errors.find("30 labels: --format json"), std::string::npos) << result.errors;
  EXPECT_EQ(result.output.find("predicted"), result.output.npos) << result.output;
  EXPECT_NE(result.output.find("label29"), std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(evaluate({many, "-i", many}).output)["confusion"].size(), 30u);
}

TEST_F(EvaluateLabels, IntervalsAndTestsOfSeveralSystems) {
  Words gold, good, bad;
  for (int i = 0; i < 60; ++i) {
    gold.push_back(i % 3 == 0 ? "x" : "y");
    good.push_back(i % 10 == 0 ? "y" : gold.back());
    bad.push_back(i % 2 == 0 ? "x" : gold.back());
  }
  const std::string reference = folder_.write("r", label_lines(gold));
  const std::string first = folder_.write("1", label_lines(good)),
                    second = folder_.write("2", label_lines(bad));
  const std::vector<std::string> command{reference, "-i", first, "--confidence", "-w", "6"};
  const ProgramResult one = evaluate(command);
  const auto object = nlohmann::json::parse(one.output);
  for (const auto& score : object["scores"]) {
    EXPECT_NEAR(score["confidence_mean"], score["score"], 1.0);
    EXPECT_GT(score["confidence_var"], 1);
    EXPECT_EQ(score["bs"], "1000");
  }
  EXPECT_GT(object["labels"][0]["f1_confidence_var"], object["labels"][1]["f1_confidence_var"]);
  // Half the width of the 95 % interval of a share of 58 in 60.
  EXPECT_NEAR(object["micro"]["f1_confidence_var"], 196 * std::sqrt(58. / 60 * 2 / 60 / 60), 0.6);
  std::vector<std::string> on_threads = command;
  on_threads.insert(on_threads.end(), {"-j", "3"});
  EXPECT_EQ(evaluate(on_threads).output, one.output);
  const auto tests =
      nlohmann::json::parse(evaluate({reference, "-i", first, second, "--paired-ar", "-parn", "200"}).output);
  EXPECT_LT(tests[1]["accuracy"]["p_value"], 0.05);
  EXPECT_LT(tests[1]["F1"]["p_value"], 0.05);
}

TEST_F(EvaluateLabels, WarnsIfThereIsOnlyOneClass) {
  const std::string same = folder_.write("same", "x\nx\nx\n");
  const ProgramResult result = evaluate({same, "-f", "text", "-b", "-w", "2"}, "x\nx\ny\n");
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.output, "66.67\n40.00\n50.00\n33.33\n");
  EXPECT_NE(result.errors.find("every line of " + same + " has the label 'x'"), std::string::npos)
      << result.errors;
}

TEST_F(EvaluateLabels, NamesMistakes) {
  const std::string short_one = folder_.write("short", "a\nb\n");
  expect_failure(evaluate({gold_, "-i", short_one}), 3, gold_ + " has 6 lines but " + short_one + " has 2");
  expect_failure(evaluate({gold_}, "a\n"), 3, "standard input has 1");
  expect_failure(evaluate({gold_, "-i", folder_.write("empty", "")}), 3, "empty is empty");
  expect_failure(evaluate({short_one, "-i", folder_.write("blank", "a\n \tx\n")}), 3,
                 "blank, line 2 has no label");
  expect_failure(evaluate({folder_.write("blank", "\n\n"), "-i", short_one}), 3,
                 "blank, line 1 has no label");
  expect_failure(evaluate({short_one, "-i", folder_.write("other", "0\n1\n")}), 3,
                 "other and " + short_one + " have no label in common (such as '0' and 'a')");
  Words sentences;
  for (int i = 0; i < 1001; ++i) sentences.push_back("sentence " + std::to_string(i));
  const std::string text = folder_.write("text", label_lines(sentences));
  expect_failure(evaluate({text, "-i", text}), 3, "has 1001 different labels, such as 'sentence 0'");
  expect_failure(evaluate({gold_, gold_, "-i", system_}), 2, "expected one file of references, found 2");
  expect_failure(evaluate({gold_, "-i", system_, "-m", "bleu"}), 2, "accuracy, precision, recall, f1");
  expect_failure(evaluate({gold_, "-i", system_, "-tok", "none"}), 2, "--tokenize is for --task translate");
  expect_failure(evaluate({gold_, "-i", system_, "--pairs", "x"}), 2, "--pairs is for --task align");
  expect_failure(run_program({kGlossBinary, "evaluate", gold_, "-i", system_, "--average", "micro"}), 2,
                 "--average is for --task classify");
}

TEST_F(EvaluateLabels, LongLabelsAreNotQuotedWhole) {
  const std::string huge(40'000, 'x'), gold = folder_.write("gold", huge + "\nz\n");
  const auto expect_short = [&](const std::string& system, const std::string& size) {
    const ProgramResult result = evaluate({gold, "-i", system});
    const std::string start = result.errors.substr(0, 1'000);
    EXPECT_LT(result.errors.size(), 1'000u);
    EXPECT_NE(start.find("'xxx"), std::string::npos) << start;
    EXPECT_NE(start.find(size), std::string::npos) << start;
  };
  expect_short(folder_.write("none", "b\nc\n"), "40000 bytes");
  expect_short(folder_.write("other", huge + "y\nz\n"), "40001 bytes");
}

}  // namespace
}  // namespace gloss
