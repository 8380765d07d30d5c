// SPDX-License-Identifier: Apache-2.0

#include "pipeline/translation/lexical_drafter.h"

#include <gtest/gtest.h>

namespace gloss {
namespace {

using Row = std::vector<TokenId>;
constexpr TokenId kEnd = 2;

class LexicalDrafterTest : public testing::Test {
 protected:
  /// Starts the drafts of these sources, with `forced` tokens at the beginning of their translations.
  void start(const std::vector<Row>& sources, bool reversed = false, int forced = 0) {
    drafter = std::make_unique<LexicalDrafter>(table, reversed, kEnd);
    drafts = drafter->start();
    TokenRows rows;
    for (const Row& source : sources) rows.add(source);
    std::vector<RowDemands> demands(sources.size());
    for (RowDemands& of_row : demands) of_row.forced = forced;
    drafts->add(rows, demands);
  }
  /// The draft after `so_far`, at most two tokens.
  Row drafted(const Row& so_far, int row = 0) {
    std::vector<Row> draft(1);
    drafts->propose(std::vector<DraftWish>{{row, so_far, 2}}, draft);
    return draft.front();
  }

  // Token 3 has no translation, 7 is the second one of 4, and 7 is translated by the end token.
  Shortlist table{{}, {{}, {}, {}, {}, {6, 7}, {8, 9}, {10}, {kEnd}, {20, 21, 22, 23, 24}}};
  std::unique_ptr<LexicalDrafter> drafter;
  std::unique_ptr<Drafts> drafts;
};

TEST_F(LexicalDrafterTest, TranslatesTheNextSourceTokensOneByOne) {
  start({{4, 5, 3, 6, kEnd}});
  EXPECT_EQ(drafted({}), (Row{6, 8}));
  EXPECT_EQ(drafted({7}), (Row{8, 10})) << "the second translation";
  EXPECT_EQ(drafted({7, 8}), (Row{10}));
  EXPECT_EQ(drafted({7, 8, 10}), (Row{}));
}

TEST_F(LexicalDrafterTest, TokensThatTranslateNothingAreSkipped) {
  start({{4, 5, 6, kEnd}});
  EXPECT_EQ(drafted({1}), (Row{6, 8}));
  EXPECT_EQ(drafted({1, 8}), (Row{10})) << "and so is the first source token";
}

TEST_F(LexicalDrafterTest, LooksAtTheFourBestTranslationsOfSixSourceTokens) {
  start({{8, 6, kEnd}, {3, 3, 3, 3, 3, 4, 6, kEnd}, {3, 3, 3, 3, 3, 3, 4, 6, kEnd}});
  EXPECT_EQ(drafted({24}), (Row{20, 10})) << "the fifth";
  EXPECT_EQ(drafted({6}, 1), (Row{10}));
  EXPECT_EQ(drafted({6}, 2), (Row{6, 10})) << "too far away";
}

TEST_F(LexicalDrafterTest, RowsThatStayKeepTheirPlaces) {
  start({{4, 5, kEnd}, {5, 6, kEnd}, {6, 4, 5, kEnd}});
  EXPECT_EQ(drafted({10}, 2), (Row{6, 8}));
  drafts->keep(std::vector<int>{1, 2});
  EXPECT_EQ(drafted({10, 6}, 1), (Row{8}));
  EXPECT_EQ(drafted({}, 0), (Row{8, 10}));
}

TEST_F(LexicalDrafterTest, ForcedTokensAndOtherOrders) {
  start({{4, 5, kEnd}}, false, 1);
  EXPECT_EQ(drafted({8}), (Row{6, 8})) << "a language token";
  start({{4, 5, 6, kEnd}}, true);
  EXPECT_EQ(drafted({}), (Row{10, 8}));
  EXPECT_EQ(drafted({10}), (Row{8, 6}));
}

TEST_F(LexicalDrafterTest, TheEndTokenIsNoDraft) {
  start({{7, 6, kEnd}});
  EXPECT_EQ(drafted({}), (Row{10}));
}

}  // namespace
}  // namespace gloss
