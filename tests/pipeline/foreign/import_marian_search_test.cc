// SPDX-License-Identifier: Apache-2.0
// How imported models of Marian with norms before branches search: as Marian, or as they were trained.
#include <gtest/gtest.h>

#include <cmath>

#include "base/json.h"
#include "tests/support/has.h"
#include "tests/support/marian_model.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/untrained_program.h"

namespace gloss {
namespace {

const std::string kOption = "--search-as-trained";

struct ImportMarianSearch : testing::Test {
  ImportMarianSearch() {
    folder.write("source", "the cat sat on\nthe mat\na cat\n");
    MarianModel model;
    model.make_pre_norm();
    model.arrays.at("decoder_ff_logit_out_b").values.front() += 9;  // translations end
    model.write(foreign);
  }
  ProgramResult gloss(std::vector<std::string> words) const {
    words.insert(words.begin(), kGlossBinary);
    return run_program(words, folder.read("source"));
  }
  ProgramResult import_with(const std::vector<std::string>& options) const {
    std::vector<std::string> words{"import", foreign, "--output", own, "--overwrite"};
    words.insert(words.end(), options.begin(), options.end());
    return gloss(words);
  }
  bool skips_norms() const { return read_json(own + "/config.json").at("network").value("raw_past", false); }
  /// The largest difference between the log-probabilities that the search and `gloss score` give to
  /// translations.
  double search_differs_from_score() const {
    const ProgramResult found =
        gloss({"translate", "-m", own, "--format", "json", "--precision", "f32", "--min-length", "4"});
    EXPECT_EQ(found.status, 0) << found.errors;
    std::string text;
    std::vector<double> expected;
    for (const nlohmann::json& line : json_lines(found.output)) {
      const nlohmann::json& best = line.at("translations").at(0);
      text += best.at("text").get<std::string>() + "\n";
      expected.push_back(best.at("log_probability"));
    }
    folder.write("target", text);
    const ProgramResult scored = gloss({"score", "-m", own, "--source", folder / "source", "--target",
                                        folder / "target", "--precision", "f32"});
    EXPECT_EQ(scored.status, 0) << scored.errors;
    const std::vector<std::string> scores = output_lines(scored.output);
    EXPECT_EQ(scores.size(), expected.size());
    double largest = 0;
    for (std::size_t i = 0; i < scores.size(); ++i)
      largest = std::max(largest, std::abs(std::stod(scores[i]) - expected[i]));
    return largest;
  }

  TemporaryDirectory folder;
  std::string foreign = folder / "foreign", own = folder / "own";
};

TEST_F(ImportMarianSearch, IsThatOfMarianByDefault) {
  const ProgramResult result = import_with({});
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_TRUE(has(result.errors, kOption)) << "what else is possible: " << result.errors;
  EXPECT_TRUE(skips_norms());
  EXPECT_GT(search_differs_from_score(), 1e-2);
}

TEST_F(ImportMarianSearch, IsThatOfTheTrainingOnRequest) {
  const ProgramResult result = import_with({kOption});
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_FALSE(has(result.errors, kOption)) << result.errors;
  EXPECT_FALSE(skips_norms());
  EXPECT_LT(search_differs_from_score(), 1e-4);
}

TEST_F(ImportMarianSearch, IsNotedForModelsThatAreConvertedOnTheFly) {
  const ProgramResult result = gloss({"translate", "-m", foreign, "--max-length", "3"});
  EXPECT_EQ(result.status, 0);
  EXPECT_TRUE(has(result.errors, kOption)) << result.errors;
}

TEST_F(ImportMarianSearch, OfOtherModelsIsThatOfTheTrainingAnyway) {
  MarianModel().write(foreign);  // norms after branches
  const ProgramResult plain = import_with({});
  EXPECT_FALSE(has(plain.errors, kOption)) << plain.errors;
  const std::string expected = folder.read("own/config.json");
  const ProgramResult result = import_with({kOption});
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_TRUE(has(result.errors, kOption)) << "changes nothing: " << result.errors;
  EXPECT_EQ(folder.read("own/config.json"), expected);
}

}  // namespace
}  // namespace gloss
