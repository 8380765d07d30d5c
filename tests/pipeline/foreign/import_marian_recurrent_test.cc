// SPDX-License-Identifier: Apache-2.0
// gloss import of Marian's recurrent networks through the real binary, against their formulas.
#include <gtest/gtest.h>

#include <cmath>

#include "base/json.h"
#include "tests/support/has.h"
#include "tests/support/marian_recurrent_formulas.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/untrained_program.h"

namespace gloss {
namespace {

using Kind = MarianRecurrent::Kind;

struct ImportMarianRecurrent : testing::Test {
  ProgramResult gloss(std::vector<std::string> words, const std::string& input = "") const {
    words.insert(words.begin(), kGlossBinary);
    return run_program(words, input);
  }
  ProgramResult import_from(const MarianModel& model) const {
    model.write(foreign);
    return gloss({"import", foreign, "--output", own, "--overwrite"});
  }
  void expect_refused(const MarianModel& model, const std::vector<std::string>& names) const {
    const ProgramResult result = import_from(model);
    EXPECT_EQ(result.status, 3) << result.errors;
    for (const std::string& name : names) EXPECT_TRUE(has(result.errors, name)) << name << result.errors;
  }
  /// Compares the scores of two sentences with those by the formulas, and translations in batches with those
  /// of single lines.
  void expect_formulas(const Kind& kind) const {
    const MarianRecurrent network(kind);
    const ProgramResult result = import_from(network.named());
    ASSERT_EQ(result.status, 0) << result.errors;
    EXPECT_FALSE(has(result.errors, "not used")) << result.errors;
    const std::string source = folder.write("source", "the cat sat on the mat\na\n"),
                      target = folder.write("target", "a mat\nthe cat sat\n");
    const ProgramResult scores = gloss({"score", "-m", own, "--source", source, "--target", target,
                                        "--precision", "f32", "--format", "json"});
    ASSERT_EQ(scores.status, 0) << scores.errors;
    const std::vector<nlohmann::json> found = json_lines(scores.output);
    ASSERT_EQ(found.size(), 2u);
    const MarianRecurrentFormulas formulas(network);
    const double expected[] = {formulas.log_probability({2, 3, 4, 5, 2, 6, 0}, {7, 6, 0}),
                               formulas.log_probability({7, 0}, {2, 3, 4, 0})};
    for (std::size_t i = 0; i < found.size(); ++i)
      EXPECT_NEAR(found[i]["log_probability"].get<double>(), expected[i], 1e-4);
    const std::vector<std::string> translate{"translate", "-m", own, "--max-length", "9", "--n-best", "2"};
    std::vector<std::string> alone = translate;
    alone.insert(alone.end(), {"--batch-size", "1", "-j", "2"});
    const std::string lines = "the cat sat\non the mat\n\na cat\n";
    EXPECT_EQ(gloss(translate, lines).output, gloss(alone, lines).output);
  }

  TemporaryDirectory folder;
  std::string foreign = folder / "foreign", own = folder / "own";
};

TEST_F(ImportMarianRecurrent, FollowsTheFormulasOfS2s) {
  expect_formulas({});
  expect_formulas({.norm = true});
  expect_formulas({.cell = "lstm", .encoder_cells = 2, .base_cells = 3});
  expect_formulas({.cell = "lstm", .encoder_depth = 2, .decoder_depth = 2, .norm = true});
}

TEST_F(ImportMarianRecurrent, FollowsTheFormulasOfDeepNetworks) {
  Kind kind{.encoder = "alternating",
            .encoder_depth = 2,
            .decoder_depth = 2,
            .encoder_cells = 3,
            .base_cells = 3,
            .high_cells = 2,
            .norm = true,
            .skip = true};
  expect_formulas(kind);
  kind.norm = false;
  kind.encoder_depth = 3;
  for (const std::string encoder : {"alternating", "bidirectional", "bi-unidirectional"}) {
    kind.encoder = encoder;
    expect_formulas(kind);
  }
}

TEST_F(ImportMarianRecurrent, FollowsTheFormulasOfNematus) {
  expect_formulas({.type = "amun"});
  expect_formulas({.type = "nematus", .cell = "gru-nematus", .norm = true});
  expect_formulas(
      {.type = "nematus", .cell = "gru-nematus", .encoder_cells = 2, .base_cells = 4, .norm = true});
}

TEST_F(ImportMarianRecurrent, ReadsEveryWayToTieEmbeddings) {
  MarianRecurrent network({});
  MarianModel model = network.model();
  model.options["tied-embeddings"] = "false";
  model.arrays["decoder_ff_logit_l2_Wt"] = model.arrays.at("decoder_Wemb");
  ASSERT_EQ(import_from(model).status, 0);
  const auto translations = [&] {
    return gloss({"translate", "-m", own, "--max-length", "5"}, "the cat\n").output;
  };
  const std::string expected = translations();
  model = network.model();
  ASSERT_EQ(import_from(model).status, 0);
  EXPECT_EQ(translations(), expected);
  model.arrays["encoder_Wemb"] = model.arrays.at("decoder_Wemb");
  ASSERT_EQ(import_from(model).status, 0);
  const std::string one_table = translations();
  model.arrays["Wemb"] = model.arrays.at("decoder_Wemb");
  for (const std::string name : {"encoder_Wemb", "decoder_Wemb"}) model.arrays.erase(name);
  model.options["tied-embeddings-all"] = "true";
  ASSERT_EQ(import_from(model).status, 0);
  EXPECT_EQ(translations(), one_table);
  model.options["tied-embeddings-all"] = "false";
  model.options["tied-embeddings-src"] = "true";
  ASSERT_EQ(import_from(model).status, 0);
  EXPECT_EQ(translations(), one_table);
  model.options["tied-embeddings"] = "false";
  model.arrays["decoder_ff_logit_l2_Wt"] = model.arrays.at("Wemb");
  ASSERT_EQ(import_from(model).status, 0);
  EXPECT_EQ(translations(), one_table);
}

TEST_F(ImportMarianRecurrent, RefusesWhatItCannotRead) {
  const auto with = [](const std::string& option, const std::string& value) {
    MarianModel model = MarianRecurrent({}).named();
    model.options[option] = value;
    return model;
  };
  expect_refused(with("dec-cell", "mlstm"), {"special:model.yml", "'enc-cell'", "mlstm"});
  MarianModel model = with("dec-cell", "sru");
  model.options["enc-cell"] = "sru";
  expect_refused(model, {"'dec-cell'", "sru", "gru or lstm"});
  expect_refused(with("enc-type", "convolutional"), {"'enc-type'", "alternating"});
  expect_refused(with("dec-cell-base-depth", "1"), {"'dec-cell-base-depth'", "1"});
  expect_refused(with("dim-rnn", "16"), {"encoder_bi_W", "[6, 16]", "[6, 32]"});
  expect_refused(with("enc-depth", "2"), {"encoder_bi_l2_cell1_W", "encoder.1.forwards"});
  expect_refused(with("layer-normalization", "true"), {"encoder_bi_gamma1", "no tensor"});
  model = MarianRecurrent({.type = "amun"}).named();
  model.options["dec-depth"] = "2";
  expect_refused(model, {"'dec-depth'", "2", "1"});
  model = MarianRecurrent({}).named();
  model.arrays.at("decoder_U_att").values[3] = NAN;
  expect_refused(model, {"decoder_U_att", "not a number"});
}

}  // namespace
}  // namespace gloss
