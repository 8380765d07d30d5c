// SPDX-License-Identifier: Apache-2.0
// gloss import through the real binary.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/files.h"
#include "base/json.h"
#include "tests/support/has.h"
#include "tests/support/hugging_face_marian.h"
#include "tests/support/run_program.h"
#include "tests/support/shared_data.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/untrained_program.h"

namespace gloss {
namespace {

constexpr int kHuggingFaceWidth = HuggingFaceMarian::kWidth;

struct Import : testing::Test {
  ProgramResult gloss(std::vector<std::string> words, const std::string& input = "") const {
    words.insert(words.begin(), kGlossBinary);
    return run_program(words, input);
  }
  ProgramResult import_from(const HuggingFaceMarian& model) const {
    model.write(foreign);
    return gloss({"import", foreign, "--output", own, "--overwrite"});
  }
  void expect_refused(const HuggingFaceMarian& model, const std::string& name,
                      const std::string& figure) const {
    const ProgramResult result = import_from(model);
    EXPECT_EQ(result.status, 3) << result.errors;
    EXPECT_TRUE(has(result.errors, name)) << result.errors;
    EXPECT_TRUE(has(result.errors, figure)) << result.errors;
    EXPECT_FALSE(std::filesystem::exists(own + "/config.json"));
  }

