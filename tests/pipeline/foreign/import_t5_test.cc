// SPDX-License-Identifier: Apache-2.0
// gloss import of T5 models through the real binary.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/has.h"
#include "tests/support/hugging_face_t5.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/untrained_program.h"

namespace gloss {
namespace {

struct ImportT5 : testing::Test {
  ProgramResult gloss(std::vector<std::string> words, const std::string& input = "") const {
    words.insert(words.begin(), kGlossBinary);
    return run_program(words, input);
  }
  ProgramResult import_from(const HuggingFaceT5& model) const {
    model.write(foreign);
    return gloss({"import", foreign, "--output", own, "--overwrite"});
  }
  void expect_refused(const HuggingFaceT5& model, const std::string& name, const std::string& figure) const {
    const ProgramResult result = import_from(model);
    EXPECT_EQ(result.status, 3) << result.errors;
    EXPECT_TRUE(has(result.errors, name)) << result.errors;
    EXPECT_TRUE(has(result.errors, figure)) << result.errors;
  }

  TemporaryDirectory folder;
  std::string foreign = folder / "foreign", own = folder / "own";
};

TEST_F(ImportT5, KeepsEveryWeight) {
  for (const bool gated : {false, true}) {
    const HuggingFaceT5 model(gated);
    const ProgramResult result = import_from(model);
    ASSERT_EQ(result.status, 0) << result.errors;
    EXPECT_FALSE(has(result.errors, "not used")) << result.errors;
    const SafetensorsFile file(own + "/model.safetensors");
    const auto numbers = [&](const std::string& name) {
      return static_cast<const float*>(file.arrays().at(name).data);
    };
    const auto expect_rows = [&](const std::string& name, std::int64_t row, const std::string& of) {
      const std::vector<float>& values = model.arrays.at(of).values;
      const std::int64_t columns = file.arrays().at(name).shape.columns();
      EXPECT_TRUE(std::equal(values.begin(), values.end(), numbers(name) + row * columns)) << name;
    };
    constexpr int kRows = HuggingFaceT5::kHeads * HuggingFaceT5::kHeadWidth;
    expect_rows("embedding.weight", 0, "shared.weight");
    const std::string self = "decoder.block.0.layer.0.SelfAttention.";
    expect_rows("decoder.0.self_attention.query_key_value.weight", kRows, self + "k.weight");
    expect_rows("decoder.0.self_attention.output.weight", 0, self + "o.weight");
    expect_rows("decoder.0.cross_attention.key_value.weight", kRows,
                "decoder.block.0.layer.1.EncDecAttention.v.weight");
    const std::string bias = self + "relative_attention_bias.weight";
    for (int bucket = 0; bucket < HuggingFaceT5::kBuckets; ++bucket) {
      for (int head = 0; head < HuggingFaceT5::kHeads; ++head) {
        EXPECT_EQ(numbers("decoder.distances")[head * HuggingFaceT5::kBuckets + bucket],
                  model.arrays.at(bias).values[index(bucket * HuggingFaceT5::kHeads + head)]);
      }
    }
    if (gated) {
      expect_rows("encoder.1.feed_forward.inner.weight", HuggingFaceT5::kInner,
                  "encoder.block.1.layer.1.DenseReluDense.wi_1.weight");
      expect_rows("output.weight", 0, "lm_head.weight");
      expect_rows("decoder.norm.weight", 0, "decoder.final_layer_norm.weight");
    } else {
      for (int i = 0; i < HuggingFaceT5::kWidth; ++i) {
        EXPECT_NEAR(numbers("decoder.norm.weight")[i],
                    model.arrays.at("decoder.final_layer_norm.weight").values[index(i)] / std::sqrt(8.0f),
                    1e-6f);
      }
    }
  }
}

/// The pieces of a text with a special token, as the imported tokenizer finds them.
std::string pieces_of(const std::string& model, const std::string& text) {
  return run_program({kGlossBinary, "encode", "-t", model + "/tokenizer.model"}, text).output;
}

TEST_F(ImportT5, TextAfterSpecialTokensFollowsTheSettingLegacy) {
  const std::string text = "mat<extra_id_0>cat\n<extra_id_0>cat<extra_id_1> sat\n";
  HuggingFaceT5 model;
  ASSERT_EQ(import_from(model).status, 0);
  EXPECT_EQ(pieces_of(own, text), "▁mat <extra_id_0> ▁cat\n<extra_id_0> ▁cat <extra_id_1> ▁sat\n");
  model.files["tokenizer_config.json"] = R"({"extra_ids": 2, "pad_token": "<s>", "legacy": false})";
  const ProgramResult result = import_from(model);
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_FALSE(has(result.errors, "legacy")) << result.errors;
  EXPECT_EQ(pieces_of(own, text), "▁mat <extra_id_0> c at\n<extra_id_0> c at <extra_id_1> ▁sat\n");
  const std::string back = folder / "back";
  ASSERT_EQ(gloss({"export", "-m", own, "--format", "huggingface", "-o", back}).status, 0);
  ASSERT_EQ(gloss({"import", back, "-o", folder / "again"}).status, 0);
  EXPECT_EQ(read_file(folder / "again/tokenizer.model"), read_file(own + "/tokenizer.model"));
}

TEST_F(ImportT5, MakesAnOrdinaryModel) {
  for (const bool gated : {false, true}) {
    ASSERT_EQ(import_from(HuggingFaceT5(gated)).status, 0);
    const ProgramResult info = gloss({"info", own});
    EXPECT_TRUE(has(info.output, "buckets")) << info.output;
    const std::string text = "the cat sat\non the mat<extra_id_0>\nthe cat sat on the mat the cat sat\n";
    const std::vector<std::string> translate{"translate", "-m", own, "--max-length", "20"};
    const ProgramResult result = gloss(translate, text);
    ASSERT_EQ(result.status, 0) << result.errors;
    std::vector<std::string> alone = translate;
    alone.insert(alone.end(), {"--batch-size", "1", "-j", "2"});
    EXPECT_EQ(gloss(alone, text).output, result.output);
    EXPECT_EQ(gloss({"quantize", "-m", own, "-o", folder / "small", "--overwrite"}).status, 0);
    EXPECT_EQ(gloss({"translate", "-m", folder / "small", "--max-length", "20"}, "the cat\n").status, 0);
    folder.write("a", "the cat\n");
    EXPECT_EQ(gloss({"score", "-m", own, "--source", folder / "a", "--target", folder / "a"}).status, 0);
  }
}

TEST_F(ImportT5, RefusesWhatItCannotRead) {
  const auto with = [](const std::string& member, const nlohmann::json& value) {
    HuggingFaceT5 model;
    model.config[member] = value;
    return model;
  };
  expect_refused(with("feed_forward_proj", "gated-tanh"), "'feed_forward_proj'", "gated-tanh");
  expect_refused(with("relative_attention_max_distance", 2000000), "'relative_attention_max_distance'",
                 "2000000");
  expect_refused(with("relative_attention_num_buckets", 20), "relative_buckets 20", "relative_reach 7");
  expect_refused(with("relative_attention_num_buckets", 6), "relative_attention_bias", "[6, 2]");
  expect_refused(with("d_kv", 5), "SelfAttention.q.weight", "encoder.0.self_attention");
  expect_refused(with("d_kv", 1 << 30), "'d_kv'", "65536");
  expect_refused(with("vocab_size", 20), "config.json", "27 pieces");
  expect_refused(with("eos_token_id", 99), "spiece.model", "99");
  expect_refused(with("tie_word_embeddings", false), "lm_head.weight", "output.weight");
  HuggingFaceT5 model;
  model.arrays.erase("decoder.block.0.layer.2.DenseReluDense.wi.weight");
  expect_refused(model, "layer.2.DenseReluDense.wi.weight", "decoder.0.feed_forward.inner.weight");
  model = HuggingFaceT5();
  model.files["spiece.model"] = "no model";
  expect_refused(model, "spiece.model", "");
}

}  // namespace
}  // namespace gloss
