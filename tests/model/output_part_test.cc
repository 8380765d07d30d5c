// SPDX-License-Identifier: Apache-2.0

#include "model/networks/output_part.h"
#include "base/index.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <string>

#include "model/kernels/kernels.h"
#include "model/layers/initialisers.h"
#include "model/layers/parameters.h"
#include "model/tensor/can_multiply.h"
#include "model/tensor/ops.h"
#include "model/tensor/stored_matrix.h"

namespace gloss {
namespace {

constexpr std::int64_t kVocabulary = 300, kPartWidth = 48, kPartRows = 16;

/// Random hidden states, as activations of a network with weights of `type`.
Tensor hidden_rows(DType type) {
  const DType working = type == DType::f32 ? DType::f32 : DType::bf16;
  const Tensor rows = Tensor::uninitialised({kPartRows, kPartWidth}, working);
  Random random(4);
  for (std::int64_t i = 0; i < rows.count(); ++i) {
    const auto value = static_cast<float>(random.normal());
    if (working == DType::f32) {
      rows.data()[i] = value;
    } else {
      kernels().narrow(&value, rows.data_as<Bf16>() + i, 1);
    }
  }
  return rows;
}

class Parts : public testing::TestWithParam<DType> {
 protected:
  void SetUp() override {
    if (!can_multiply(GetParam())) GTEST_SKIP() << name_of(GetParam()) << " cannot be multiplied";
    output_.weight = parameters_.declare("output", {kVocabulary, kPartWidth}, normal_values(1), Role::matrix);
    output_.bias = parameters_.declare("bias", {kVocabulary}, normal_values(5));
    Random random(9);
    parameters_.initialise(random);
    parameters_.pack(GetParam(), 1);
    hidden_ = hidden_rows(GetParam());
    for (const std::vector<TokenId>& tokens :
         {std::vector<TokenId>{0, 2, 7, 299}, {2}, {1, 2, 3, 100, 101, 102, 103, 104, 105, 200}}) {
      parts_.push_back(part_of(output_, tokens));
    }
    std::vector<TokenId> many;
    for (TokenId token = 2; token < 200; ++token) many.push_back(token);
    parts_.push_back(part_of(output_, many));
  }
  /// The scores of rows with these parts.
  std::vector<std::vector<float>> scores_of(const std::vector<const OutputPart*>& parts) const {
    std::vector<std::vector<float>> rows;
    scores_in_parts(hidden_, parts, [&](int row, std::span<const float> scores) {
      EXPECT_EQ(row, static_cast<int>(rows.size()));
      rows.emplace_back(scores.begin(), scores.end());
    });
    EXPECT_EQ(rows.size(), parts.size());
    return rows;
  }

  Parameters parameters_;
  OutputLayer output_;
  Tensor hidden_;
  std::vector<OutputPart> parts_;
};

TEST_P(Parts, GiveTheScoresOfTheirTokens) {
  const std::vector<const OutputPart*> of_rows{&parts_[0], &parts_[1], &parts_[1], &parts_[2], &parts_[3]};
  const Tensor all = vocabulary_scores(hidden_, output_);
  const auto found = scores_of(of_rows);
  for (std::size_t r = 0; r < of_rows.size(); ++r) {
    const std::vector<TokenId>& tokens = of_rows[r]->tokens;
    ASSERT_EQ(found[r].size(), tokens.size());
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const float expected = all.values()[r * kVocabulary + index(tokens[i])];
      EXPECT_NEAR(found[r][i], expected, 1e-4 * (1 + std::abs(expected)))
          << "row " << r << ", token " << tokens[i];
    }
  }
}

TEST_P(Parts, RowsDoNotDependOnTheirNeighbours) {
  const auto found = scores_of({&parts_[3], &parts_[3], &parts_[3], &parts_[0], &parts_[3]});
  const auto alone = scores_of({&parts_[3], &parts_[2], &parts_[3], &parts_[0], &parts_[3]});
  for (const std::size_t r : {0u, 2u, 3u, 4u}) {
    EXPECT_EQ(std::memcmp(found[r].data(), alone[r].data(), found[r].size() * sizeof(float)), 0) << r;
  }
}

TEST_P(Parts, TheLastRowIsComputedWithItsPredecessor) {
  const std::vector<const OutputPart*> all(kPartRows, &parts_[2]);
  std::vector<const OutputPart*> last = all;
  last[kPartRows - 2] = &parts_[1];
  EXPECT_EQ(scores_of(last).back(), scores_of(all).back());
}

TEST(PartsOfFourBits, HaveTheScoresOfTheWholeMatrix) {
  std::vector<float> numbers(index(kVocabulary * kPartWidth));
  Random random(3);
  normal_values(1)(numbers, random);
  const StoredMatrix wide{.numbers = numbers.data(), .rows = kVocabulary, .columns = kPartWidth};
  const ConvertedMatrix narrow(wide, DType::int4);
  Parameters parameters;
  OutputLayer output;
  output.weight = parameters.declare("output", {kVocabulary, kPartWidth}, normal_values(1), Role::matrix);
  parameters.adopt([&](const Parameters::Entry&) { return narrow.matrix(); }, false);
  parameters.pack(DType::int8, 1);
  const Tensor hidden = hidden_rows(DType::int8), all = vocabulary_scores(hidden, output);
  const OutputPart part = part_of(output, {2, 3, 250, 299});
  const std::vector<const OutputPart*> parts(kPartRows, &part);
  scores_in_parts(hidden, parts, [&](int row, std::span<const float> scores) {
    for (std::size_t i = 0; i < part.tokens.size(); ++i)
      EXPECT_EQ(scores[i], all.values()[index(row) * kVocabulary + index(part.tokens[i])])
          << row << ", " << i;
  });
}

INSTANTIATE_TEST_SUITE_P(Types, Parts, testing::Values(DType::f32, DType::bf16, DType::int8),
                         [](const auto& type) { return std::string(name_of(type.param)); });

}  // namespace
}  // namespace gloss
