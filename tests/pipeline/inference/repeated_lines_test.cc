// SPDX-License-Identifier: Apache-2.0

#include "pipeline/inference/repeated_lines.h"

#include <gtest/gtest.h>

#include <numeric>

#include "tests/support/copying_decoder.h"

namespace gloss {
namespace {

/// Copies its source, and counts the steps.
struct CountedCopier : SourceCopier {
  std::vector<float> scores(const Row& source, const Row& prefix) const override {
    ++steps;
    return SourceCopier::scores(source, prefix);
  }
  mutable int steps = 0;
};

TranslationSettings greedy() {
  TranslationSettings settings;
  settings.search.beam_size = 1;
  return settings;
}

struct RepeatedLinesTest : testing::Test {
  std::vector<std::string> translate(RepeatedLines& repeated, const std::vector<std::string>& lines) {
    std::vector<std::uint64_t> numbers(lines.size());
    std::iota(numbers.begin(), numbers.end(), first);
    first += lines.size();
    int done = 0;
    std::vector<std::string> texts;
    for (const TranslatedLine& line : repeated.translate(lines, numbers, [&](int count) { done += count; })) {
      texts.push_back(line.translations.front().text);
    }
    EXPECT_EQ(done, std::ssize(lines));
    return texts;
  }
  /// The steps that translating these lines takes.
  int steps(RepeatedLines& repeated, const std::vector<std::string>& lines) {
    const int before = decoder.steps;
    EXPECT_EQ(translate(repeated, lines), lines);
    return decoder.steps - before;
  }

  CountedCopier decoder;
  TranslationSettings settings = greedy();
  Translator translator{decoder, spelling_vocabulary(), spelling_vocabulary(), Normalization::none, settings,
                        1};
  std::uint64_t first = 0;
};

TEST_F(RepeatedLinesTest, AreTranslatedOnce) {
  RepeatedLines none(translator), repeated(translator);
  const int one = steps(none, {"a dog"}), two = steps(none, {"a dog and a cat"});
  ASSERT_GT(one, 0);
  EXPECT_EQ(steps(repeated, {"a dog", "", "a dog", "a dog and a cat", "", "a dog"}), one + two);
  EXPECT_EQ(repeated.repeats(), 2);
  EXPECT_EQ(steps(repeated, {"a dog and a cat", "", "a cat", "a dog"}), steps(none, {"a cat"}));
  EXPECT_EQ(repeated.repeats(), 4);
  EXPECT_EQ(steps(repeated, {}), 0);
}

TEST_F(RepeatedLinesTest, AreForgottenWhenTheMemoryIsFull) {
  constexpr std::size_t kBytes = 16 << 10;
  RepeatedLines repeated(translator, kBytes);
  constexpr int kOthers = 100;
  const auto others = [](int begin) {
    std::vector<std::string> lines;
    for (int i = begin; i < begin + kOthers; ++i) lines.push_back(concat("line ", i));
    return lines;
  };
  const std::string often = "often", seldom = "seldom";
  const int step = steps(repeated, {often}), seldom_steps = steps(repeated, {seldom});
  for (const std::string& line : others(0)) {
    steps(repeated, {line});
    EXPECT_EQ(steps(repeated, {often}), 0) << line;
  }
  EXPECT_EQ(steps(repeated, {seldom}), seldom_steps);
  steps(repeated, others(kOthers));
  EXPECT_EQ(steps(repeated, {often}), step);
  const std::string huge(kBytes, 'x');
  EXPECT_EQ(translate(repeated, {huge, often}).back(), often);
  EXPECT_EQ(steps(repeated, {often}), 0);
  const std::int64_t before = repeated.repeats();
  translate(repeated, {huge});
  EXPECT_EQ(repeated.repeats(), before) << "too large to be kept";
}

TEST_F(RepeatedLinesTest, AreDrawnAnew) {
  const TableDecoder random(spelling_vocabulary().size(), 4);
  settings.search.sampling.sample = true;
  const Translator sampler(random, spelling_vocabulary(), spelling_vocabulary(), Normalization::none,
                           settings, 1);
  RepeatedLines repeated(sampler);
  const std::vector<std::string> lines(8, "a dog"), drawn = translate(repeated, lines);
  EXPECT_TRUE(std::ranges::any_of(drawn, [&](const std::string& text) { return text != drawn.front(); }));
  EXPECT_EQ(repeated.repeats(), 0);
}

}  // namespace
}  // namespace gloss
