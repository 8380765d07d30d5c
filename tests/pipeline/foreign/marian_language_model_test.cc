// SPDX-License-Identifier: Apache-2.0
// Language models of Marian, whose texts begin with a zero vector instead of a token.
#include <gtest/gtest.h>

#include <cmath>

#include "base/json.h"
#include "base/text.h"
#include "tests/support/marian_model.h"
#include "tests/support/run_program.h"
#include "tests/support/shared_data.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/untrained_program.h"

namespace gloss {
namespace {

struct MarianLanguageModel : testing::Test {
  ProgramResult gloss(std::vector<std::string> words) const {
    words.insert(words.begin(), kGlossBinary);
    return run_program(words);
  }
  /// A sum over the lines of a text.
  struct Sum {
    double log_probability = 0;
    std::int64_t tokens = 0;
  };
  Sum evaluated(const std::string& model, const std::string& text) const {
    const ProgramResult result =
        gloss({"evaluate", "--task", "lm", "-m", model, "--document", "line", text, "-q"});
    EXPECT_EQ(result.status, 0) << result.errors;
    const nlohmann::json figures = json_lines(result.output).at(0);
    const std::int64_t tokens = figures.at("tokens");
    return {-figures.at("cross_entropy").get<double>() * static_cast<double>(tokens), tokens};
  }
  Sum scored(const std::string& model, const std::string& text) const {
    const ProgramResult result =
        gloss({"score", "-m", model, "--input", text, "--precision", "f32", "--format", "json"});
    EXPECT_EQ(result.status, 0) << result.errors;
    Sum sum;
    for (const nlohmann::json& line : json_lines(result.output)) {
      sum.log_probability += line.at("log_probability").get<double>();
      sum.tokens += line.at("tokens").get<std::int64_t>();
    }
    return sum;
  }

  TemporaryDirectory folder;
};

TEST_F(MarianLanguageModel, IsEvaluatedAsItIsScored) {
  MarianModel model;
  model.options["type"] = "lm-transformer";
  model.options["dim-vocabs"] = "[8]";
  model.remove("encoder");
  model.remove("decoder_l1_context");
  model.write(folder / "foreign");
  std::string decoder = MarianModel::decoder_yml();
  decoder.erase(decoder.find("  - vocab.yml\n"), 14);
  MarianModel::write_file(folder / "foreign", "model.npz.decoder.yml", decoder);
  folder.write("text", "the cat sat on a mat\na mat\nthe\n");
  const Sum expected = scored(folder / "foreign", folder / "text"),
            found = evaluated(folder / "foreign", folder / "text");
  EXPECT_EQ(found.tokens, expected.tokens);
  EXPECT_NEAR(found.log_probability, expected.log_probability, 1e-3);
  const ProgramResult tuned = gloss({"finetune", "--task", "lm", "-m", folder / "foreign", "--input",
                                     folder / "text", "-o", folder / "run", "--max-updates", "2"});
  EXPECT_EQ(tuned.status, 0) << tuned.errors;
}

TEST_F(MarianLanguageModel, HasTheScoresOfMarian) {
  GLOSS_NEED_SHARED_DATA(path, "interchange/marian/lm-transformer");
  const std::vector<std::string> lines = output_lines(read_file(*path + "/ref.txt")),
                                 scores = output_lines(read_file(*path + "/scores.txt"));
  ASSERT_EQ(lines.size(), scores.size());
  double expected = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!lines[i].empty()) expected += std::stod(scores[i]);
  }
  EXPECT_NEAR(evaluated(*path, *path + "/ref.txt").log_probability, expected, 0.01);
}

}  // namespace
}  // namespace gloss
