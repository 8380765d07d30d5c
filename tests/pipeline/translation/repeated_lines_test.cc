// SPDX-License-Identifier: Apache-2.0

#include "pipeline/translation/repeated_lines.h"

#include <gtest/gtest.h>

#include <numeric>

#include "base/random.h"
#include "tests/support/copying_decoder.h"
#include "tests/support/temporary_directory.h"

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
  constexpr std::size_t kBytes = 4 << 10;
  RepeatedLines repeated(translator, kBytes);
  constexpr int kOthers = 300;
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

struct RememberedLinesTest : RepeatedLinesTest {
  static std::vector<std::string> lines(int begin, int end) {
    std::vector<std::string> lines;
    for (int i = begin; i < end; ++i) lines.push_back(concat("line ", i));
    return lines;
  }
  /// The steps and the repeats of a run that continues after `begin` lines, with these lines.
  std::pair<int, std::int64_t> continued(std::uint64_t begin, const std::vector<std::string>& lines,
                                         std::size_t bytes = RepeatedLines::kBytes,
                                         const nlohmann::json& identity = {{"run", 1}}) {
    RunMemory memory(output, identity);
    RepeatedLines repeated(translator, bytes);
    repeated.keep_in(memory);
    first = begin;
    const int needed = steps(repeated, lines);
    return {needed, repeated.repeats()};
  }
  int steps_alone(const std::vector<std::string>& lines) {
    RepeatedLines none(translator);
    return steps(none, lines);
  }

  TemporaryDirectory folder;
  std::string output = folder / "out", recent = "out.partial.memory", old = recent + ".old";
};

TEST_F(RememberedLinesTest, AreTranslatedOnceInAllRuns) {
  continued(0, lines(0, 20));
  EXPECT_EQ(continued(20, lines(0, 20)), std::pair(0, std::int64_t{20}));
  EXPECT_EQ(continued(20, lines(10, 30)), std::pair(steps_alone(lines(20, 30)), std::int64_t{10}));
  EXPECT_EQ(continued(40, lines(0, 30)).first, 0);
  EXPECT_EQ(continued(40, lines(0, 5), RepeatedLines::kBytes, {{"run", 2}}).first, steps_alone(lines(0, 5)));
}

TEST_F(RememberedLinesTest, AreNoRepeatsIfTheirLineWasLost) {
  std::vector<std::string> text = lines(0, 20);
  text[18] = "line 17";
  text[19] = "line 3";
  const auto after = [&](int begin) { return std::vector<std::string>(text.begin() + begin, text.end()); };
  continued(0, text);
  EXPECT_EQ(continued(15, after(15)), std::pair(0, std::int64_t{2}));
  EXPECT_EQ(continued(18, after(18)), std::pair(0, std::int64_t{2}));
  EXPECT_EQ(continued(0, text), std::pair(0, std::int64_t{2}));
}

TEST_F(RememberedLinesTest, AreAboutThoseThatTheMemoryHad) {
  constexpr std::size_t kBytes = 4 << 10;
  const auto backwards = [](int count) {
    std::vector<std::string> text = lines(0, count);
    std::ranges::reverse(text);
    return text;
  };
  const int few = steps_alone(lines(100, 106));  // as many as may be forgotten at once
  int most_forgotten = 0;
  for (int end = 10; end < 300; end += 10) {
    RunMemory memory(output, {{"run", 1}});
    memory.remove();
    RepeatedLines undisturbed(translator, kBytes);
    undisturbed.keep_in(memory);
    first = 0;
    for (int begin = 0; begin < end; begin += 10) steps(undisturbed, lines(begin, begin + 10));
    EXPECT_LE(folder.read(recent).size(), kBytes + 1000);
    const int needed = continued(static_cast<std::uint64_t>(end), backwards(end), kBytes).first;
    EXPECT_NEAR(needed, steps(undisturbed, backwards(end)), few) << end;
    most_forgotten = std::max(most_forgotten, needed);
  }
  EXPECT_GT(most_forgotten, 10 * few);
  EXPECT_TRUE(std::filesystem::exists(folder / old));
}

TEST_F(RememberedLinesTest, DamageCostsOnlyWork) {
  constexpr std::size_t kBytes = 2 << 10;
  const std::vector<std::string> all = lines(0, 60);
  for (int begin = 0; begin < 60; begin += 5) {
    continued(static_cast<std::uint64_t>(begin), lines(begin, begin + 5), kBytes);
  }
  const std::string newer = folder.read(recent), older = folder.read(old);
  ASSERT_GT(newer.size(), 100U);
  ASSERT_GT(older.size(), 100U);
  Random random(5);
  int cheaper = 0;
  const int alone = steps_alone(all);
  for (int trial = 0; trial < 300; ++trial) {
    std::vector<std::string> files{newer, older};
    std::string& bytes = files[random.below(2)];
    if (trial % 3 == 0) bytes.resize(random.below(bytes.size()));
    if (trial % 3 == 1) bytes[random.below(bytes.size())] ^= static_cast<char>(1U << random.below(8));
    if (trial % 3 == 2) bytes.erase(random.below(bytes.size()), 1 + random.below(40));
    folder.write(recent, files[0]);
    folder.write(old, files[1]);
    const int needed = continued(60, all, kBytes).first;  // expects the right translations
    EXPECT_LE(needed, alone);
    if (needed < alone) ++cheaper;
    const bool known =
        std::ranges::all_of(std::vector<std::string>{recent, old}, [&](const std::string& name) {
          return folder.read(name).starts_with("gloss memory of an unfinished output, format 1\n");
        });
    if (!known) continue;  // may be a file of another program, which is left as it is
    continued(120, {"line 120"}, kBytes);
    EXPECT_EQ(continued(121, {"line 120"}, kBytes).first, 0) << "what is damaged is replaced";
  }
  EXPECT_GT(cheaper, 200);
}

TEST_F(RememberedLinesTest, AreNotWrittenForDrawnTranslations) {
  const TableDecoder random(spelling_vocabulary().size(), 4);
  settings.search.sampling.sample = true;
  const Translator sampler(random, spelling_vocabulary(), spelling_vocabulary(), Normalization::none,
                           settings, 1);
  RunMemory memory(output, {{"run", 1}});
  RepeatedLines repeated(sampler);
  repeated.keep_in(memory);
  translate(repeated, lines(0, 5));
  EXPECT_FALSE(std::filesystem::exists(folder / recent));
}

}  // namespace
}  // namespace gloss
