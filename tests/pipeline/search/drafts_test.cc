// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/index.h"
#include "pipeline/search/batch_drafts.h"
#include "pipeline/search/model_drafter.h"
#include "tests/support/found_in_batches.h"
#include "tests/support/table_decoder.h"

namespace gloss {
namespace {

using DraftRow = std::vector<TokenId>;

/// Drafts by heart: it knows a translation for each source, and replaces some of its tokens by wrong ones.
class KnownTranslations : public Drafter {
 public:
  KnownTranslations(std::map<DraftRow, DraftRow> known, int every_wrong)
      : known_(std::move(known)), wrong_(every_wrong) {}

  std::unique_ptr<Drafts> start() const override { return std::make_unique<OfBatch>(*this); }
  mutable int proposals = 0;

 private:
  class OfBatch : public Drafts {
   public:
    explicit OfBatch(const KnownTranslations& drafter) : drafter_(drafter) {}
    void add(const TokenRows& sources, std::span<const RowDemands>) override {
      for (int row = 0; row < sources.rows(); ++row) {
        sources_.emplace_back(sources.row(row).begin(), sources.row(row).end());
      }
    }
    void keep(std::span<const int> rows) override {
      std::vector<DraftRow> kept;
      for (const int row : rows) kept.push_back(sources_[index(row)]);
      sources_.swap(kept);
    }
    void propose(std::span<const DraftWish> wishes, std::span<DraftRow> drafts) override {
      for (std::size_t i = 0; i < wishes.size(); ++i) {
        EXPECT_GT(wishes[i].most, 0);
        const DraftRow& known = drafter_.known_.at(sources_.at(index(wishes[i].row)));
        const auto& so_far = wishes[i].so_far;
        for (std::size_t at = so_far.size(); at < known.size() && std::ssize(drafts[i]) < wishes[i].most;
             ++at) {
          ++drafter_.proposals;
          drafts[i].push_back(drafter_.proposals % drafter_.wrong_ == 0 ? known[at] + 1 : known[at]);
        }
      }
    }

   private:
    const KnownTranslations& drafter_;
    std::vector<DraftRow> sources_;
  };

  std::map<DraftRow, DraftRow> known_;
  int wrong_;
};

/// Searches with and without drafts, which must find the same.
class Drafted : public testing::Test {
 protected:
  struct Result {
    int steps_without = 0, steps_with = 0;
  };
  Result expect_same(const SearchSettings& settings, SearchInput input, const SearchBatchSettings& batches,
                     int every_wrong, const TokenRules& rules = {}) {
    const TableDecoder decoder(40, 2), drafted(40, 2);
    const auto without = found_in_batches(
        decoder, input, settings, batches, 1, [](int) {}, rules);
    std::map<DraftRow, DraftRow> known;
    for (int row = 0; row < input.sources.rows(); ++row) {
      const auto source = input.sources.row(row);
      known[{source.begin(), source.end()}] = without[index(row)].front().tokens;
    }
    const KnownTranslations drafter(std::move(known), every_wrong);
    input.drafter = &drafter;
    const auto with = found_in_batches(
        drafted, input, settings, batches, 1, [](int) {}, rules);
    for (std::size_t row = 0; row < without.size(); ++row) {
      EXPECT_EQ(with[row].size(), without[row].size());
      EXPECT_EQ(with[row].front().tokens, without[row].front().tokens) << "row " << row;
      EXPECT_EQ(with[row].front().log_probability, without[row].front().log_probability);
      EXPECT_EQ(with[row].front().token_log_probabilities, without[row].front().token_log_probabilities);
      EXPECT_EQ(with[row].front().attention, without[row].front().attention);
      EXPECT_EQ(with[row].front().cut, without[row].front().cut);
    }
    proposals_ = drafter.proposals;
    return {decoder.steps, drafted.steps};
  }

