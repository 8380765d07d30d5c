// SPDX-License-Identifier: Apache-2.0

#include "pipeline/translation/translation_memory.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "pipeline/translation/memory_drafter.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/untrained_model.h"

namespace gloss {
namespace {

using Row = std::vector<TokenId>;

TranslationMemory memory_of(const std::vector<std::pair<Row, Row>>& pairs) {
  TranslationMemory memory;
  for (const auto& [source, target] : pairs) memory.add(source, target);
  memory.index_pairs();
  return memory;
}

Row found(const TranslationMemory& memory, const Row& source) {
  const auto target = memory.closest(source);
  return {target.begin(), target.end()};
}

TEST(TranslationMemory, FindsTheMostSimilarSource) {
  const TranslationMemory memory = memory_of({{{5, 6, 7, 8}, {1}}, {{5, 6, 9, 8, 7}, {2}}, {{30, 31}, {3}}});
  EXPECT_EQ(found(memory, {5, 6, 7, 8}), Row{1});
  EXPECT_EQ(found(memory, {5, 6, 9, 8, 10}), Row{2});
  EXPECT_EQ(found(memory, {30, 32, 31}), Row{3});
  EXPECT_EQ(found(memory, {40, 41, 42}), Row{});
  EXPECT_EQ(found(memory, {}), Row{});
  EXPECT_EQ(memory.pairs(), 3);
}

TEST(TranslationMemory, ALongSourceThatHasMoreOfItIsLessSimilar) {
  const TranslationMemory memory =
      memory_of({{{5, 6, 7, 8, 20, 21, 22, 23, 24, 25, 26, 27}, {1}}, {{5, 6, 9, 8}, {2}}});
  EXPECT_EQ(found(memory, {5, 6, 7, 8}), Row{2});
  EXPECT_EQ(found(memory, {5, 6, 7, 8, 20, 21}), Row{1});
}

TEST(TranslationMemory, TheFirstOfEqualSourcesWinsAndFrequentNeighboursCostNoTime) {
  std::vector<std::pair<Row, Row>> pairs(60'000, {{5, 6, 7}, {1}});
  pairs.push_back({{5, 6, 8}, {2}});
  const TranslationMemory memory = memory_of(pairs);
  EXPECT_EQ(found(memory, {5, 6, 8}), Row{2});
  EXPECT_EQ(found(memory_of({{{5}, {1}}, {{5}, {2}}}), {5}), Row{1});
}

/// What is drafted for a source after each of these beginnings of its translation, at most three tokens.
std::vector<Row> drafts_of(const Row& target, const std::vector<Row>& beginnings, int forced = 0) {
  const MemoryDrafter drafter(memory_of({{{5, 6}, target}}));
  const auto drafts = drafter.start();
  TokenRows sources;
  sources.add(Row{5, 6, 2});
  RowDemands demands;
  demands.forced = forced;
  drafts->add(sources, std::vector<RowDemands>{demands});
  std::vector<Row> all;
  for (const Row& so_far : beginnings) {
    std::vector<Row> draft(1);
    drafts->propose(std::vector<DraftWish>{{0, so_far, 3}}, draft);
    all.push_back(draft.front());
  }
  return all;
}

TEST(MemoryDrafter, CopiesAndGoesOnAfterDifferences) {
  const Row target{10, 11, 12, 13, 14, 15};
  EXPECT_EQ(drafts_of(target, {{}, {10, 11}}), (std::vector<Row>{{10, 11, 12}, {12, 13, 14}}));
  EXPECT_EQ(drafts_of(target, {{10, 99}}), (std::vector<Row>{{12, 13, 14}})) << "another token";
  EXPECT_EQ(drafts_of(target, {{10, 12}}), (std::vector<Row>{{13, 14, 15}})) << "one token left out";
  EXPECT_EQ(drafts_of(target, {{10, 99, 98, 11, 12}}), (std::vector<Row>{{13, 14, 15}})) << "two more";
  EXPECT_EQ(drafts_of(target, {{7, 10, 11}}, 1), (std::vector<Row>{{12, 13, 14}})) << "a language token";
  EXPECT_EQ(drafts_of(target, {{10, 11, 12, 13, 14, 15}, {10, 11, 12, 13, 14, 15, 16, 17}}),
            (std::vector<Row>{{}, {}}));
}

}  // namespace
}  // namespace gloss
