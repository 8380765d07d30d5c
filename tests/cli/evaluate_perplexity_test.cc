// SPDX-License-Identifier: Apache-2.0
// gloss evaluate --task lm through the real binary.
#include "tests/support/untrained_program.h"

namespace gloss {
namespace {

TEST_F(UntrainedModels, EvaluateAgreesWithScoreOnSingleLines) {
  const TemporaryDirectory files;
  const std::string text = files.write("text", "the cat sat\n\non a mat.\n");
  const auto evaluate = [&](std::vector<std::string> options) {
    options.insert(options.begin(), {kGlossBinary, "evaluate", "--task", "lm"});
    return run_program(options);
  };
  const ProgramResult evaluated = evaluate({"--document", "line", "-m", *folder / "lm", text});
  ASSERT_EQ(evaluated.status, 0) << evaluated.errors;
  const nlohmann::json figures = json_lines(evaluated.output).front();
  const ProgramResult scored = run_program(
      {kGlossBinary, "score", "-m", *folder / "lm", "--input", text, "--summary", "--precision", "f32"});
  const nlohmann::json sums = json_lines(scored.output).front();
  EXPECT_EQ(figures["lines"], 2);
  EXPECT_EQ(figures["tokens"], sums["tokens"]);
  for (const std::string name : {"cross_entropy", "perplexity", "bits_per_character"}) {
    EXPECT_NEAR(static_cast<double>(figures[name]), static_cast<double>(sums[name]),
                1e-4 * static_cast<double>(sums[name]))
        << name;
  }
  const ProgramResult together = evaluate({"-m", *folder / "lm", "--document", "file", text, text});
  ASSERT_EQ(json_lines(together.output).size(), 2u) << together.errors;
  EXPECT_NE(json_lines(together.output)[1]["cross_entropy"], figures["cross_entropy"]) << "seen together";

  expect_failure(evaluate({text}), 2, "-m DIR");
  expect_failure(evaluate({"-m", *folder / "lm"}), 2, "files of text");
  expect_failure(evaluate({"-m", *folder / "a", text}), 3, "expected a language model");
  expect_failure(evaluate({"-m", *folder / "lm", "--block-length", "100", text}), 2, "the 60 positions");
  expect_failure(evaluate({"-m", *folder / "lm", files.write("blank", "\n\n")}), 3, "all lines are blank");
  expect_failure(evaluate({"-m", *folder / "lm", "--metrics", "bleu", text}), 2,
                 "unknown option '--metrics'");
}

}  // namespace
}  // namespace gloss
