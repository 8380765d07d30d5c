// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "base/index.h"
#include "base/random.h"
#include "model/layers/attention.h"
#include "model/networks/factory.h"
#include "model/networks/mixers/transformer_settings.h"
#include "model/tensor/can_multiply.h"
#include "model/tensor/matmul.h"
#include "model/tensor/pooled_memory.h"

namespace gloss {
namespace {

NetworkSettings decoding_settings() {
  NetworkSettings s;
  s.sizes.encoder_layers = 1;
  s.sizes.decoder_layers = 2;
  s.sizes.width = 32;
  s.own<TransformerSettings>().feed_forward_width = 48;
  s.sizes.heads = 4;
  s.sizes.max_positions = 60;
  s.source_vocabulary = s.target_vocabulary = 2100;  // more than one panel
  return s;
}

std::vector<TokenId> random_row(int length, std::uint64_t seed) {
  Random random(seed);
  std::vector<TokenId> row;
  for (int i = 0; i < length; ++i) row.push_back(static_cast<TokenId>(3 + random.below(2000)));
  return row;
}

/// A network with random weights, packed as the parameter type.
class Decoding : public testing::TestWithParam<DType> {
 protected:
  void SetUp() override {
    const DType type = GetParam();
    if (!can_multiply(type)) {
      GTEST_SKIP() << "this processor cannot multiply " << name_of(type);
    }
    network_ = make_network(decoding_settings(), parameters_);
    Random random(1);
    parameters_.initialise(random);
    parameters_.pack(type, 1);
  }

  /// Sentence `number`, and its made-up target tokens.
  static TokenRows source(int number) {
    TokenRows rows;
    rows.add(random_row(3 + number * 5 % 17, static_cast<std::uint64_t>(number)));
    return rows;
  }
  static TokenId token(int number, int step) { return step == 0 ? 1 : 3 + (number * 31 + step * 7) % 2000; }

