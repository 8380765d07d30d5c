// SPDX-License-Identifier: Apache-2.0
// Settings and arrays of Marian's models that change what the networks compute.
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

struct ImportMarianOptions : testing::Test {
  ProgramResult import_from(const MarianModel& model) const {
    std::filesystem::remove_all(folder / "foreign");
    model.write(folder / "foreign");
    return run_program(
        {kGlossBinary, "import", folder / "foreign", "--output", folder / "own", "--overwrite"});
  }
  void expect_refused(const MarianModel& model, const std::vector<std::string>& names) const {
    const ProgramResult result = import_from(model);
    EXPECT_EQ(result.status, 3) << result.errors;
    for (const std::string& name : names) EXPECT_TRUE(has(result.errors, name)) << name << result.errors;
  }
  static MarianModel with(const std::string& option, const std::string& value) {
    MarianModel model;
    model.options[option] = value;
    return model;
  }
  static MarianModel with_unit() {
    MarianModel model;
    model.options["transformer-decoder-autoreg"] = "rnn";
    model.options["dec-cell"] = "ssru";
    model.remove("decoder_l1_self");
    model.add("decoder_l1_rnn_W", {MarianModel::kWidth, MarianModel::kWidth});
    model.add_linear("decoder_l1_rnn", "f");
    model.add_norm("decoder_l1_rnn_ffn");
    return model;
  }
  std::vector<double> scores() const {
    folder.write("a", "the cat sat\non the mat\na\n");
    folder.write("b", "on a mat the\nthe the\ncat\n");
    const ProgramResult result =
        run_program({kGlossBinary, "score", "-m", folder / "own", "--source", folder / "a", "--target",
                     folder / "b", "--precision", "f32", "--format", "json"});
    EXPECT_EQ(result.status, 0) << result.errors;
    std::vector<double> all;
    for (const nlohmann::json& line : json_lines(result.output)) all.push_back(line["log_probability"]);
    return all;
  }

  TemporaryDirectory folder;
};

TEST_F(ImportMarianOptions, SettingsAreReadOrRefused) {
  struct Refused {
    const char *name, *value;
  };
  const std::vector<Refused> everywhere{{"right-left", "true"},
                                        {"ulr", "true"},
                                        {"factors-dim-emb", "4"},
                                        {"factors-combine", "concat"},
                                        {"lemma-dim-emb", "4"},
                                        {"lemma-dependency", "re-embedding"},
                                        {"special-vocab", "[2]"},
                                        {"input-join-fields", "true"},
                                        {"input-types", "[sequence, class]"},
                                        {"transformer-pool", "true"},
                                        {"transformer-attention-mask", "alibi"},
                                        {"transformer-alibi-trainable", "true"},
                                        {"transformer-disable-position-embeddings", "true"},
                                        {"transformer-no-bias", "true"},
                                        {"transformer-no-affine", "true"},
                                        {"transformer-postprocess", "dah"},
                                        {"transformer-ffn-activation", "tanh"},
                                        {"transformer-ffn-depth", "1"},
                                        {"transformer-decoder-ffn-depth", "3"},
                                        {"transformer-decoder-autoreg", "linear"},
                                        {"type", "transformer-new"},
                                        {"type", "char-s2s"},
                                        {"type", "bert"},
                                        {"type", "multi-transformer"}};
  for (const Refused& option : everywhere)
    expect_refused(with(option.name, option.value), {concat("'", option.name, "'"), "expected"});
  MarianModel unit = with_unit();
  EXPECT_EQ(import_from(unit).status, 0);
  for (const std::string name : {"transformer-rnn-projection", "layer-normalization"}) {
    unit = with_unit();
    unit.options[name] = "true";
    expect_refused(unit, {concat("'", name, "'"), "false"});
    EXPECT_EQ(import_from(with(name, "true")).status, 0) << "of the recurrent unit only";
  }
}

TEST_F(ImportMarianOptions, SettingsOfTrainingAndOfOtherNetworksChangeNothing) {
  ASSERT_EQ(import_from(MarianModel()).status, 0);
  const std::string weights = folder.read("own/model.safetensors"), config = folder.read("own/config.json");
  MarianModel model;
  model.options.insert({{"transformer-depth-scaling", "true"},
                        {"transformer-train-position-embeddings", "true"},
                        {"transformer-guided-alignment-layer", "1"},
                        {"transformer-alibi-shift", "true"},
                        {"transformer-dim-aan", "99"},
                        {"transformer-aan-nogate", "true"},
                        {"transformer-decoder-dim-ffn", "0"},
                        {"bert-train-type-embeddings", "true"},
                        {"bert-type-vocab-size", "2"},
                        {"dec-cell-base-depth", "1"},
                        {"skip", "true"},
                        {"dim-rnn", "77"},
                        {"input-types", "[sequence, sequence, alignment]"},
                        {"lemma-dependency", "\"\""},
                        {"factors-combine", "sum"},
                        {"separator-symbol", "\"[eos]\""},
                        {"a-later-setting", "false"},
                        {"another-later-setting", "~"}});
  const ProgramResult result = import_from(model);
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_FALSE(has(result.errors, "not followed")) << result.errors;
  EXPECT_EQ(folder.read("own/model.safetensors"), weights);
  EXPECT_EQ(folder.read("own/config.json"), config);
  const ProgramResult noted = import_from(with("a-later-setting", "true"));
  EXPECT_EQ(noted.status, 0);
  EXPECT_TRUE(has(noted.errors, "'a-later-setting'")) << noted.errors;
}