  TemporaryDirectory folder;
  std::string foreign = folder / "foreign", own = folder / "own";
};

TEST_F(Import, KeepsEveryWeight) {
  const HuggingFaceMarian model;
  const ProgramResult result = import_from(model);
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_FALSE(has(result.errors, "not used")) << result.errors;
  const SafetensorsFile file(own + "/model.safetensors");
  const auto expect_rows = [&](const std::string& name, std::int64_t row, const std::string& of) {
    const NamedArray& array = file.arrays().at(name);
    const std::vector<float>& values = model.arrays.at(of).values;
    const auto* const own_values = static_cast<const float*>(array.data) + row * array.shape.columns();
    EXPECT_TRUE(std::equal(values.begin(), values.end(), own_values)) << name << " from " << of;
  };
  expect_rows("embedding.weight", 0, "model.shared.weight");
  const std::string self = "decoder.0.self_attention", cross = "decoder.0.cross_attention",
                    layer = "model.decoder.layers.0.";
  expect_rows(self + ".query_key_value.weight", 0, layer + "self_attn.q_proj.weight");
  expect_rows(self + ".query_key_value.weight", kHuggingFaceWidth, layer + "self_attn.k_proj.weight");
  expect_rows(self + ".query_key_value.weight", 2 * kHuggingFaceWidth, layer + "self_attn.v_proj.weight");
  expect_rows(cross + ".query.weight", 0, layer + "encoder_attn.q_proj.weight");
  expect_rows(cross + ".key_value.weight", kHuggingFaceWidth, layer + "encoder_attn.v_proj.weight");
  expect_rows("encoder.0.feed_forward.inner.weight", 0, "model.encoder.layers.0.fc1.weight");
}

TEST_F(Import, MakesAnOrdinaryModel) {
  HuggingFaceMarian model;
  ASSERT_EQ(import_from(model).status, 0);
  const ProgramResult info = gloss({"info", own});
  EXPECT_EQ(info.status, 0) << info.errors;
  EXPECT_TRUE(has(info.output, "swish")) << info.output;
  const std::vector<std::string> translate{"translate", "-m", own, "--max-length", "20", "--n-best", "3"};
  const ProgramResult result = gloss(translate, "the cat sat\non the mat\n\n");
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_EQ(output_lines(result.output).size(), 7u) << result.output;
  std::vector<std::string> alone = translate;
  alone.insert(alone.end(), {"--batch-size", "1", "-j", "2"});
  EXPECT_EQ(gloss(alone, "the cat sat\non the mat\n\n").output, result.output);
  EXPECT_EQ(gloss({"quantize", "-m", own, "-o", folder / "small"}).status, 0);
  EXPECT_EQ(gloss({"translate", "-m", folder / "small", "--max-length", "20"}, "the cat\n").status, 0);
  folder.write("a", "the cat\n");
  folder.write("b", "the mat\n");
  EXPECT_EQ(gloss({"score", "-m", own, "--source", folder / "a", "--target", folder / "b"}).status, 0);
  EXPECT_EQ(gloss({"align", "-m", own, "--source", folder / "a", "--target", folder / "b"}).status, 0);
}

TEST_F(Import, NeverTranslatesToPadding) {
  HuggingFaceMarian model;
  model.arrays.at("final_logits_bias").values.back() = 100;  // of <pad>, which would be the only output
  ASSERT_EQ(import_from(model).status, 0);
  const ProgramResult result =
      gloss({"translate", "-m", own, "--max-length", "5", "--beam-size", "1"}, "the cat\n");
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_NE(result.output, "\n");
}

TEST_F(Import, RenormalisedProbabilitiesAreThoseOfTheOtherTokens) {
  const auto translated = [&](bool renormalizes, float more, const std::vector<std::string>& options) {
    HuggingFaceMarian model;
    model.files["generation_config.json"] =
        nlohmann::json{{"bad_words_ids", {{14}}}, {"renormalize_logits", renormalizes}}.dump();
    model.arrays.at("final_logits_bias").values.back() += more;  // of <pad>
    EXPECT_EQ(import_from(model).status, 0);
    std::vector<std::string> words{"translate", "-m",       own,    "--max-length", "9",  "--n-best",
                                   "2",         "--format", "json", "--precision",  "f32"};
    words.insert(words.end(), options.begin(), options.end());
    const ProgramResult result = gloss(words, "the cat sat\non the mat\n");
    EXPECT_EQ(result.status, 0) << result.errors;
    return json_lines(result.output);
  };
  const auto difference = [](const std::vector<nlohmann::json>& some,
                             const std::vector<nlohmann::json>& others) {
    double largest = 0;
    for (std::size_t line = 0; line < some.size(); ++line) {
      const nlohmann::json &one = some[line]["translations"][0], &other = others[line]["translations"][0];
      if (one["text"] != other["text"]) return 1000.0;
      const double distance = one["log_probability"].get<double>() - other["log_probability"].get<double>();
      largest = std::max(largest, std::abs(distance));
    }
    return largest;
  };
  folder.write("ban", "no such phrase\n");
  // The last one needs the scores of all tokens.
  for (const std::vector<std::string>& options :
       std::vector<std::vector<std::string>>{{}, {"--ban", folder / "ban"}}) {
    EXPECT_LT(difference(translated(true, 6, options), translated(true, 0, options)), 1e-4);
    EXPECT_GT(difference(translated(false, 6, options), translated(false, 0, options)), 1);
  }
  EXPECT_EQ(translated(true, 6, {}), translated(true, 6, {"--ban", folder / "ban"}));
}

TEST_F(Import, RefusesWhatItCannotRead) {
  const auto with = [](const std::string& member, const nlohmann::json& value) {
    HuggingFaceMarian model;
    model.config[member] = value;
    return model;
  };
  expect_refused(with("model_type", "mamba"), "'model_type' is \"mamba\"", "marian");
  expect_refused(with("normalize_before", true), "'normalize_before'", "false");
  expect_refused(with("d_model", "8"), "'d_model'", "2 to");
  expect_refused(with("d_model", 16), "model.shared.weight", "[15, 16]");
  expect_refused(with("decoder_attention_heads", 3), "decoder_heads 3", "width 8");
  expect_refused(with("encoder_layers", 2), "encoder.layers.1.", "encoder.1.");
  expect_refused(with("eos_token_id", 99), "vocab.json", "99");
  expect_refused(with("vocab_size", 14), "config.json", "15 pieces");
  HuggingFaceMarian model;
  model.arrays.erase("model.decoder.layers.0.fc1.bias");
  expect_refused(model, "decoder.layers.0.fc1.bias", "decoder.0.feed_forward.inner.bias");
  model = HuggingFaceMarian();
  model.arrays.at("model.encoder.layers.0.fc1.weight").values[5] = std::numeric_limits<float>::quiet_NaN();
  expect_refused(model, "model.encoder.layers.0.fc1.weight", "not a number");
  model = HuggingFaceMarian();
  model.vocabulary["▁the"] = 0;
  expect_refused(model, "vocab.json", "0");
  model = HuggingFaceMarian();
  model.vocabulary.erase("<unk>");
  expect_refused(model, "vocab.json", "");

  std::filesystem::create_directory(folder / "empty");
  for (const std::string& path : {folder / "empty", folder / "missing"}) {
    const ProgramResult result = gloss({"import", path, "-o", own});
    EXPECT_EQ(result.status, 3) << result.errors;
    EXPECT_TRUE(has(result.errors, path)) << result.errors;
  }
  EXPECT_EQ(gloss({"import", "-o", own}).status, 2);
  EXPECT_EQ(gloss({"import", foreign}).status, 2);
}

TEST_F(Import, TwoArgumentsMayMeanAnOutput) {
  HuggingFaceMarian().write(foreign);
  const ProgramResult result = gloss({"import", foreign, own});
  EXPECT_EQ(result.status, 2);
  EXPECT_TRUE(has(result.errors, concat("gloss import ", foreign, " --output ", own))) << result.errors;
  EXPECT_FALSE(std::filesystem::exists(own));
}

TEST_F(Import, TheModelKnowsWhereItCameFrom) {
  ASSERT_EQ(import_from(HuggingFaceMarian()).status, 0);
  ASSERT_EQ(gloss({"quantize", "-m", own, "-o", folder / "small"}).status, 0);
  for (const std::string& model : {foreign, own, folder / "small"}) {
    const ProgramResult result = gloss({"info", model, "--format", "json"});
    ASSERT_EQ(result.status, 0) << result.errors;
    const nlohmann::json imported = nlohmann::json::parse(result.output)["imported"];
    EXPECT_EQ(imported["format"], "Hugging Face directory") << model;
    EXPECT_TRUE(has(imported["model"].get<std::string>(), "Marian")) << imported;
  }
  const nlohmann::json config = read_json(own + "/config.json");
  EXPECT_FALSE(has(config.dump(), foreign)) << "a path may be private";
}

TEST_F(Import, DoesNotReplaceOtherFiles) {
  HuggingFaceMarian().write(foreign);
  std::filesystem::create_directory(own);
  folder.write("own/notes", "mine");
  EXPECT_EQ(gloss({"import", foreign, "-o", own}).status, 2);
  EXPECT_EQ(folder.read("own/notes"), "mine");
  EXPECT_EQ(gloss({"import", foreign, "-o", foreign, "--overwrite"}).status, 2);
  EXPECT_TRUE(std::filesystem::exists(foreign + "/vocab.json"));
}

TEST_F(Import, ReplacesAllFilesOfAnExportedModel) {
  ASSERT_EQ(import_from(HuggingFaceMarian()).status, 0);
  const std::string there = folder / "there";
  for (const std::string format : {"huggingface", "ctranslate2"}) {
    ASSERT_EQ(gloss({"export", "-m", own, "--format", format, "-o", there, "--overwrite"}).status, 0)
        << format;
    write_file(there + "/notes", "mine");
    ASSERT_EQ(gloss({"import", foreign, "-o", there, "--overwrite"}).status, 0) << format;
    std::vector<std::string> names = names_in(there);
    std::ranges::sort(names);
    std::vector<std::string> expected = names_in(own);
    expected.emplace_back("notes");
    std::ranges::sort(expected);
    EXPECT_EQ(names, expected) << format;
    EXPECT_EQ(read_file(there + "/notes"), "mine");
  }
}

TEST_F(Import, RefusesArraysWithoutUse) {
  HuggingFaceMarian model;
  model.add("model.encoder.extra", {3});
  expect_refused(model, "model.encoder.extra", foreign);
  model = HuggingFaceMarian();
  model.arrays["model.encoder.embed_tokens.weight"] = model.arrays.at("model.shared.weight");
  EXPECT_EQ(import_from(model).status, 0);
  std::filesystem::remove_all(own);
  model.arrays.at("model.encoder.embed_tokens.weight").values[5] += 1;
  expect_refused(model, "model.encoder.embed_tokens.weight", "model.shared.weight");
}

/// Greedy translations against those that transformers recorded, with their log-probabilities.
void expect_recorded(const Import& import, const std::string& name) {
  GLOSS_NEED_SHARED_DATA(recorded, "interchange/huggingface/" + name);
  constexpr JsonLimits kReference{
      .bytes = 64 << 20, .values = 10'000'000, .string_bytes = 1 << 20, .depth = 16};
  const nlohmann::json reference = read_json(*recorded + "/reference.json", kReference);
  const ProgramResult result = import.gloss({"import", *recorded, "-o", import.own});
  ASSERT_EQ(result.status, 0) << result.errors;
  int cases = 0;
  for (const nlohmann::json& one : reference["cases"]) {
    if (!one.contains("text") || one["greedy"]["eos_was_forced_at_limit"]) continue;
    const ProgramResult translation =
        import.gloss({"translate", "-m", import.own, "--beam-size", "1", "--precision", "f32", "--max-length",
                      "63", "--format", "json"},
                     one["text"].get<std::string>() + "\n");
    ASSERT_EQ(translation.status, 0) << translation.errors;
    const nlohmann::json best = json_lines(translation.output)[0]["translations"][0];
    double expected = 0;
    for (const double log_probability : one["greedy"]["token_log_probs"]) expected += log_probability;
    EXPECT_NEAR(best["log_probability"].get<double>(), expected, 1e-4) << one["text"];
    EXPECT_EQ(best["tokens"], one["greedy"]["tokens"].size()) << one["text"];
    ++cases;
  }
  EXPECT_GE(cases, 3);
}

/// Changes a member of a JSON file.
void set_member(const std::string& path, const std::string& member, const nlohmann::json& value) {
  nlohmann::json content = read_json(path);
  content[member] = value;
  write_json(path, content);
}

TEST_F(Import, ScoresAreThoseWithoutPaddingIfTransformersRenormalises) {
  GLOSS_NEED_SHARED_DATA(recorded, "interchange/huggingface/marian");
  std::filesystem::copy(*recorded, foreign);
  std::filesystem::permissions(foreign + "/generation_config.json", std::filesystem::perms::owner_all);
  set_member(foreign + "/generation_config.json", "renormalize_logits", true);
  const nlohmann::json reference =
      read_json(*recorded + "/reference.json",
                {.bytes = 64 << 20, .values = 10'000'000, .string_bytes = 1 << 20, .depth = 16});
  const ProgramResult imported = gloss({"import", foreign, "-o", own});
  ASSERT_EQ(imported.status, 0) << imported.errors;
  int cases = 0;
  for (const nlohmann::json& one : reference["cases"]) {
    if (!one.contains("text")) continue;
    const ProgramResult result =
        gloss({"translate", "-m", own, "--beam-size", "4", "--n-best", "4", "--precision", "f32",
               "--max-length", "39", "--length-penalty", "1", "--format", "json"},
              one["text"].get<std::string>() + "\n");
    ASSERT_EQ(result.status, 0) << result.errors;
    for (const nlohmann::json& expected : one["beam4"]["hypotheses"]) {
      if (expected["reached_limit"]) continue;
      const double plain = expected["score"], score = expected["score_pad_excluded"];
      const nlohmann::json found = json_lines(result.output)[0]["translations"];
      EXPECT_GT(score, plain + 2e-5);
      for (const nlohmann::json& translation : found) {
        if (std::abs(translation["score"].get<double>() - score) < 1e-5) ++cases;
      }
    }
  }
  EXPECT_GE(cases, 6);
}

TEST_F(Import, TranslatesAsTransformersDid) { expect_recorded(*this, "marian"); }
TEST_F(Import, TranslatesAsTransformersDidWithAnotherDecoder) { expect_recorded(*this, "marian-separate"); }
TEST_F(Import, TranslatesAsTransformersDidWithT5) { expect_recorded(*this, "t5"); }
TEST_F(Import, TranslatesAsTransformersDidWithGatedT5) { expect_recorded(*this, "t5-v1_1"); }
TEST_F(Import, TranslatesAsTransformersDidInF16) { expect_recorded(*this, "marian-fp16"); }

}  // namespace
}  // namespace gloss
