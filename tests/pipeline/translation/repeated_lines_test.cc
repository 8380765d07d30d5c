// SPDX-License-Identifier: Apache-2.0

#include "pipeline/translation/repeated_lines.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <span>

#include "base/random.h"
#include "base/text.h"
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

TEST_F(RepeatedLinesTest, GetAllOfTheEarlierTranslation) {
  settings.search.beam_size = settings.search.n_best = 3;
  settings.word_scores = settings.links = true;
  settings.alignment = Alignment::soft;
  const Translator full(decoder, spelling_vocabulary(), spelling_vocabulary(), Normalization::none, settings,
                        1);
  RepeatedLines repeated(full);
  const std::vector<std::string> lines{"a \xff dog", "a cat", "a \xff dog"};
  const std::vector<std::uint64_t> numbers{0, 1, 2};
  for (int call = 0; call < 2; ++call) {
    const std::vector<TranslatedLine> all = repeated.translate(lines, numbers, [](int) {});
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const TranslatedLine alone = full.translate(std::span(lines).subspan(i, 1)).front();
      EXPECT_EQ(all[i].replaced, alone.replaced);
      ASSERT_EQ(all[i].translations.size(), 3U);
      for (std::size_t k = 0; k < 3; ++k) {
        const Translation &one = all[i].translations[k], &other = alone.translations[k];
        EXPECT_EQ(one.text, other.text);
        EXPECT_EQ(one.score, other.score);
        EXPECT_EQ(one.words.size(), other.words.size());
        EXPECT_EQ(one.alignment.weights, other.alignment.weights);
        ASSERT_EQ(one.links.size(), other.links.size());
        for (std::size_t l = 0; l < one.links.size(); ++l)
          EXPECT_EQ(one.links[l].weights, other.links[l].weights);
      }
    }
  }
  EXPECT_EQ(repeated.repeats(), 4);
}

TEST_F(RepeatedLinesTest, ForgetTheLeastRecentlyUsedWhenTheMemoryIsFull) {
  constexpr std::size_t kBytes = 100'000;
  RepeatedLines repeated(translator, kBytes);
  const std::string often = "often", seldom = "seldom";
  const int step = steps(repeated, {often}), seldom_steps = steps(repeated, {seldom});
  for (int i = 0; i < 300; ++i) {
    steps(repeated, {concat("line ", i)});
    EXPECT_EQ(steps(repeated, {often}), 0) << i;
  }
  EXPECT_EQ(steps(repeated, {"line 290"}), 0);
  EXPECT_EQ(steps(repeated, {seldom}), seldom_steps);
  const std::string huge(kBytes, 'x');
  EXPECT_EQ(translate(repeated, {huge, often}).back(), often);
  EXPECT_EQ(steps(repeated, {often}), 0);
  const std::int64_t before = repeated.repeats();
  translate(repeated, {huge});
  EXPECT_EQ(repeated.repeats(), before) << "too large to be kept";
  EXPECT_EQ(steps(repeated, {often}), step) << "a line that is not kept takes the place of all";
}

TEST_F(RepeatedLinesTest, AreCountedAlikeInCallsOfAnySize) {
  Random random(3);
  std::vector<std::string> lines;
  for (int i = 0; i < 900; ++i) lines.push_back(concat("line ", random.below(1 + random.below(400))));
  std::set<std::int64_t> counts;
  for (const std::size_t size : {1, 7, 100, 900}) {
    RepeatedLines repeated(translator, 50'000);
    for (std::size_t begin = 0; begin < lines.size(); begin += size) {
      const auto some = std::span(lines).subspan(begin, std::min(size, lines.size() - begin));
      const std::vector<std::string> part(some.begin(), some.end());
      EXPECT_EQ(translate(repeated, part), part);
    }
    counts.insert(repeated.repeats());
  }
  RepeatedLines large(translator);
  translate(large, lines);
  EXPECT_EQ(counts.size(), 1U);
  EXPECT_GT(*counts.begin(), 100);
  EXPECT_LT(*counts.begin(), large.repeats()) << "some lines are forgotten";
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