  Parameters parameters_;
  std::unique_ptr<Network> network_;
};

TEST_P(Decoding, BestTokensEqualThoseOfAllScores) {
  const auto one = network_->start(source(1)), other = network_->start(source(1));
  const TopScores::Wanted wanted{5, {2, 2099, 7}};
  TopScores top;
  for (int step = 0; step < 3; ++step) {
    const TokenId latest[] = {token(1, step)};
    const Tensor all = network_->step(latest, *one);
    network_->step_to_best(latest, *other, wanted, top);
    const std::span<const float> row = all.values().first(2100);
    std::vector<ScoredToken> best(5);
    EXPECT_EQ(top.log_sum(0), top_tokens(row, best));
    ASSERT_EQ(top.best(0).size(), 5u);
    for (std::size_t i = 0; i < 5; ++i) {
      EXPECT_EQ(top.best(0)[i].token, best[i].token);
      EXPECT_EQ(top.best(0)[i].score, best[i].score);
    }
    for (const TokenId watched : wanted.watched) {
      EXPECT_EQ(top.score(0, watched), row[index(watched)]);
    }
  }
}

TEST_P(Decoding, RowsMayBeAddedAndRemovedAtAnyTime) {
  constexpr int kSentences = 9, kSteps = 12;
  const auto scores_of = [&](const TopScores& top, std::int64_t row) {
    return std::pair(top.log_sum(row), top.score(row, 2099));
  };
  const TopScores::Wanted wanted{1, {2099}};
  TopScores top;
  std::map<std::pair<int, int>, std::pair<double, float>> alone;  // by sentence and step
  for (int number = 0; number < kSentences; ++number) {
    const auto state = network_->start(source(number));
    for (int step = 0; step < kSteps; ++step) {
      const TokenId latest[] = {token(number, step)};
      network_->step_to_best(latest, *state, wanted, top);
      alone[{number, step}] = scores_of(top, 0);
    }
  }

  // Every other step adds a sentence, at the front or the end; each sentence is duplicated at its fourth step
  // and removed after its last.
  struct Row {
    int number, step;
  };
  std::vector<Row> rows;
  std::unique_ptr<DecoderState> state;
  int waiting = 0;
  for (int step = 0; waiting < kSentences || !rows.empty(); ++step) {
    if (step % 2 == 0 && waiting < kSentences) {
      auto more = network_->start(source(waiting));
      if (state == nullptr) {
        state = std::move(more);
      } else {
        state->append(*more);
      }
      rows.push_back({waiting++, 0});
    }
    std::vector<TokenId> latest;
    for (const Row& row : rows) latest.push_back(token(row.number, row.step));
    network_->step_to_best(latest, *state, wanted, top);
    std::vector<int> chosen;
    std::vector<Row> next;
    for (std::size_t r = rows.size(); r-- > 0;) {
      const Row& row = rows[r];
      ASSERT_EQ(scores_of(top, static_cast<std::int64_t>(r)), (alone[{row.number, row.step}]))
          << "sentence " << row.number << " step " << row.step;
      for (int copies = row.step == 3 ? 2 : 1; row.step + 1 < kSteps && copies > 0; --copies) {
        chosen.push_back(static_cast<int>(r));
        next.push_back({row.number, row.step + 1});
      }
    }
    state->select(chosen);
    rows = next;
  }
}

TEST_P(Decoding, RepeatedStepsAllocateNothing) {
  TokenRows sources;
  for (int number = 0; number < 6; ++number) sources.add(source(number).row(0));
  TopScores top;
  std::int64_t primitives = 0;
  std::size_t misses = 0;
  for (int round = 0; round < 2; ++round) {
    const auto state = network_->start(sources);
    for (int step = 0; step < 40; ++step) {
      if (round == 1 && step == 1) {
        primitives = matmul_primitives_made();
        misses = pool_misses();
      }
      std::vector<TokenId> latest;
      for (int row = 0; row < 6; ++row) latest.push_back(token(row, step));
      network_->step_to_best(latest, *state, {4, {2}}, top);
      if (step % 3 == 0) state->select(std::vector<int>{1, 1, 0, 3, 5, 4});
    }
  }
  EXPECT_EQ(matmul_primitives_made(), primitives);
  EXPECT_EQ(pool_misses(), misses);
}

INSTANTIATE_TEST_SUITE_P(All, Decoding, testing::Values(DType::f32, DType::bf16, DType::int8),
                         [](const auto& test) { return std::string(name_of(test.param)); });

TEST(Past, KeepsAsManyPositionsAsItReaches) {
  constexpr int kReach = 3;
  Past past(kReach);
  past.add_rows(2);
  std::vector<int> of_first;
  int largest = 0;
  for (int step = 0; step < 50; ++step) {
    past.advance();
    ASSERT_EQ(past.length(0), step + 1);
    const std::span<const int> seen = past.seen_from(past.latest()[0]);
    of_first.push_back(seen.back());
    const std::size_t count = std::min<std::size_t>(of_first.size(), kReach);
    EXPECT_EQ(std::vector<int>(seen.begin(), seen.end()),
              std::vector<int>(of_first.end() - static_cast<std::ptrdiff_t>(count), of_first.end()));
    for (const int slot : seen) largest = std::max(largest, slot);
    if (step % 4 == 1) past.select(std::vector<int>{0, 0});
  }
  EXPECT_LT(largest, 2 * (kReach + 1));
  // Several positions in a step, of which the last are wrong.
  past.take(std::vector<int>{4, 1});
  past.advance();
  EXPECT_EQ(past.seen_from(past.latest()[0]).size(), 3);
  EXPECT_EQ(past.seen_from(past.latest()[3]).size(), 3);
  const int right = past.seen_from(past.latest()[1]).back();
  past.forget(std::vector<int>{2, 0});
  EXPECT_EQ(past.length(0), 52);
  past.advance();
  EXPECT_EQ(past.seen_from(past.latest()[0])[1], right);
  EXPECT_THROW(past.forget(std::vector<int>{3, 0}), BrokenPromise) << "its slots are released";
}

TEST(Past, ReusesFreeSlots) {
  Past past;
  past.add_rows(4);
  int largest = 0;
  for (int step = 0; step < 100; ++step) {
    past.advance();
    for (int row = 0; row < past.rows(); ++row) {
      ASSERT_EQ(past.length(row), std::min(step, 9) + 1);
      for (const int slot : past.slots(row)) largest = std::max(largest, slot);
    }
    if (step < 9) {
      past.select(std::vector<int>{0, 0, 1, 3});
    } else {  // replaces all sentences by others
      past.select({});
      past.add_rows(4);
      for (int i = 0; i < 9; ++i) past.advance();
    }
  }
  EXPECT_LT(largest, 4 * 11);
}

}  // namespace
}  // namespace gloss
