// SPDX-License-Identifier: Apache-2.0
// gloss import of the attention layers of CTranslate2, through the real binary.
#include <gtest/gtest.h>

#include <cstring>

#include "model/formats/safetensors.h"
#include "model/model_directory.h"
#include "tests/pipeline/foreign/import_ctranslate2.h"

namespace gloss {
namespace {

using ImportCTranslate2Attention = ImportCTranslate2;

/// A model with two layers and the biases of T5.
CTranslate2Model with_buckets() {
  CTranslate2Model model;
  for (const std::string side : {"encoder/", "decoder/"}) {
    std::map<std::string, CTranslate2Item> second;
    for (const auto& [name, item] : model.items) {
      if (!name.starts_with(side + "layer_0/")) continue;
      const std::string copy = side + "layer_1/" + name.substr((side + "layer_0/").size());
      second[copy] = {copy, item.shape, item.type, item.data};
    }
    model.items.merge(second);
    const std::string biases = "/self_attention/relative_attention_bias";
    model.add(side + "layer_0" + biases, {8, 2});
    model.aliases.push_back({side + "layer_1" + biases, side + "layer_0" + biases});
    for (const std::string layer : {"layer_0", "layer_1"})
      model.add_number<std::int32_t>(side + layer + "/self_attention/relative_attention_max_distance", 20);
  }
  return model;
}

TEST_F(ImportCTranslate2Attention, DistancesInBucketsAreThoseOfT5) {
  const CTranslate2Model model = with_buckets();
  const ProgramResult result = import_from(model);
  ASSERT_EQ(result.status, 0) << result.errors;
  const nlohmann::json network = read_model_config(own)["network"];
  EXPECT_EQ(network["positions"], "buckets");
  EXPECT_EQ(network["relative_buckets"], 8);
  EXPECT_EQ(network["relative_reach"], 20);
  const SafetensorsFile file(own + "/model.safetensors");
  const NamedArray& array = file.arrays().at("decoder.distances");  // [heads, buckets]
  const std::string& data = model.items.at("decoder/layer_0/self_attention/relative_attention_bias").data;
  std::vector<float> biases(data.size() / sizeof(float));
  std::memcpy(biases.data(), data.data(), data.size());
  ASSERT_EQ(index(array.shape.count()), biases.size());
  const auto* const distances = static_cast<const float*>(array.data);
  for (std::size_t bucket = 0; bucket < 8; ++bucket) {
    for (std::size_t head = 0; head < 2; ++head)
      EXPECT_EQ(distances[head * 8 + bucket], biases[bucket * 2 + head]);
  }
  EXPECT_NE(translation("the cat sat\n"), "");
}

TEST_F(ImportCTranslate2Attention, RefusesOtherBiasesThanThoseOfT5) {
  const std::string first = "decoder/layer_0/self_attention/", second = "decoder/layer_1/self_attention/";
  const auto with = [](auto change) {
    CTranslate2Model model = with_buckets();
    change(model);
    return model;
  };
  using Model = CTranslate2Model;
  expect_refused(with([&](Model& m) {
                   m.aliases.pop_back();
                   m.add(second + "relative_attention_bias", {8, 2});
                 }),
                 second + "relative_attention_bias", "first layer");
  expect_refused(with([&](Model& m) { m.aliases.pop_back(); }), second + "relative_attention_bias",
                 "model.bin");
  expect_refused(
      with([&](Model& m) { m.add_number<std::int32_t>(second + "relative_attention_max_distance", 30); }),
      second + "relative_attention_max_distance", "30");
  expect_refused(with([&](Model& m) { m.items.erase(first + "relative_attention_max_distance"); }),
                 first + "relative_attention_max_distance", "model.bin");
  expect_refused(
      with([&](Model& m) { m.add_number<std::int32_t>(first + "relative_attention_max_distance", 0); }),
      first + "relative_attention_max_distance", "0");
  expect_refused(with([&](Model& m) {
                   m.add(first + "relative_attention_bias", {2000, 2});
                 }),
                 first + "relative_attention_bias", "2000");
  expect_refused(with([&](Model& m) {
                   m.add(first + "relative_attention_bias", {8, 3});
                 }),
                 first + "relative_attention_bias", "3 columns");
  expect_refused(with([&](Model& m) {
                   for (const std::string side : {"encoder/", "decoder/"}) {
                     for (const std::string layer : {"layer_0/", "layer_1/"})
                       m.add_number<std::int32_t>(
                           side + layer + "self_attention/relative_attention_max_distance", 3);
                   }
                 }),
                 "relative_reach", "3");
}

TEST_F(ImportCTranslate2Attention, RefusesHeadsThatDiffer) {
  const auto with = [](auto change) {
    CTranslate2Model model;
    change(model);
    return model;
  };
  using Model = CTranslate2Model;
  const std::string layer = "decoder/layer_0/self_attention/";
  expect_refused(with([&](Model& m) { m.add_number<std::int32_t>(layer + "num_heads_kv", 1); }),
                 "decoder/layer_0/self_attention", "first layer");
  expect_refused(with([&](Model& m) { m.add_number<std::int32_t>(layer + "num_heads_kv", -1); }),
                 layer + "num_heads_kv", "-1");
  expect_refused(with([&](Model& m) { m.add_number<std::int32_t>(layer + "head_dim", 5); }),
                 layer + "head_dim", "5");
  expect_refused(with([&](Model& m) { m.add_number<float>(layer + "queries_scale", 0.3F); }),
                 layer + "queries_scale", "0.3");
  expect_refused(with([&](Model& m) { m.add_number<std::int16_t>("decoder/num_heads", 3); }),
                 "decoder/layer_0/self_attention", "3 heads");
  for (const std::string unknown :
       {"sliding_window", "rotary_scaling_type", "original_max_position_embeddings"}) {
    expect_refused(with([&](Model& m) { m.add_number<std::int32_t>(layer + unknown, 4); }), layer + unknown,
                   "model.bin");
  }
}

TEST_F(ImportCTranslate2Attention, SettingsOfNewerVersionsThatChangeNothingAreKnown) {
  CTranslate2Model model;
  model.add_number<std::int8_t>("encoder/multi_query_attention", 0);
  model.add_number<std::int8_t>("encoder/embeddings_merge", 0);
  model.add_number<std::int16_t>("decoder/alignment_layer", -1);
  model.add_number<std::int16_t>("decoder/alignment_heads", 1);
  for (const std::string setting :
       {"alibi", "alibi_use_positive_positions", "scale_alibi", "start_from_zero_embedding"})
    model.add_number<std::int8_t>("decoder/" + setting, 0);
  for (const std::string layer : {"encoder/layer_0/self_attention", "decoder/layer_0/attention"})
    model.add_number<std::int8_t>(layer + "/linear_0/keep_in_float32", 0);
  model.config["multi_query_attention"] = false;
  const ProgramResult result = import_from(model);
  EXPECT_EQ(result.status, 0) << result.errors;
}

}  // namespace
}  // namespace gloss
