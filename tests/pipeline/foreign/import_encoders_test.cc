// SPDX-License-Identifier: Apache-2.0
// Imported encoders (BERT, RoBERTa) and language models (GPT-2).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/json.h"
#include "pipeline/text_models/text_model.h"
#include "tests/support/has.h"
#include "tests/support/hugging_face_encoders.h"
#include "tests/support/run_program.h"
#include "tests/support/shared_data.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/untrained_program.h"

namespace gloss {
namespace {

constexpr JsonLimits kReferenceLimits{
    .bytes = 64 << 20, .values = 10'000'000, .string_bytes = 1 << 20, .depth = 16};

struct ImportEncoders : testing::Test {
  ProgramResult gloss(std::vector<std::string> words, const std::string& input = "") const {
    words.insert(words.begin(), kGlossBinary);
    return run_program(words, input);
  }
  ProgramResult import_from(const HuggingFaceDirectory& model) const {
    std::filesystem::remove_all(foreign);
    model.write(foreign);
    return gloss({"import", foreign, "--output", own, "--overwrite"});
  }
  void expect_refused(const HuggingFaceDirectory& model, const std::string& name,
                      const std::string& figure) const {
    const ProgramResult result = import_from(model);
    EXPECT_EQ(result.status, 3) << result.errors;
    EXPECT_TRUE(has(result.errors, name)) << result.errors;
    EXPECT_TRUE(has(result.errors, figure)) << result.errors;
  }
  /// Imports a recorded model; null: the record is missing.
  nlohmann::json recorded(const std::string& name) const {
    const std::optional<std::string> path = shared_data("interchange/huggingface/" + name);
    if (!path) return {};
    const ProgramResult result = gloss({"import", *path, "-o", own, "--overwrite"});
    EXPECT_EQ(result.status, 0) << result.errors;
    return read_json(*path + "/reference.json", kReferenceLimits);
  }

