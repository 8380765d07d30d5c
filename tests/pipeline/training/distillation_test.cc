// SPDX-License-Identifier: Apache-2.0

#include "pipeline/training/distillation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <map>

#include "base/error.h"
#include "base/index.h"
#include "pipeline/training/network_learner.h"
#include "tests/support/heard_listener.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/untrained_model.h"

namespace gloss {
namespace {

struct TeachersTest : testing::Test {
  TeachersTest() {
    tokenizers.source = tokenizers.target = std::make_shared<const Subwords>(small_vocabulary(45));
    write("one", 3);
    write("two", 4);
    batch.source.add(std::vector<TokenId>{7, 8, 9, 2});
    batch.source.add(std::vector<TokenId>{5, 2});
    batch.target.add(std::vector<TokenId>{4, 6, 2});
    batch.target.add(std::vector<TokenId>{11, 12, 13, 14, 2});
  }
  void write(const std::string& name, std::uint64_t seed, int positions = 60) {
    std::filesystem::create_directory(folder / name);
    write_untrained_model(folder / name, *tokenizers.source, *tokenizers.target, seed, positions);
  }
  Teachers open(const std::vector<std::string>& names, int top) {
    DistillationSettings settings;
    for (const std::string& name : names) settings.teacher.push_back(folder / name);
    settings.top = top;
    return Teachers(settings, 1, heard);
  }
  /// The probabilities of all tokens at each target token, by the definition: one target at a time.
  std::vector<std::vector<double>> probabilities(const std::string& name) {
    const TextModel model = read_text_model(folder / name, Weights::copied);
    std::vector<std::vector<double>> all;
    for (int row = 0; row < batch.target.rows(); ++row) {
      for (int i = 0; i < batch.target.length(row); ++i) {
        all.emplace_back();
        for (TokenId token = 0; token < tokenizers.target->size(); ++token) {
          std::vector<TokenId> target(batch.target.row(row).begin(), batch.target.row(row).end());
          target[index(i)] = token;
          Batch changed;
          changed.source.add(batch.source.row(row));
          changed.target.add(target);
          const std::vector<float> found = model.model.network->log_probabilities(changed);
          all.back().push_back(std::exp(static_cast<double>(found[index(i)])));
        }
      }
    }
    return all;
  }
  std::string failure(const std::vector<std::string>& names, const Tokenizers& student, int max_length = 50) {
    try {
      open(names, 8).expect_fit(student, max_length);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  }

  TemporaryDirectory folder;
  HeardListener heard;
  Tokenizers tokenizers;
  Batch batch;
};

TEST_F(TeachersTest, TargetsAreTheMostProbableTokensOfTheMean) {
  const auto one = probabilities("one"), two = probabilities("two");
  for (const bool both : {false, true}) {
    // With all tokens, the shares are the mean of the probabilities.
    const int all = tokenizers.target->size();
    const Teachers teachers = both ? open({"one", "two"}, all) : open({"one"}, all);
    const SoftTargets found = teachers.soft_targets(batch);
    ASSERT_EQ(found.per_row, all);
    ASSERT_EQ(found.shares.size(), one.size() * index(all));
    for (std::size_t i = 0; i < found.shares.size(); ++i) {
      const std::size_t row = i / index(all);
      const auto token = index(found.tokens[i]);
      const double expected = both ? (one[row][token] + two[row][token]) / 2 : one[row][token];
      EXPECT_NEAR(static_cast<double>(found.shares[i]), expected, 1e-4) << row << " " << token;
      if (i % index(all) > 0) {
        EXPECT_LE(found.shares[i], found.shares[i - 1]) << "best first";
      }
    }
  }
}

TEST_F(TeachersTest, SharesOfTheBestTokensSumToOne) {
  const auto probable = probabilities("one");
  const SoftTargets found = open({"one"}, 3).soft_targets(batch);
  ASSERT_EQ(found.per_row, 3);
  for (std::size_t row = 0; row < probable.size(); ++row) {
    std::vector<double> sorted = probable[row];
    std::sort(sorted.rbegin(), sorted.rend());
    const double sum = sorted[0] + sorted[1] + sorted[2];
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(static_cast<double>(found.shares[3 * row + i]), sorted[i] / sum, 1e-4);
    }
  }
}

TEST_F(TeachersTest, LearnersFollowTheirTeachers) {
  const TextModel student = read_text_model(folder / "two", Weights::copied);
  const auto loss = [&](double weight, bool taught) {
    LearningGoal goal{{.label_smoothing = 0, .distillation_weight = weight}, nullptr};
    DistillationSettings settings;
    settings.teacher = {folder / "one"};
    if (taught) goal.teachers = open_teachers(settings, 1, heard);
    NetworkSettings network = student.model.settings;
    network.sizes.dropout = network.sizes.embedding_dropout = 0;
    NetworkLearner learner(network, *student.model.parameters, nullptr, goal);
    Random random(1);
    return learner.learn(batch, random, {});
  };
  const LossFigures plain = loss(0, false), half = loss(0.5, true), whole = loss(1, true);
  EXPECT_NEAR(plain.cross_entropy, half.cross_entropy, 1e-3) << "of the targets alone";
  EXPECT_NEAR(half.loss, (plain.loss + whole.loss) / 2, 1e-3);
  EXPECT_GT(std::abs(plain.loss - whole.loss), 1e-2);
}

TEST_F(TeachersTest, OtherVocabulariesAreNamed) {
  EXPECT_EQ(failure({"one", "two"}, tokenizers), "");
  Tokenizers larger = tokenizers;
  larger.target = std::make_shared<const Subwords>(small_vocabulary(47));
  const std::string target = failure({"one"}, larger);
  for (const std::string part : {"--teacher", "one", "target", "45", "47", "--tokenizer"}) {
    EXPECT_NE(target.find(part), std::string::npos) << target;
  }
  larger = tokenizers;
  larger.source = std::make_shared<const Subwords>(small_vocabulary(45, /*byte_fallback=*/false));
  EXPECT_EQ(failure({"one"}, larger), "") << "the same pieces";
  larger.source = std::make_shared<const Subwords>(small_vocabulary(46));
  EXPECT_NE(failure({"one"}, larger).find("source"), std::string::npos);
  write("short", 5, 20);
  const std::string length = failure({"short"}, tokenizers);
  EXPECT_NE(length.find("at most 19 tokens"), std::string::npos) << length;
}

TEST_F(TeachersTest, OnlyTranslationModelsTeach) {
  std::filesystem::create_directory(folder / "lm");
  write_untrained_language_model(folder / "lm", *tokenizers.source);
  EXPECT_THROW(open({"lm"}, 8), InputError);
}

}  // namespace
}  // namespace gloss
