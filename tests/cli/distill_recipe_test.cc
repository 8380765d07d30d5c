// SPDX-License-Identifier: Apache-2.0
// corpora/multi30k/distill.sh from the texts and a teacher to a scored student, on a language of ten words.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/lines.h"
#include "tests/cli/train_command.h"

namespace gloss {
namespace {

struct DistillRecipe : TrainCommand {
  DistillRecipe() {
    for (const std::string part : {"raw", "captions"}) std::filesystem::create_directory(folder / part);
    for (const std::string side : {"en", "de"}) {
      folder.write("raw/train." + side, folder.read("train." + side));
      folder.write("raw/val." + side, folder.read("valid." + side));
      folder.write("raw/test_2016_flickr." + side, folder.read("valid." + side));
    }
    folder.write("captions/train.en", number_words(40, 3).english);
  }
  /// Runs the recipe, with a student that is trained in a moment.
  ProgramResult distill(const std::vector<std::string>& environment = {}) {
    std::vector<std::string> all{std::string("GLOSS=") + kGlossBinary, "N_BEST=2", "LEAST_CHRF=0"};
    all.insert(all.end(), environment.begin(), environment.end());
    return run_program({"/bin/bash",
                        std::string(kSourceFolder) + "/corpora/multi30k/distill.sh",
                        folder / "",
                        folder / "student",
                        "raw",
                        folder / "teacher/best",
                        "--width",
                        "16",
                        "--feed-forward-width",
                        "32",
                        "--heads",
                        "2",
                        "--encoder-layers",
                        "1",
                        "--decoder-layers",
                        "1",
                        "--batch-tokens",
                        "200",
                        "--max-updates",
                        "4",
                        "--warmup-updates",
                        "1",
                        "--valid-interval",
                        "2"},
                       "", all);
  }
};

TEST_F(DistillRecipe, LearnsTranslationsOfTextAndCaptions) {
  ASSERT_EQ(train("teacher", {"--max-updates", "60"}).status, 0);
  const ProgramResult result = distill();
  ASSERT_EQ(result.status, 0) << result.output << result.errors;
  EXPECT_NE(result.output.find("BLEU"), std::string::npos) << result.output;
  const std::vector<std::string> kept = read_lines(folder / "student/raw/captions.de");
  EXPECT_EQ(read_lines(folder / "student/raw/captions.en").size(), kept.size());
  EXPECT_GE(kept.size(), 36u);
  EXPECT_LE(kept.size(), 40u) << "of equal scores all are kept";
  EXPECT_EQ(read_lines(folder / "student/raw/captions.links").size(), kept.size());
  EXPECT_EQ(read_lines(folder / "student/raw/text.links").size(), 300u);
  EXPECT_EQ(read_lines(folder / "student/raw/test.de").size(), 20u);
  // A second call finds everything done and comes to the same result.
  const ProgramResult again = distill();
  ASSERT_EQ(again.status, 0) << again.output << again.errors;
  EXPECT_EQ(again.output.substr(again.output.rfind("BLEU")),
            result.output.substr(result.output.rfind("BLEU")));
}

TEST_F(DistillRecipe, WorksWithoutCaptionsAndNamesMissingOnes) {
  ASSERT_EQ(train("teacher").status, 0);
  expect_failure(distill({"CAPTIONS=" + (folder / "missing")}), 2, "missing");
  const ProgramResult result = distill({"CAPTIONS="});
  ASSERT_EQ(result.status, 0) << result.output << result.errors;
  EXPECT_FALSE(std::filesystem::exists(folder / "student/raw/captions.de"));
}

}  // namespace
}  // namespace gloss
