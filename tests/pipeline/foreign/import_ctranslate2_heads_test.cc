// SPDX-License-Identifier: Apache-2.0
// gloss import of the heads of CTranslate2, whose scores equal those of a common form, through the real
// binary.
#include <gtest/gtest.h>

#include <cstring>

#include "model/model_directory.h"
#include "tests/pipeline/foreign/import_ctranslate2.h"

namespace gloss {
namespace {

constexpr std::uint32_t kCTranslate2Width = CTranslate2Model::kWidth;

const std::vector<std::string> kAttentionLayers{
    "encoder/layer_0/self_attention", "decoder/layer_0/self_attention", "decoder/layer_0/attention"};
bool of_memory(const std::string& layer) { return layer.ends_with("/attention"); }

std::vector<float> numbers_of(const CTranslate2Item& item) {
  std::vector<float> numbers(item.data.size() / sizeof(float));
  std::memcpy(numbers.data(), item.data.data(), item.data.size());
  return numbers;
}
/// Multiplies rows of a matrix, or numbers of a vector.
void scale_rows(CTranslate2Item& item, std::size_t first, std::size_t count, float factor) {
  std::vector<float> numbers = numbers_of(item);
  const std::size_t columns = numbers.size() / item.shape.front();
  for (std::size_t i = first * columns; i < (first + count) * columns; ++i) numbers[i] *= factor;
  item.data = little_endian(numbers);
}
/// Repeats blocks of rows: `blocks` has the number of each.
void arrange_rows(CTranslate2Item& item, std::size_t block, const std::vector<std::size_t>& blocks) {
  const std::vector<float> numbers = numbers_of(item);
  const std::size_t size = block * numbers.size() / item.shape.front();
  std::vector<float> arranged;
  for (const std::size_t number : blocks) {
    const auto first = numbers.begin() + static_cast<std::ptrdiff_t>(number * size);
    arranged.insert(arranged.end(), first, first + static_cast<std::ptrdiff_t>(size));
  }
  item.shape.front() = static_cast<std::uint32_t>(block * blocks.size());
  item.data = little_endian(arranged);
}

struct ImportCTranslate2Heads : ImportCTranslate2 {
  /// The log-probabilities of a few translations by this model.
  std::vector<double> scores(const CTranslate2Model& model) const {
    const ProgramResult result = import_from(model);
    EXPECT_EQ(result.status, 0) << result.errors;
    std::vector<double> all;
    for (const std::string text : {"the cat\n", "mat on the mat sat\n"})
      all.push_back(best_score(gloss(
          {"translate", "-m", own, "--precision", "f32", "--max-length", "6", "--format", "json"}, text)));
    return all;
  }
  void expect_same(const CTranslate2Model& one, const CTranslate2Model& other) const {
    const std::vector<double> of_one = scores(one), of_other = scores(other);
    for (std::size_t i = 0; i < of_one.size(); ++i) EXPECT_NEAR(of_one[i], of_other[i], 1e-5);
  }
};

TEST_F(ImportCTranslate2Heads, KeysAndValuesOfOneHeadServeAll) {
  constexpr std::uint32_t kHead = kCTranslate2Width / 2;
  for (const bool flag : {false, true}) {  // the setting of older versions
    CTranslate2Model one;
    for (const std::string& layer : kAttentionLayers) {
      one.add_linear(layer + (of_memory(layer) ? "/linear_1" : "/linear_0"),
                     (of_memory(layer) ? 2 : 4) * kHead, kCTranslate2Width);
      if (flag) {
        one.add_number<std::int8_t>(layer + "/multi_query", 1);
      } else {
        one.add_number<std::int32_t>(layer + "/num_heads_kv", 1);
      }
    }
    CTranslate2Model all = one;
    for (const std::string& layer : kAttentionLayers) {
      for (const std::string part : {"/weight", "/bias"}) {
        if (of_memory(layer)) {
          arrange_rows(all.items.at(layer + "/linear_1" + part), kHead, {0, 0, 1, 1});
        } else {
          arrange_rows(all.items.at(layer + "/linear_0" + part), kHead, {0, 1, 2, 2, 3, 3});
        }
      }
      all.items.erase(layer + (flag ? "/multi_query" : "/num_heads_kv"));
    }
    expect_same(one, all);
    ASSERT_EQ(import_from(one).status, 0);
    EXPECT_EQ(read_model_config(own)["network"]["key_value_heads"], 1);
  }
}

TEST_F(ImportCTranslate2Heads, HeadsMayHaveAWidthOfTheirOwn) {
  constexpr std::uint32_t kHead = 6, kInner = 2 * kHead;
  CTranslate2Model model;
  for (const std::string& layer : kAttentionLayers) {
    const bool memory = of_memory(layer);
    model.add_linear(layer + "/linear_0", (memory ? 1 : 3) * kInner, kCTranslate2Width);
    if (memory) model.add_linear(layer + "/linear_1", 2 * kInner, kCTranslate2Width);
    model.add_linear(layer + (memory ? "/linear_2" : "/linear_1"), kCTranslate2Width, kInner);
    model.add_number<std::int32_t>(layer + "/head_dim", kHead);
  }
  // By default, scores are divided by the root of the width that is given.
  CTranslate2Model scaled = model, unscaled = model;
  for (const std::string& layer : kAttentionLayers) {
    unscaled.add_number<float>(layer + "/queries_scale", 1.0F);
    for (const std::string part : {"/weight", "/bias"}) {
      scale_rows(unscaled.items.at(layer + "/linear_0" + part), 0, kInner,
                 1 / std::sqrt(static_cast<float>(kHead)));
    }
  }
  expect_same(scaled, unscaled);
  nlohmann::json network = read_model_config(own)["network"];
  EXPECT_EQ(network["head_width"], 6);
  EXPECT_EQ(network["attention_scale"], "none");
  // Without that width, the root is that of the network's width divided by the heads.
  for (const std::string& layer : kAttentionLayers) model.items.erase(layer + "/head_dim");
  expect_refused(model, "queries_scale", "0.5");
}

TEST_F(ImportCTranslate2Heads, OutputsAreScaledByTheirNorm) {
  CTranslate2Model scaled, norm;
  scaled.add_number<float>("decoder/scale_outputs", 0.25F);
  for (const std::string part : {"gamma", "beta"})
    scale_rows(norm.items.at("decoder/layer_norm/" + part), 0, kCTranslate2Width, 0.25F);
  expect_same(scaled, norm);
  for (const std::string side : {"encoder/", "decoder/"}) {
    scaled.add_number<std::int8_t>(side + "pre_norm", 0);
    scaled.items.erase(side + "layer_norm/gamma");
    scaled.items.erase(side + "layer_norm/beta");
  }
  expect_refused(scaled, "scale_outputs", "0.25");
}

}  // namespace
}  // namespace gloss