  TemporaryDirectory folder;
  std::string foreign = folder / "foreign", own = folder / "own";
};

TEST_F(ImportEncoders, BertFillsAndEmbeds) {
  HuggingFaceBert model(false);
  ASSERT_EQ(import_from(model).status, 0);
  const std::string text = "the <mask> sat\n";
  const ProgramResult filled = gloss({"fill", "-m", own, "--format", "json"}, text);
  ASSERT_EQ(filled.status, 0) << filled.errors;
  EXPECT_EQ(json_lines(filled.output)[0]["masks"].size(), 1u) << filled.output;
  EXPECT_EQ(gloss({"fill", "-m", own, "--format", "json"}, "the [MASK] sat\n").output, filled.output);
  const ProgramResult vectors = gloss({"embed", "-m", own}, "the cat\n");
  EXPECT_EQ(vectors.status, 0) << vectors.errors;
  // A bias that favours one piece more than anything else.
  model.arrays.at("cls.predictions.bias").values[6] = 100;
  ASSERT_EQ(import_from(model).status, 0);
  EXPECT_EQ(gloss({"fill", "-m", own}, text).output, "the cat sat\n");
}

TEST_F(ImportEncoders, OlderNamesAndMissingPrefixesAreRead) {
  HuggingFaceBert model(false);
  ASSERT_EQ(import_from(model).status, 0);
  const std::string expected = gloss({"embed", "-m", own}, "the cat\n").output;
  const std::map<std::string, HuggingFaceDirectory::Array> arrays = model.arrays;
  for (const auto& [name, array] : arrays) {
    std::string old = name.starts_with("bert.") ? name.substr(5) : name;
    if (old.ends_with("LayerNorm.weight")) old.replace(old.size() - 6, 6, "gamma");
    if (old.ends_with("LayerNorm.bias")) old.replace(old.size() - 4, 4, "beta");
    if (old != name) model.rename(name, old);
  }
  model.config.erase("model_type");
  model.add("embeddings.position_ids", {1, HuggingFaceBert::kPositions});
  model.add("pooler.dense.weight", {3});
  model.arrays["cls.predictions.decoder.weight"] = model.arrays.at("embeddings.word_embeddings.weight");
  const ProgramResult result = import_from(model);
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_FALSE(has(result.errors, "not used")) << result.errors;
  EXPECT_EQ(gloss({"embed", "-m", own}, "the cat\n").output, expected);
}

TEST_F(ImportEncoders, AnEncoderWithoutAHeadEmbeds) {
  HuggingFaceBert model(false);
  ASSERT_EQ(import_from(model).status, 0);
  const std::string expected = gloss({"embed", "-m", own}, "the cat\n").output;
  std::erase_if(model.arrays, [](const auto& array) { return array.first.starts_with("cls."); });
  const ProgramResult result = import_from(model);
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_TRUE(has(result.errors, "embed")) << result.errors;
  EXPECT_EQ(gloss({"embed", "-m", own}, "the cat\n").output, expected);
}

TEST_F(ImportEncoders, BertClassifiesAndIsFineTuned) {
  ASSERT_EQ(import_from(HuggingFaceBert(true)).status, 0);
  const ProgramResult result = gloss({"classify", "-m", own, "--format", "json"}, "the cat sat\n");
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_TRUE(has(result.output, "so so")) << result.output;
  folder.write("train", "good\tthe cat\nbad\tthe cat sat\n");
  const std::string run = folder / "run";
  const ProgramResult trained = gloss({"finetune", "--task", "classify", "-m", own, "--input",
                                       folder / "train", "--max-updates", "1", "--output", run, "--quiet"});
  ASSERT_EQ(trained.status, 0) << trained.errors;
  EXPECT_EQ(gloss({"classify", "-m", run}, "the cat\n").status, 0);
  EXPECT_TRUE(read_json(run + "/best/config.json")["network"]["inner_layer"].get<bool>());
}

TEST_F(ImportEncoders, ClassifiersWithoutLabelsHaveNumberedOnes) {
  HuggingFaceBert model(true);
  model.config.erase("id2label");
  model.config["num_labels"] = 3;
  ASSERT_EQ(import_from(model).status, 0);
  EXPECT_TRUE(has(gloss({"classify", "-m", own, "--scores"}, "the cat sat\n").output, "LABEL_2="));
}

TEST_F(ImportEncoders, AMaskedModelKeepsItsMaskInFineTuning) {
  ASSERT_EQ(import_from(HuggingFaceBert(false)).status, 0);
  folder.write("text", "the cat sat .\nthe cat .\n");
  const std::string run = folder / "run";
  const ProgramResult trained = gloss({"finetune", "--task", "mlm", "-m", own, "--input", folder / "text",
                                       "--max-updates", "1", "--output", run, "--quiet"});
  ASSERT_EQ(trained.status, 0) << trained.errors;
  EXPECT_EQ(read_json(run + "/best/config.json")["text"]["mask_token"], 4);
  EXPECT_EQ(gloss({"fill", "-m", run}, "the <mask>\n").status, 0);
}

TEST_F(ImportEncoders, Gpt2ContinuesAndScoresText) {
  const HuggingFaceGpt2 model;
  ASSERT_EQ(import_from(model).status, 0);
  EXPECT_EQ(gloss({"generate", "-m", own, "--max-tokens", "5"}, "ab cab\n").status, 0);
  folder.write("text", "ab cab\n");
  const ProgramResult scored =
      gloss({"score", "-m", own, "--input", folder / "text", "--format", "json", "--word-scores"});
  ASSERT_EQ(scored.status, 0) << scored.errors;
  const nlohmann::json score = json_lines(scored.output)[0];
  EXPECT_EQ(score["tokens"], 4);  // " ", c, ab and the end: nothing predicts the first token
  EXPECT_EQ(score["words"].size(), 2u) << scored.output;
  const SafetensorsFile file(own + "/model.safetensors");
  const NamedArray& inner = file.arrays().at("decoder.0.feed_forward.inner.weight");
  const std::vector<float>& foreign_values = model.arrays.at("transformer.h.0.mlp.c_fc.weight").values;
  const auto* const values = static_cast<const float*>(inner.data);
  constexpr int kOut = 4 * HuggingFaceGpt2::kWidth;
  for (int out = 0; out < kOut; ++out) {
    for (int in = 0; in < HuggingFaceGpt2::kWidth; ++in)
      EXPECT_EQ(values[out * HuggingFaceGpt2::kWidth + in], foreign_values[index(in * kOut + out)]);
  }
}

TEST_F(ImportEncoders, RefusesWhatTheyCannotBe) {
  HuggingFaceBert bert(true);
  bert.config["id2label"] = {{"0", "bad"}, {"7", "good"}, {"2", "so so"}};
  expect_refused(bert, "id2label", "from 0");
  bert.config["id2label"] = {{"0", "bad"}};
  expect_refused(bert, "id2label", "two labels");
  for (const std::string type : {"multi_label_classification", "regression"}) {
    bert = HuggingFaceBert(true);
    bert.config["problem_type"] = type;
    expect_refused(bert, "'problem_type' is \"" + type, "single_label_classification");
  }
  bert = HuggingFaceBert(true);
  bert.config.erase("id2label");
  bert.config["num_labels"] = 1;
  expect_refused(bert, "id2label", "two labels");
  bert = HuggingFaceBert(true);
  bert.config["id2label"].erase("2");
  expect_refused(bert, "classifier.weight", "3 rows");
  bert = HuggingFaceBert(true);
  bert.config["position_embedding_type"] = "relative_key";
  expect_refused(bert, "position_embedding_type", "absolute");
  bert.config["position_embedding_type"] = "absolute";
  bert.config["architectures"] = {"BertForTokenClassification"};
  expect_refused(bert, "BertForTokenClassification", "BertForSequenceClassification");
  bert = HuggingFaceBert(false);
  bert.files["vocab.txt"] = "[PAD]\n[UNK]\n[CLS]\n[SEP]\nthe\n";
  bert.config["vocab_size"] = 5;
  expect_refused(bert, "vocab.txt", "[MASK]");
  HuggingFaceGpt2 gpt2;
  gpt2.config["scale_attn_by_inverse_layer_idx"] = true;
  expect_refused(gpt2, "scale_attn_by_inverse_layer_idx", "false");
  gpt2 = HuggingFaceGpt2();
  gpt2.add("transformer.h.0.attn.c_attn.weight", {24, 8});  // not transposed
  expect_refused(gpt2, "c_attn.weight' has the shape [24, 8]", "[8, 24]");
  gpt2 = HuggingFaceGpt2();
  gpt2.files["merges.txt"] = "a b\nc\n";
  expect_refused(gpt2, "merges.txt:2", "two pieces");
  gpt2.files["merges.txt"] = "#version: 0.2\n";
  expect_refused(gpt2, "merges.txt", "no merges");
}

/// The log-probabilities of the input, where it is not masked, and the best five tokens at some places.
TEST_F(ImportEncoders, MaskedModelsPredictAsTransformersDid) {
  for (const std::string name : {"bert-masked-lm", "roberta-masked-lm"}) {
    const nlohmann::json reference = recorded(name);
    if (reference.is_null()) continue;
    const TextModel model = read_text_model(own, Weights::in_place);
    for (const nlohmann::json& one : reference["cases"]) {
      const std::vector<TokenId> input = one["input_ids"];
      const std::vector<int> masked = one["masked_positions"];
      Batch batch;
      batch.source.add(input);
      batch.target.add(input);
      const std::vector<float> found = model.model.network->log_probabilities(batch);
      for (std::size_t i = 0; i < found.size(); ++i) {
        if (std::ranges::find(masked, static_cast<int>(i)) != masked.end()) continue;
        const double expected = one["input_token_log_probs"][i];
        EXPECT_NEAR(found[i], expected, 1e-4 * std::max(1.0, -expected)) << name << " " << one["name"] << i;
      }
      for (const nlohmann::json& top : one["top5"]) {
        TopScores best;
        const std::vector<int> places{top["position"].get<int>()};
        model.model.network->token_predictor()->best_tokens(batch.source, places, {.best = 5, .watched = {}},
                                                            best);
        for (std::size_t i = 0; i < 5; ++i) {
          EXPECT_EQ(best.best(0)[i].token, top["ids"][i]) << name << " " << one["name"];
          const double expected = top["log_probs"][i];
          EXPECT_NEAR(static_cast<double>(best.best(0)[i].score) - best.log_sum(0), expected,
                      1e-4 * std::max(1.0, -expected));
        }
      }
    }
  }
  GLOSS_NEED_SHARED_DATA(any, "interchange/huggingface/bert-masked-lm");
}

TEST_F(ImportEncoders, ClassifiersAgreeWithTransformers) {
  for (const std::string name : {"bert-classification", "roberta-classification"}) {
    const nlohmann::json reference = recorded(name);
    if (reference.is_null()) continue;
    for (const nlohmann::json& one : reference["cases"]) {
      if (!one.contains("text")) continue;
      const bool two = one["text"].is_array();
      const std::string text =
          two ? concat(one["text"][0].get<std::string>(), "\t", one["text"][1].get<std::string>())
              : one["text"].get<std::string>();
      const ProgramResult result =
          gloss({"classify", "-m", own, "--format", "json", "--precision", "f32"}, text + "\n");
      ASSERT_EQ(result.status, 0) << result.errors;
      const std::vector<std::string> names{"negative", "neutral", "positive"};
      const nlohmann::json classes = json_lines(result.output)[0]["probabilities"];
      for (const nlohmann::json& found : classes) {
        const auto number = std::ranges::find(names, found["label"].get<std::string>()) - names.begin();
        const double expected = one["log_probs"][index(number)];
        EXPECT_NEAR(std::log(found["probability"].get<double>()), expected, 1e-4 * std::max(1.0, -expected))
            << text;
      }
    }
  }
  GLOSS_NEED_SHARED_DATA(any, "interchange/huggingface/bert-classification");
}

TEST_F(ImportEncoders, Gpt2ScoresAndContinuesAsTransformersDid) {
  const nlohmann::json reference = recorded("gpt2");
  GLOSS_NEED_SHARED_DATA(any, "interchange/huggingface/gpt2");
  for (const nlohmann::json& one : reference["cases"]) {
    if (!one.contains("text")) continue;
    folder.write("text", one["text"].get<std::string>() + "\n");
    const ProgramResult scored = gloss({"score", "-m", own, "--input", folder / "text", "--format", "json",
                                        "--word-scores", "--precision", "f32"});
    ASSERT_EQ(scored.status, 0) << scored.errors;
    const nlohmann::json score = json_lines(scored.output)[0];
    double expected = 0;
    for (const double value : one["next_token_log_probs"]) expected += value;
    const double found = score["log_probability"].get<double>() - score["end_log_probability"].get<double>();
    EXPECT_NEAR(found, expected, 1e-4 * std::max(1.0, -expected)) << one["text"];
    const ProgramResult made = gloss({"generate", "-m", own, "--format", "json", "--precision", "f32"},
                                     one["text"].get<std::string>() + "\n");
    ASSERT_EQ(made.status, 0) << made.errors;
    const nlohmann::json text = json_lines(made.output)[0]["texts"][0];
    double greedy = 0;
    for (const double value : one["greedy"]["token_log_probs"]) greedy += value;
    if (one["greedy"].value("reached_limit", false)) continue;
    EXPECT_EQ(text["tokens"], one["greedy"]["tokens"].size()) << made.output;
    EXPECT_NEAR(text["log_probability"].get<double>(), greedy, 1e-4 * std::max(1.0, -greedy)) << made.output;
  }
}

}  // namespace
}  // namespace gloss
