// SPDX-License-Identifier: Apache-2.0
// Memory networks: stories and questions. Everything that holds for all classifiers is in classifier_test.cc.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "base/error.h"
#include "base/index.h"
#include "model/networks/memory/memory_stories.h"
#include "network_checks.h"
#include "network_variants.h"

namespace gloss {
namespace {

constexpr TokenId kBegin = 1, kEnd = 2;

/// A row of sentences and, at last, a question.
std::vector<TokenId> row_of(const std::vector<std::vector<TokenId>>& parts) {
  std::vector<TokenId> row{kBegin};
  for (const std::vector<TokenId>& part : parts) {
    row.insert(row.end(), part.begin(), part.end());
    row.push_back(kEnd);
  }
  return row;
}

TokenRows rows_of(const std::vector<std::vector<std::vector<TokenId>>>& stories) {
  TokenRows rows;
  for (const auto& parts : stories) rows.add(row_of(parts));
  return rows;
}

std::vector<float> answer_to(const Fresh& fresh, const std::vector<std::vector<TokenId>>& parts) {
  return fresh.network->class_predictor()->classify(rows_of({parts}));
}

/// All settings that change how hops read.
std::vector<NetworkSettings> kinds() {
  std::vector<NetworkSettings> all(6, small_memory_settings());
  all[1].own<MemorySettings>().hop_tying = HopTying::layerwise;
  all[2].own<MemorySettings>().sentence_encoding = SentenceEncoding::bag;
  all[3].own<MemorySettings>().temporal_encoding = false;
  all[4].own<MemorySettings>().hops = 1;
  all[5].own<MemorySettings>().hops = 2;
  all[5].own<MemorySettings>().hop_tying = HopTying::layerwise;
  all[5].own<MemorySettings>().temporal_encoding = false;
  return all;
}

Batch batch_of_stories(std::int64_t epoch = 0) {
  Batch batch;
  batch.source =
      rows_of({{{5, 6, 7}, {8, 9}, {10, 5, 11, 12}, {6, 13}},
               {{20, 21}, {22, 21, 20}, {23}},
               {{30, 31, 32}, {33, 30}, {34}, {35, 36}, {37}, {38, 39}, {40, 30}, {41, 31}, {30, 42}}});
  for (const TokenId answer : {0, 2, 1}) batch.target.add(std::vector<TokenId>{answer});
  batch.epoch = epoch;
  return batch;
}

TEST(MemoryStories, DividesRowsIntoSentencesAndQuestions) {
  TokenRows rows = rows_of({{{5, 6}, {7}, {8, 9}}, {{10}, {}, {11}, {12}, {13, 14}}});
  rows.add(std::vector<TokenId>{15});  // a question without a story, begin and end
  const MemoryStories stories(PackedRows(rows, 1), kBegin, kEnd, 3);
  EXPECT_EQ(stories.words, (std::vector<TokenId>{5, 6, 7, 11, 12}));
  EXPECT_EQ(stories.starts, (std::vector<int>{0, 2, 3, 3, 3, 4, 5, 5, 5, 5}));
  EXPECT_EQ(stories.ages, (std::vector<int>{1, 0, -1, 2, 1, 0, -1, -1, -1}));
  EXPECT_EQ(stories.in_memory, (std::vector<int>{2, 3, 0}));
  EXPECT_EQ(stories.forgotten, (std::vector<int>{0, 1, 0}));
  EXPECT_EQ(stories.asked, (std::vector<TokenId>{8, 9, 13, 14, 15}));
  EXPECT_EQ(stories.spans().size(), 3u);
}

TEST(MemoryStories, EmptyMemoriesMakeSentencesOlderAndKeepTheirOrder) {
  std::vector<std::vector<TokenId>> parts(21, std::vector<TokenId>{5});
  Random random(3);
  std::vector<int> most(3, 0);
  for (int time = 0; time < 200; ++time) {
    MemoryStories stories(PackedRows(rows_of({parts}), 1), kBegin, kEnd, 30);
    stories.insert_empty(0.1, random);
    ASSERT_EQ(stories.ages.size(), 30u);
    EXPECT_EQ(stories.ages[20], -1);
    for (std::size_t i = 1; i < 20; ++i) EXPECT_LT(stories.ages[i], stories.ages[i - 1]);
    EXPECT_GE(stories.ages[19], 0);
    ASSERT_LE(stories.ages.front(), 21) << "two empty memories at most";
    ++most[index(stories.ages.front() - 19)];
  }
  for (const int count : most) EXPECT_GT(count, 20) << "none, one or two before the first sentence is read";
}

TEST(MemoryNetwork, GradientEqualsCentralDifferencesOfTheLoss) {
  for (const NetworkSettings& settings : kinds()) {
    Fresh fresh(settings);
    expect_gradients_of_differences(fresh, batch_of_stories(), 2e-3f);
  }
}

TEST(MemoryNetwork, GradientOfTheLinearStartEqualsCentralDifferences) {
  for (NetworkSettings settings : kinds()) {
    settings.own<MemorySettings>().linear_start = 2;
    Fresh fresh(settings);
    const LossTerms terms;
    expect_gradients_of_differences(
        fresh, batch_of_stories(1), 2e-3f, [](const std::string&) { return true; }, &terms);
  }
}

TEST(MemoryNetwork, StartsLinearlyForSomeEpochsOfATrainingOnly) {
  NetworkSettings settings = small_memory_settings();
  settings.own<MemorySettings>().linear_start = 2;
  const Fresh fresh(settings);
  Random random(1);
  const Regularization training{random};
  const double linear = fresh.network->loss(batch_of_stories(1), &training).cross_entropy,
               softmax = fresh.network->loss(batch_of_stories(2), &training).cross_entropy;
  EXPECT_GT(std::abs(linear - softmax), 1e-4);
  EXPECT_EQ(fresh.network->loss(batch_of_stories(0), nullptr).cross_entropy, softmax);
}

TEST(MemoryNetwork, EmptyMemoriesChangeTheLossInTrainingOnly) {
  NetworkSettings settings = small_memory_settings();
  settings.own<MemorySettings>().empty_memories = 1;
  const Fresh fresh(settings);
  Random random(1);
  const Regularization training{random};
  const double without = fresh.network->loss(batch_of_stories(), nullptr).cross_entropy;
  EXPECT_NE(fresh.network->loss(batch_of_stories(), &training).cross_entropy, without);
  EXPECT_EQ(fresh.network->loss(batch_of_stories(), nullptr).cross_entropy, without);
}

TEST(MemoryNetwork, ReportsWhatEachHopReads) {
  for (const NetworkSettings& settings : kinds()) {
    const Fresh fresh(settings);
    const SentenceReader* const reader = fresh.network->sentence_reader();
    ASSERT_NE(reader, nullptr);
    const Batch batch = batch_of_stories();
    std::vector<std::vector<float>> weights;
    const std::vector<float> answers = reader->answer(batch.source, weights);
    EXPECT_EQ(answers, fresh.network->class_predictor()->classify(batch.source));
    ASSERT_EQ(weights.size(), 3u);
    const std::vector<std::size_t> sentences{3, 2, 8};
    for (std::size_t row = 0; row < 3; ++row) {
      ASSERT_EQ(weights[row].size(), sentences[row] * index(reader->hops()));
      for (int hop = 0; hop < reader->hops(); ++hop) {
        const auto begin = weights[row].begin() + hop * static_cast<std::ptrdiff_t>(sentences[row]);
        const double sum = std::accumulate(begin, begin + static_cast<std::ptrdiff_t>(sentences[row]), 0.0);
        EXPECT_LE(sum, 1 + 1e-5);
        EXPECT_EQ(sum < 0.999, row < 2) << "the rest is on unused memories";
        if (row < 2) continue;
        EXPECT_TRUE(begin[0] == 0 && begin[1] == 0 && begin[2] > 0) << "six memories";
      }
    }
  }
}

TEST(MemoryNetwork, ForgetsTheFirstSentencesOfALongStory) {
  const Fresh fresh(small_memory_settings());
  const std::vector<std::vector<TokenId>> story{{5}, {6}, {7}, {8}, {9}, {10}, {11}, {12, 13}};
  std::vector<std::vector<TokenId>> other = story;
  other[0] = {20, 21};
  EXPECT_EQ(answer_to(fresh, other), answer_to(fresh, story));
  other[1] = {22};
  EXPECT_NE(answer_to(fresh, other), answer_to(fresh, story));
}

TEST(MemoryNetwork, EncodesPositionsAndAgesAsTheSettingsSay) {
  const std::vector<std::vector<TokenId>> story{{5, 6}, {7, 8, 9}, {10, 11}},
      words{{6, 5}, {7, 8, 9}, {10, 11}}, sentences{{7, 8, 9}, {5, 6}, {10, 11}};
  const auto differs = [](const std::vector<float>& a, const std::vector<float>& b) {
    double most = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
      most = std::max(most, std::abs(static_cast<double>(a[i] - b[i])));
    return most > 1e-5;
  };
  NetworkSettings settings = small_memory_settings();
  const Fresh both(settings);
  EXPECT_TRUE(differs(answer_to(both, words), answer_to(both, story)));
  EXPECT_TRUE(differs(answer_to(both, sentences), answer_to(both, story)));
  settings.own<MemorySettings>().sentence_encoding = SentenceEncoding::bag;
  const Fresh bag(settings);
  EXPECT_FALSE(differs(answer_to(bag, words), answer_to(bag, story)));
  settings.own<MemorySettings>().temporal_encoding = false;
  const Fresh neither(settings);
  EXPECT_FALSE(differs(answer_to(neither, sentences), answer_to(neither, story)));
}

TEST(MemoryNetwork, SharesMatricesAsTheSettingsSay) {
  const auto names = [](const NetworkSettings& settings) {
    const Fresh fresh(settings);
    std::vector<std::string> all;
    for (const Parameters::Entry& entry : fresh.parameters.entries()) all.push_back(entry.name);
    return all;
  };
  NetworkSettings settings = small_memory_settings();
  settings.own<MemorySettings>().hops = 1;
  EXPECT_EQ(names(settings), (std::vector<std::string>{"memory.0.words.weight", "memory.0.ages.weight",
                                                       "memory.1.words.weight", "memory.1.ages.weight",
                                                       "classifier.weight", "classifier.bias"}));
  settings.own<MemorySettings>().hops = 3;
  EXPECT_EQ(names(settings).size(), 10u);
  settings.own<MemorySettings>().hop_tying = HopTying::layerwise;
  settings.own<MemorySettings>().temporal_encoding = false;
  EXPECT_EQ(names(settings),
            (std::vector<std::string>{"memory.0.words.weight", "memory.1.words.weight", "question.weight",
                                      "hop.weight", "classifier.weight", "classifier.bias"}));
}

TEST(MemoryNetwork, AnswersAQuestionWithoutAStory) {
  const Fresh fresh(small_memory_settings());
  const std::vector<float> answer = answer_to(fresh, {{5, 6}});
  double sum = 0;
  for (const float score : answer) sum += std::exp(static_cast<double>(score));
  EXPECT_NEAR(sum, 1, 1e-5);
}

TEST(MemoryNetwork, RejectsOtherPurposesAndUnusedSettings) {
  NetworkSettings settings = small_memory_settings();
  check(settings);
  settings.classifier.classes = 0;
  EXPECT_THROW(check(settings), UsageError);
  settings = small_memory_settings();
  const auto given = [](const std::string& name) {
    return [name](const std::string& asked) { return asked == name; };
  };
  for (const char* const name : {"heads", "dropout", "encoder_layers", "cell"}) {
    EXPECT_THROW(refuse_unused(settings, given(name)), UsageError) << name;
  }
  refuse_unused(settings, given("empty_memories"));
  settings.own<MemorySettings>().temporal_encoding = false;
  EXPECT_THROW(refuse_unused(settings, given("empty_memories")), UsageError);
}

}  // namespace
}  // namespace gloss
