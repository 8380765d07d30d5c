// SPDX-License-Identifier: Apache-2.0
// gloss import of directories of CTranslate2, through the real binary.
#include <gtest/gtest.h>

#include <cstring>

#include "base/files.h"
#include "model/formats/safetensors.h"
#include "model/model_directory.h"
#include "tests/pipeline/foreign/import_ctranslate2.h"
#include "tests/support/shared_data.h"
#include "tests/support/subword_model.h"

namespace gloss {
namespace {

TEST_F(ImportCTranslate2, KeepsWeightsAndWords) {
  const CTranslate2Model model;
  const ProgramResult result = import_from(model);
  ASSERT_EQ(result.status, 0) << result.errors;
  const SafetensorsFile file(own + "/model.safetensors");
  const auto expect_bytes = [&](const std::string& name, const std::string& of) {
    const NamedArray& array = file.arrays().at(name);
    const std::string& data = model.items.at(of).data;
    ASSERT_EQ(index(array.shape.count()) * sizeof(float), data.size()) << name;
    EXPECT_EQ(std::memcmp(array.data, data.data(), data.size()), 0) << name;
  };
  expect_bytes("source_embedding.weight", "encoder/embeddings_0/weight");
  expect_bytes("target_embedding.weight", "decoder/embeddings/weight");
  expect_bytes("output.weight", "decoder/projection/weight");
  expect_bytes("output.bias", "decoder/projection/bias");
  expect_bytes("decoder.norm.weight", "decoder/layer_norm/gamma");
  expect_bytes("encoder.0.self_attention.query_key_value.weight",
               "encoder/layer_0/self_attention/linear_0/weight");
  expect_bytes("decoder.0.cross_attention.key_value.weight", "decoder/layer_0/attention/linear_1/weight");
  const ProgramResult ids =
      gloss({"encode", "-t", own + "/tokenizer.model", "--output-type", "id"}, "the mat dog\n");
  EXPECT_EQ(ids.output, "3 7 0\n") << ids.errors;
  EXPECT_NE(translation("the cat sat\n"), "");
}

TEST_F(ImportCTranslate2, PositionsStartAtOneUnlessTheyAreStored) {
  CTranslate2Model model;
  ASSERT_EQ(import_from(model).status, 0);
  const SafetensorsFile file(own + "/model.safetensors");
  const NamedArray& positions = file.arrays().at("encoder.positions");
  EXPECT_EQ(positions.shape.columns(), int{CTranslate2Model::kWidth});
  const auto* const first = static_cast<const float*>(positions.data);
  EXPECT_FLOAT_EQ(first[0], std::sin(1.0F));
  EXPECT_FLOAT_EQ(first[CTranslate2Model::kWidth / 2], std::cos(1.0F));
  for (const std::string side : {"encoder", "decoder"})
    model.add(side + "/position_encodings/encodings", {20, CTranslate2Model::kWidth});
  ASSERT_EQ(import_from(model).status, 0);
  const SafetensorsFile stored(own + "/model.safetensors");
  const NamedArray& array = stored.arrays().at("decoder.positions");
  EXPECT_EQ(
      std::memcmp(array.data, model.items.at("decoder/position_encodings/encodings").data.data(), 20 * 32),
      0);
}

TEST_F(ImportCTranslate2, AliasesTieEmbeddings) {
  CTranslate2Model model;
  model.items.erase("decoder/projection/weight");
  model.aliases.push_back({"decoder/projection/weight", "decoder/embeddings/weight"});
  ASSERT_EQ(import_from(model).status, 0);
  EXPECT_EQ(read_model_config(own)["network"]["tied_embeddings"], "target");
  model.items.erase("encoder/embeddings_0/weight");
  model.aliases.push_back({"encoder/embeddings_0/weight", "decoder/embeddings/weight"});
  ASSERT_EQ(import_from(model).status, 0);
  EXPECT_EQ(read_model_config(own)["network"]["tied_embeddings"], "all");
}

TEST_F(ImportCTranslate2, SettingsAreThoseOfTheVariables) {
  CTranslate2Model model;
  for (const std::string side : {"encoder/", "decoder/"}) {
    model.add_number<std::int8_t>(side + "activation", 2);
    model.add_number<std::int8_t>(side + "scale_embeddings", 0);
    model.add_linear(side + "layer_0/ffn/linear_0_noact", CTranslate2Model::kInner, CTranslate2Model::kWidth);
    model.add_norm(side + "layernorm_embedding");
  }
  model.config["layer_norm_epsilon"] = 1e-6;
  const ProgramResult result = import_from(model);
  ASSERT_EQ(result.status, 0) << result.errors;
  const nlohmann::json network = read_model_config(own)["network"];
  EXPECT_EQ(network["activation"], "swish");
  EXPECT_EQ(network["scale_embeddings"], false);
  EXPECT_EQ(network["gated_feed_forward"], true);
  EXPECT_EQ(network["embedding_norm"], true);
  EXPECT_EQ(network["norm_epsilon"], 1e-6);
  EXPECT_EQ(network["norm"], "pre");
}

TEST_F(ImportCTranslate2, RefusesWhatItCannotRead) {
  const auto with = [](auto change) {
    CTranslate2Model model;
    change(model);
    return model;
  };
  using Model = CTranslate2Model;
  expect_refused(with([](Model& m) {
                   m.add("encoder/embeddings_1/weight", {8, 8});
                 }),
                 "encoder/embeddings_1/weight", "model.bin");
  expect_refused(with([](Model& m) {
                   m.add("encoder/layer_0/self_attention/relative_position_keys", {4, 4});
                 }),
                 "relative_position_keys", "model.bin");
  expect_refused(with([](Model& m) { m.add_number<std::int8_t>("decoder/activation", 2); }), "activation",
                 "2");
  expect_refused(with([](Model& m) {
                   for (const std::string side : {"encoder/", "decoder/"})
                     m.add_number<std::int8_t>(side + "activation", 9);
                 }),
                 "activation", "9");
  expect_refused(with([](Model& m) { m.add_number<std::int16_t>("decoder/num_heads", -2); }), "num_heads",
                 "-2");
  expect_refused(with([](Model& m) { m.add("decoder/num_heads", {4}); }), "num_heads", "[4]");
  expect_refused(with([](Model& m) { m.items.erase("decoder/layer_0/ffn/linear_1/bias"); }),
                 "decoder/layer_0/ffn/linear_1/bias", "decoder.0.feed_forward.outer.bias");
  expect_refused(with([](Model& m) { m.items.erase("encoder/layer_0/self_attention/linear_0/weight"); }),
                 "encoder", "layer_0");
  expect_refused(with([](Model& m) {
                   m.add("decoder/layer_0/ffn/linear_0/weight", {12, 9});
                 }),
                 "decoder/layer_0/ffn/linear_0/weight", "[12, 9]");
  expect_refused(with([](Model& m) { m.tokens.pop_back(); }), "7", "8");
  expect_refused(with([](Model& m) { m.tokens[4] = "the"; }), "shared_vocabulary.json", "'the'");
  expect_refused(with([](Model& m) { m.config["decoder_start_token"] = nullptr; }), "decoder_start_token",
                 "null");
  expect_refused(with([](Model& m) { m.config["eos_token"] = "<end>"; }), "shared_vocabulary.json", "<end>");
  expect_refused(with([](Model& m) { m.config["eos_token"] = 3; }), "'eos_token'", "3");
}

TEST_F(ImportCTranslate2, SentencePieceModelsSplitText) {
  CTranslate2Model model;
  model.tokens = {"<unk>", "<s>", "</s>", "▁the", "▁cat", "▁sat", "▁on", "▁mat"};
  model.write(foreign);
  write_file(foreign + "/source.spm", cat_model());
  const ProgramResult result = gloss({"import", foreign, "--output", own});
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_EQ(gloss({"encode", "-t", own + "/tokenizer.model", "--output-type", "id"}, "the cat\n").output,
            "3 4\n");
  std::filesystem::rename(foreign + "/source.spm", foreign + "/a.spm");
  write_file(foreign + "/b.model", cat_model());
  const ProgramResult several = gloss({"import", foreign, "--output", own, "--overwrite"});
  EXPECT_EQ(several.status, 3);
  EXPECT_TRUE(has(several.errors, "a.spm, b.model")) << several.errors;
  EXPECT_TRUE(has(several.errors, "source.spm")) << several.errors;
}

TEST_F(ImportCTranslate2, TokensAroundSourcesAreThoseOfTheConfiguration) {
  CTranslate2Model model;
  std::vector<double> scores;
  for (const auto& [begin, end] : {std::pair(false, true), std::pair(false, false), std::pair(true, false)}) {
    model.config["add_source_bos"] = begin;
    model.config["add_source_eos"] = end;
    ASSERT_EQ(import_from(model).status, 0);
    const std::vector<std::string> translate{"translate", "-m", own, "--max-length", "6", "--format", "json"};
    for (const double other : scores) EXPECT_NE(best_score(gloss(translate, "the cat\n")), other);
    scores.push_back(best_score(gloss(translate, "the cat\n")));
    folder.write("a", "the cat\n\n");
    folder.write("b", "sat on\n\n");
    const std::vector<std::string> pair{"-m", own, "--source", folder / "a", "--target", folder / "b"};
    for (const std::string command : {"score", "align"}) {
      std::vector<std::string> words{command};
      words.insert(words.end(), pair.begin(), pair.end());
      const ProgramResult result = gloss(words);
      EXPECT_EQ(result.status, 0) << result.errors;
      EXPECT_EQ(output_lines(result.output).size(), 2u) << result.output;
    }
  }
}

/// Tab-separated columns of a recorded file.
std::vector<std::vector<std::string>> recorded_columns(const std::string& path) {
  std::vector<std::vector<std::string>> rows;
  for (const std::string& line : split(read_file(path), '\n')) {
    if (!line.empty()) rows.push_back(split(line, '\t'));
  }
  return rows;
}

TEST_F(ImportCTranslate2, TranslatesAsCTranslate2Did) {
  GLOSS_NEED_SHARED_DATA(recorded, "interchange/ctranslate2");
  const ProgramResult result = gloss({"import", *recorded + "/aren-transliteration", "-o", own});
  ASSERT_EQ(result.status, 0) << result.errors;
  std::string sources;
  const auto greedy = recorded_columns(*recorded + "/v2_aren-transliteration.greedy.tsv");
  for (const auto& row : greedy) sources += row[0] + "\n";
  const ProgramResult translation =
      gloss({"translate", "-m", own, "--beam-size", "1", "--precision", "f32", "--format", "json"}, sources);
  ASSERT_EQ(translation.status, 0) << translation.errors;
  const std::vector<nlohmann::json> lines = json_lines(translation.output);
  ASSERT_EQ(lines.size(), greedy.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const nlohmann::json& best = lines[i]["translations"][0];
    EXPECT_EQ(best["text"], greedy[i][1]);
    double expected = 0;
    ASSERT_TRUE(parse_number(greedy[i][2], expected));
    EXPECT_NEAR(best["log_probability"].get<double>(), expected, 1e-4) << greedy[i][0];
  }
  for (const auto& row : recorded_columns(*recorded + "/expected_from_ctranslate2_tests.tsv")) {
    const std::string forced = "forced target prefix: ";
    if (row[0] == "model") continue;
    std::vector<std::string> words{"translate", "-m", own, "--beam-size", "2"};
    std::string line = row[2];
    if (row[1].starts_with(forced)) {
      words.emplace_back("--prefix");
      line += "\t" + row[1].substr(forced.size());
    }
    EXPECT_EQ(gloss(words, line + "\n").output, row[3] + "\n") << row[1];
  }
}

}  // namespace
}  // namespace gloss
