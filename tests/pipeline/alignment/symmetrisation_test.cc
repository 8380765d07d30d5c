// SPDX-License-Identifier: Apache-2.0

#include "pipeline/alignment/symmetrisation.h"

#include <gtest/gtest.h>

#include <ostream>

#include "base/text.h"

namespace gloss {
namespace {

std::string text(const std::vector<int>& source_of, const std::vector<int>& target_of,
                 Symmetrisation method) {
  std::string links;
  for (const WordLink& link : symmetrise(source_of, target_of, method)) {
    links += concat(links.empty() ? "" : " ", link.source, "-", link.target);
  }
  return links;
}

/// Five source and six target words. Forward 0-0 0-1 1-2 3-3 4-5, reverse 0-0 1-2 2-2 3-3 4-4.
class Symmetrise : public testing::Test {
 protected:
  static std::string links(Symmetrisation method) {
    return text({0, 0, 1, 3, -1, 4}, {0, 2, 2, 3, 4}, method);
  }
};

TEST_F(Symmetrise, OneDirectionAlone) {
  EXPECT_EQ(links(Symmetrisation::forward), "0-0 0-1 1-2 3-3 4-5");
  EXPECT_EQ(links(Symmetrisation::reverse), "0-0 1-2 2-2 3-3 4-4");
}

TEST_F(Symmetrise, BothDirections) {
  EXPECT_EQ(links(Symmetrisation::intersection), "0-0 1-2 3-3");
  EXPECT_EQ(links(Symmetrisation::union_of_both), "0-0 0-1 1-2 2-2 3-3 4-4 4-5");
}

TEST_F(Symmetrise, GrowsFromTheIntersectionToNeighboursOfWordsWithoutLink) {
  // 4-4 is diagonal to 3-3; then 4-5 is next to it, and target word 5 has no link.
  EXPECT_EQ(links(Symmetrisation::grow_diag), "0-0 0-1 1-2 2-2 3-3 4-4 4-5");
}

TEST(GrowDiagFinalAnd, AddsDistantLinksOnlyIfNeitherWordHasOne) {
  // Forward 0-0 3-3 0-5, reverse 0-0 2-5 3-3 5-2: 0-5 has a linked word; 2-5 and 5-2 have none and are not
  // next to other links.
  const std::vector<int> source_of{0, -1, -1, 3, -1, 0}, target_of{0, -1, 5, 3, -1, 2};
  EXPECT_EQ(text(source_of, target_of, Symmetrisation::grow_diag), "0-0 3-3");
  EXPECT_EQ(text(source_of, target_of, Symmetrisation::grow_diag_final_and), "0-0 2-5 3-3 5-2");
}

TEST(GrowDiagFinalAnd, ForwardLinksAreAddedBeforeReverseOnes) {
  // Nothing is common; forward 0-2, reverse 2-2: the first takes target word 2.
  EXPECT_EQ(text({-1, -1, 0}, {-1, -1, 2}, Symmetrisation::grow_diag_final_and), "0-2");
  EXPECT_EQ(text({-1, -1, 0}, {-1, -1, 2}, Symmetrisation::intersection), "");
}

TEST(GrowDiagFinalAnd, LinesWithoutWordsHaveNoLinks) {
  EXPECT_EQ(text({}, {}, Symmetrisation::grow_diag_final_and), "");
  EXPECT_EQ(text({-1, -1}, {}, Symmetrisation::union_of_both), "");
}

}  // namespace
}  // namespace gloss