  static SearchSettings greedy() {
    SearchSettings settings;
    settings.beam_size = 1;
    return settings;
  }
  /// Sources that all differ.
  static SearchInput sources(int rows) {
    TokenRows different;
    std::set<DraftRow> seen;
    const TokenRows all = random_sources(4 * rows, 12, 9);
    for (int row = 0; row < all.rows() && different.rows() < rows; ++row) {
      const auto tokens = all.row(row);
      if (seen.insert({tokens.begin(), tokens.end()}).second) different.add(tokens);
    }
    return different;
  }
  int proposals_ = 0;
};

TEST_F(Drafted, GreedySearchFindsTheSameInFewerSteps) {
  const Result result = expect_same(greedy(), sources(60), {1, 1000}, 1000);
  EXPECT_LT(3 * result.steps_with, result.steps_without);
}

TEST_F(Drafted, WrongDraftsChangeNothing) {
  for (const int every_wrong : {1, 2, 3, 5}) {
    for (const int batch : {1, 2, 5, 8, 30}) expect_same(greedy(), sources(40), {batch, 1000}, every_wrong);
  }
}

TEST_F(Drafted, ManyRowsGetNoDrafts) {
  const SearchInput many = sources(BatchDrafts::kMostRows * 4);
  const Result result = expect_same(greedy(), many, {BatchDrafts::kMostRows * 4, 10'000}, 3);
  EXPECT_GT(proposals_, 0) << "when few rows are left, they get drafts";
  EXPECT_LE(result.steps_with, result.steps_without);
}

TEST_F(Drafted, OneTranslationMayBeSampled) {
  SearchSettings settings;
  settings.sampling.sample = true;
  for (const int every_wrong : {2, 1000}) {
    const Result result = expect_same(settings, sources(30), {2, 1000}, every_wrong);
    EXPECT_LT(result.steps_with, result.steps_without);
  }
}

TEST_F(Drafted, LimitsPrefixesCandidatesAndRulesHold) {
  SearchInput input = sources(30);
  for (int row = 0; row < 30; ++row) {
    RowDemands demands;
    demands.number = static_cast<std::uint64_t>(row);
    if (row % 3 == 0) demands.prefix = {7, 5, static_cast<TokenId>(3 + row)};
    if (row % 3 == 0) demands.forced = 1;
    demands.longest = row % 4 == 1 ? 6 : 0;
    input.demands.push_back(demands);
  }
  SearchSettings settings = greedy();
  settings.min_length = 3;
  settings.no_repeat_ngram = 2;
  settings.keep_attention = true;
  const TokenRules banned{std::make_shared<BannedTokens>(DraftRow{11, 12}, true)};
  for (const int every_wrong : {1, 4, 1000}) expect_same(settings, input, {3, 1000}, every_wrong, banned);

  for (RowDemands& demands : input.demands) {
    auto tokens = std::make_shared<DraftRow>(DraftRow{2, 5, 7});
    for (TokenId token = 8; token < 40; token += 1 + token % 2) tokens->push_back(token);
    for (const TokenId token : demands.prefix) tokens->push_back(token);
    std::sort(tokens->begin(), tokens->end());
    tokens->erase(std::unique(tokens->begin(), tokens->end()), tokens->end());
    demands.candidates = tokens;
  }
  for (const int every_wrong : {1, 4, 1000}) expect_same(greedy(), input, {3, 1000}, every_wrong, banned);
}

TEST_F(Drafted, RequiredPhrasesNeedSeveralHypotheses) {
  SearchInput input = sources(20);
  for (int row = 0; row < 20; ++row) {
    RowDemands demands;
    demands.number = static_cast<std::uint64_t>(row);
    if (row % 2 == 0) {
      demands.required = std::make_shared<RequiredPhrases>(
          std::vector<RequiredPhrase>{{{9, 8}}}, std::make_shared<const std::vector<bool>>(40, false));
    }
    input.demands.push_back(demands);
  }
  for (const int every_wrong : {2, 1000}) expect_same(greedy(), input, {3, 1000}, every_wrong);
}

TEST_F(Drafted, AModelDraftsAsFarAsItIsSureAndHasPositions) {
  // As a draft of itself a model is always right; it is asked for the scores of each token once.
  class Sure : public TableDecoder {
   public:
    Sure() : TableDecoder(40) {}
    std::vector<float> scores(const DraftRow& source, const DraftRow& prefix) const override {
      std::vector<float> row = TableDecoder::scores(source, prefix);
      *std::ranges::max_element(row) += 20;
      if (prefix.size() > 11) row[2] += 100;
      return row;
    }
  };
  const Sure without, with, draft, short_draft;
  SearchInput input = sources(20);
  const auto expected = found_in_batches(without, input, greedy(), {2, 1000}, 1);
  const ModelDrafter drafter(draft, 1000), short_drafter(short_draft, 6);
  input.drafter = &drafter;
  const auto found = found_in_batches(with, input, greedy(), {2, 1000}, 1);
  EXPECT_LT(2 * with.steps, without.steps);
  EXPECT_GT(draft.steps, 0);
  input.drafter = &short_drafter;
  const auto found_short = found_in_batches(with, input, greedy(), {2, 1000}, 1);
  EXPECT_LT(short_draft.rows_stepped, draft.rows_stepped) << "nothing is drafted beyond its positions";
  for (std::size_t row = 0; row < expected.size(); ++row) {
    EXPECT_EQ(found[row].front().tokens, expected[row].front().tokens);
    EXPECT_EQ(found[row].front().score, expected[row].front().score);
    EXPECT_EQ(found_short[row].front().tokens, expected[row].front().tokens);
  }

  const TableDecoder unsure(40, 2), checked(40, 2);
  const ModelDrafter never(unsure, 1000);
  input.drafter = &never;
  found_in_batches(checked, input, greedy(), {2, 1000}, 1);
  EXPECT_LT(checked.rows_stepped, 1.7 * unsure.rows_stepped) << "unsure tokens are not proposed";
}

}  // namespace
}  // namespace gloss
