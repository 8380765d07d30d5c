// SPDX-License-Identifier: Apache-2.0
// Classifiers of each architecture, and those from language models, through the real binary.
#include "tests/cli/classify_command.h"

namespace gloss {
namespace {

using ClassifierNetworks = ClassifyCommand;

TEST_F(ClassifierNetworks, RecurrentNetworksPredictLabels) {
  const auto recurrent = [&](std::vector<std::string> more) {
    more.insert(more.end(), {"--architecture", "recurrent", "--cell", "lstm", "--embedding-width", "16",
                             "--pooling", "max"});
    return more;
  };
  const ProgramResult learned = finetune("run", recurrent(judged({"--max-updates", "150"})));
  ASSERT_EQ(learned.status, 0) << learned.errors;
  EXPECT_NE(learned.errors.find("accuracy 100.00"), std::string::npos) << learned.errors;
  EXPECT_EQ(classify("one seven two\n\none two four\n").output, "with\n\nwithout\n");
  EXPECT_EQ(gloss({"embed", "-m", folder / "run"}, "one two\n").status, 0);
  ASSERT_EQ(
      gloss({"quantize", "-m", folder / "run/best", "--type", "int8", "--output", folder / "int8"}).status,
      0);
  EXPECT_EQ(classify("one seven two\n", {}, "int8").output, "with\n");
  expect_failure(classify("one\n", {"--explain"}), 2, "--explain needs attention: recurrent classifiers");
  expect_failure(finetune("wrong", recurrent({"--heads", "2"})), 2, "--heads has no effect");
  expect_failure(finetune("wrong", recurrent({"--positions", "rotary"})), 2, "--positions has no effect");
  ASSERT_EQ(gloss({"pretrain", "--objective", "lm", "--architecture", "recurrent", "--input",
                   folder / "train.en", "--vocab-size", "60", "--embedding-width", "8", "--width", "8",
                   "--max-updates", "2", "--output", folder / "lm"})
                .status,
            0);
  expect_failure(finetune("wrong", {"--model", folder / "lm"}), 2,
                 "cannot become a classifier: a recurrent classifier needs encoder layers");
  expect_failure(finetune("wrong", {"--architecture", "recurrent", "--bidirectional", "false", "--input",
                                    folder / "missing"}),
                 2, "pooling 'first'");
  expect_failure(finetune("wrong", {"--cell", "gru"}), 2, "--cell has no effect");
  expect_parts_as_whole([&](const auto&... of) { return finetune(of...); },
                        recurrent(judged({"--valid-interval", "4", "--dropout", "0.2", "--output-dropout",
                                          "0.2", "--word-dropout", "0.2"})),
                        {"8", "20"});
}

TEST_F(ClassifierNetworks, ConvolutionalNetworksPredictLabels) {
  const auto convolutional = [&](std::vector<std::string> more) {
    more.insert(more.end(),
                {"--architecture", "convolutional", "--filters", "8", "--filter-widths", "1", "3"});
    return more;
  };
  const ProgramResult learned =
      finetune("run", convolutional(judged({"--max-updates", "150", "--dropout", "0.1"})));
  ASSERT_EQ(learned.status, 0) << learned.errors;
  EXPECT_NE(learned.errors.find("accuracy 100.00"), std::string::npos) << learned.errors;
  EXPECT_EQ(classify("one seven two\n\none two four\n").output, "with\n\nwithout\n");
  EXPECT_EQ(gloss({"embed", "-m", folder / "run"}, "one two\n").status, 0);
  for (const std::string type : {"int8", "bf16"}) {
    ASSERT_EQ(
        gloss({"quantize", "-m", folder / "run/best", "--type", type, "--output", folder / type}).status, 0);
    EXPECT_EQ(classify("one seven two\n", {}, type).output, "with\n");
  }
  expect_failure(classify("one\n", {"--explain"}), 2, "--explain needs attention: convolutional classifiers");
  expect_failure(finetune("wrong", convolutional({"--heads", "2"})), 2, "--heads has no effect");
  expect_failure(finetune("wrong", convolutional({"--cell", "gru"})), 2, "--cell has no effect");
  expect_failure(finetune("wrong", convolutional({"--pooling", "first"})), 2, "pooling 'max'");
  expect_failure(finetune("wrong", {"--filters", "8"}), 2, "--filters has no effect");
  expect_failure(finetune("wrong", {"--architecture", "convolutional", "--filter-widths", "3", "65"}), 2,
                 "'65'");
  expect_failure(train("wrong", {"--architecture", "convolutional"}), 2, "convolutional classifier");
  expect_parts_as_whole([&](const auto&... of) { return finetune(of...); },
                        convolutional(judged({"--valid-interval", "4", "--word-dropout", "0.2"})),
                        {"8", "20"});
}

TEST_F(ClassifierNetworks, ThePresetClassifyChoosesNetworkAndTraining) {
  const std::vector<std::string> words{"finetune",
                                       "--task",
                                       "classify",
                                       "--input",
                                       folder / "train.tsv",
                                       "--preset",
                                       "classify",
                                       "--vocab-size",
                                       "60",
                                       "--width",
                                       "16",
                                       "--output",
                                       folder / "preset",
                                       "--max-epochs",
                                       "40",
                                       "--learning-rate",
                                       "0.01",
                                       "--dropout",
                                       "0.1",
                                       "--embedding-dropout",
                                       "0.1"};
  const ProgramResult trained = gloss(words);
  ASSERT_EQ(trained.status, 0) << trained.errors;
  EXPECT_GE(accuracy("preset"), 95) << trained.errors;
  const nlohmann::json config = nlohmann::json::parse(folder.read("preset/last/config.json"));
  EXPECT_EQ(config["network"]["architecture"], "convolutional");
  EXPECT_EQ(config["network"]["width"], 16) << "options override the preset";
  std::vector<std::string> other = words;
  other.insert(other.end(), {"--architecture", "recurrent"});
  expect_failure(gloss(other), 2, "--architecture is 'recurrent'");
  expect_failure(finetune("wrong", {"--model", folder / "preset", "--preset", "classify"}), 2,
                 "--preset has no effect");
}

TEST_F(ClassifierNetworks, FineTunesLanguageModels) {
  ASSERT_EQ(pretrain("mlm", {"--objective", "mlm", "--document", "line"}).status, 0);
  ASSERT_EQ(pretrain("lm", {"--document", "line"}).status, 0);
  for (const std::string model : {"mlm", "lm"}) {
    const std::string pooling = model == "lm" ? "last" : "first";
    const std::vector<std::string> from{"--model", folder / model, "--pooling", pooling};
    std::vector<std::string> longer = judged(from);
    longer.insert(longer.end(), {"--max-updates", "150"});
    const ProgramResult trained = finetune("run", [&] {
      longer.push_back("--fresh");
      return longer;
    }());
    ASSERT_EQ(trained.status, 0) << trained.errors;
    EXPECT_NE(trained.errors.find("initialisation of classifier"), std::string::npos) << trained.errors;
    EXPECT_EQ(accuracy("run/best"), 100) << model << trained.errors;
  }
  // A classifier keeps its labels when it is fine-tuned.
  std::vector<std::string> on = judged({"--model", folder / "run/best", "--max-updates", "2"});
  const ProgramResult further = finetune("further", on);
  ASSERT_EQ(further.status, 0) << further.errors;
  EXPECT_EQ(further.errors.find("initialisation of"), std::string::npos) << further.errors;
  on.insert(on.end(), {"--input", folder.write("other.tsv", "with\tseven\nelsewhere\tone\n")});
  expect_failure(finetune("other", on), 3, "other.tsv:2: the model does not have the label 'elsewhere'");
}

}  // namespace
}  // namespace gloss
