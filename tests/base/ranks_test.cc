// SPDX-License-Identifier: Apache-2.0

#include "base/ranks.h"
#include "base/index.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace gloss {
namespace {

/// One rank of three; all lower ranks give the text `lower`, all higher ones `higher`.
class OneOfThree : public SingleRank {
 public:
  OneOfThree(int rank, std::string lower, std::string higher) : rank_(rank) {
    for (int i = 0; i < 3; ++i) texts_.push_back(i < rank ? lower : higher);
  }
  int rank() const override { return rank_; }
  int size() const override { return 3; }
  std::vector<std::string> gather(const std::string& own) override {
    texts_[index(rank_)] = own;
    return texts_;
  }

 private:
  int rank_;
  std::vector<std::string> texts_;
};

const std::function<void()> kFails = [] { throw InputError("mine"); };
const std::function<void()> kWorks = [] {};

TEST(Ranks, OnlyTheLowestFailingRankRethrowsItsFailure) {
  OneOfThree middle(1, "", "failed");
  EXPECT_THROW(together(middle, kFails), InputError);
  EXPECT_TRUE(middle.left());
  OneOfThree last(2, "failed", "");
  EXPECT_THROW(together(last, kFails), OtherRankFailed);
  EXPECT_TRUE(last.left());
  OneOfThree first(0, "", "failed");
  EXPECT_THROW(together(first, kWorks), OtherRankFailed);
  OneOfThree none(1, "", "");
  together(none, kWorks);
  EXPECT_FALSE(none.left());
  SingleRank alone;
  EXPECT_THROW(together(alone, kFails), InputError);
}

TEST(Ranks, PrepareBeforeTheyLeave) {
  OneOfThree first(0, "", "failed");
  int prepared = 0;
  first.before_leaving([&] {
    EXPECT_FALSE(first.left());
    ++prepared;
  });
  EXPECT_THROW(together(first, kWorks), OtherRankFailed);
  EXPECT_EQ(prepared, 1);
}

TEST(Ranks, GatherTextsOfAnyContent) {
  const std::vector<std::string> own{"", "3 a\nb", std::string(1, '\0') + "12 "};
  OneOfThree last(2, "", "");
  EXPECT_EQ(gather_texts(last, own), own);
  OneOfThree middle(1, "1 a0 ", "2 bc");
  const std::vector<std::string> all{"a", "", "", "3 a\nb", std::string(1, '\0') + "12 ", "bc"};
  EXPECT_EQ(gather_texts(middle, own), all);
}

TEST(Ranks, FindTheRankThatDiffers) {
  OneOfThree last(2, "same", "");
  EXPECT_EQ(different_rank(last, "same"), -1);
  EXPECT_EQ(different_rank(last, "other"), 2);
  OneOfThree first(0, "", "others");
  EXPECT_EQ(different_rank(first, "mine"), 1);
  EXPECT_EQ(from_first(last, "unheard"), "same");
}

TEST(Ranks, ASingleProcessGetsItsOwnValues) {
  const std::unique_ptr<Ranks> alone = join_ranks();
  EXPECT_TRUE(alone->first());
  EXPECT_EQ(alone->size(), 1);
  EXPECT_EQ(alone->gather("text"), std::vector<std::string>{"text"});
  EXPECT_TRUE(on_any(*alone, true));
  EXPECT_FALSE(on_any(*alone, false));
}

}  // namespace
}  // namespace gloss