TEST_F(ImportMarianOptions, SettingsOfTheDecoderBecomeDefaultsOrNotes) {
  MarianModel().write(folder / "foreign");
  const std::string files = "models: [model.npz]\nvocabs: [vocab.yml, vocab.yml]\n";
  const auto import_with = [&](const std::string& settings) {
    MarianModel::write_file(folder / "foreign", "model.npz.decoder.yml", files + settings);
    return run_program(
        {kGlossBinary, "import", folder / "foreign", "--output", folder / "own", "--overwrite"});
  };
  const auto search = [&] { return read_json(folder / "own/config.json").at("text").at("search"); };
  const auto expected = [](int beam_size, double length_penalty, int factor) {
    return nlohmann::json({{"beam_size", beam_size},
                           {"length_penalty", length_penalty},
                           {"max_length_factor", factor},
                           {"max_length_offset", factor}});  // for the end token of the source
  };
  ProgramResult result = import_with("word-penalty: 0\nmax-length-factor: 3\nallow-unk: false\n");
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_FALSE(has(result.errors, "not followed")) << result.errors;
  EXPECT_EQ(search(), expected(12, 0, 3)) << "Marian's defaults";
  result = import_with("beam-size: 6\nnormalize: 0.6\nword-penalty: 0.1\nmax-length-factor: 2\n");
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_EQ(search(), expected(6, 0.6, 2));
  EXPECT_TRUE(has(result.errors, "'word-penalty'")) << result.errors;
  EXPECT_FALSE(has(result.errors, "'max-length-factor'")) << result.errors;
  result = import_with("max-length-factor: 1.5\n");
  EXPECT_TRUE(has(result.errors, "'max-length-factor'")) << result.errors;
}

TEST_F(ImportMarianOptions, ArraysWithoutUseAreErrors) {
  MarianModel model;
  model.add("decoder_l1_context_enc2_Wq", {8, 8});
  model.add("encoder_l9_self_Wq", {8, 8});
  expect_refused(model, {"decoder_l1_context_enc2_Wq", "1 more", "special:model.yml"});
  model = MarianModel();
  model.add("encoder_l1_self_Wq_QuantMultA", {1, 1});
  const ProgramResult result = import_from(model);
  EXPECT_EQ(result.status, 0) << result.errors;
}

TEST_F(ImportMarianOptions, LearnedPositionsAreSharedAndEmbeddingsAreNotScaled) {
  constexpr int kRows = 9, kHalf = MarianModel::kWidth / 2;
  MarianModel computed;
  computed.options["tied-embeddings-all"] = "false";
  computed.remove("Wemb");
  for (const std::string name : {"encoder_Wemb", "decoder_Wemb", "decoder_ff_logit_out_Wt"})
    computed.add(name, {8, MarianModel::kWidth});
  ASSERT_EQ(import_from(computed).status, 0);
  const std::vector<double> expected = scores();

  MarianModel learned = computed;
  for (const std::string name : {"encoder_Wemb", "decoder_Wemb"}) {
    for (float& value : learned.arrays.at(name).values) value *= std::sqrt(8.0f);
  }
  learned.add("Wpos", {kRows, MarianModel::kWidth});
  for (int row = 0; row < kRows; ++row) {
    for (int column = 0; column < 2 * kHalf; ++column) {
      const double angle = row * std::pow(1e-4, static_cast<double>(column % kHalf) / (kHalf - 1));
      learned.arrays.at("Wpos").values[index(row * 2 * kHalf + column)] =
          static_cast<float>(column < kHalf ? std::sin(angle) : std::cos(angle));
    }
  }
  const ProgramResult result = import_from(learned);
  ASSERT_EQ(result.status, 0) << result.errors;
  const std::vector<double> found = scores();
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-4);
  EXPECT_TRUE(has(folder.read("own/config.json"), "\"max_positions\": 9"));

  learned.add("Wpos", {kRows, MarianModel::kWidth - 2});
  expect_refused(learned, {"Wpos", "[9, 6]", "[9, 8]"});
  learned.add("Wpos", {8});
  expect_refused(learned, {"Wpos", "[8]", "2 or more positions"});
}

}  // namespace
}  // namespace gloss
