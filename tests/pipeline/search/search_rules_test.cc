// SPDX-License-Identifier: Apache-2.0
// Constraints on a search: forced prefixes, rules on tokens, required phrases, coverage.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/pipeline/search/best_sequences.h"

namespace gloss {
namespace {

TEST(SearchRules, AForcedPrefixIsScoredLikeTheRest) {
  const Row prefix{4, 0, 4};
  RowDemands demands;
  demands.prefix = prefix;
  expect_best(
      wide_beam(),
      [&](const Row& tokens) {
        return tokens.size() >= 3 && std::equal(prefix.begin(), prefix.end(), tokens.begin());
      },
      demands);
  demands.prefix = {0, 1, 3, 4, 4};  // as long as the limit allows
  expect_best(
      wide_beam(), [&](const Row& tokens) { return tokens == demands.prefix; }, demands);
}

TEST(SearchRules, NoNgramIsRepeated) {
  for (const int size : {1, 2, 3}) {
    SearchSettings settings = wide_beam();
    settings.no_repeat_ngram = size;
    const auto no_repeat = [&](const Row& tokens) {
      std::set<Row> seen;
      for (std::size_t start = 0; start + index(size) <= tokens.size(); ++start) {
        const auto first = tokens.begin() + static_cast<std::ptrdiff_t>(start);
        if (!seen.insert(Row(first, first + size)).second) return false;
      }
      return true;
    };
    expect_best(settings, no_repeat);
    settings.sampling.sample = true;
    const auto drawn = search_all(TableDecoder(5, -1), random_sources(20, 4, 1), settings);
    for (const auto& hypotheses : drawn) EXPECT_TRUE(no_repeat(hypotheses.front().tokens));
  }
}

TEST(SearchRules, BannedPhrasesAppearInNoSegmentation) {
  //                                0     1    2     3          4
  const std::vector<std::string> pieces{"a", "b", "</s>", " ", " ab"};
  const auto banned = std::make_shared<BannedPhrases>(std::vector<std::string>{"ab", "b a"}, pieces);
  const auto allowed = [&](const Row& tokens) {
    Row so_far;
    std::string text;
    for (const TokenId token : tokens) {
      text += pieces[index(token)];
      // By words: "ab" at the end of any piece, or followed by a space.
      for (const std::string phrase : {"ab", "b a"}) {
        for (std::size_t at = 0; (at = text.find(phrase, at)) != std::string::npos; ++at) {
          const std::size_t end = at + phrase.size();
          if ((at == 0 || text[at - 1] == ' ') && (end == text.size() || text[end] == ' ')) return false;
        }
      }
    }
    return true;
  };
  EXPECT_TRUE(allowed({0, 1 - 1, 1}));
  EXPECT_FALSE(allowed({3, 0, 1}));
  expect_best(wide_beam(), allowed, {}, {banned});
  EXPECT_NE(banned->found_in(Row{3, 0, 1}), nullptr);
  EXPECT_EQ(banned->found_in(Row{3, 0, 1, 1}), nullptr);
}

TEST(SearchRules, CoverageAffectsTheScore) {
  for (const double penalty : {0.0, 1.0}) {
    SearchSettings settings = wide_beam();
    settings.length_penalty = penalty;
    settings.coverage_penalty = 0.7;
    EXPECT_TRUE(search_all(TableDecoder(5, 1), random_sources(1, 4, 3), settings)[0][0].attention.empty())
        << "it was not requested";
    expect_best(settings, [](const Row&) { return true; });
  }
}

/// A rule that does not say how many tokens it refuses.
class Unlimited : public TokenRule {
 public:
  explicit Unlimited(std::shared_ptr<const TokenRule> rule) : rule_(std::move(rule)) {}
  bool allows(std::span<const TokenId> so_far, TokenId next) const override {
    return rule_->allows(so_far, next);
  }

 private:
  std::shared_ptr<const TokenRule> rule_;
};

/// Counts the steps that compute only the best scores.
class CountingDecoder : public TableDecoder {
 public:
  using TableDecoder::TableDecoder;
  void step_to_best(std::span<const TokenId> latest, DecoderState& state, const TopScores::Wanted& wanted,
                    TopScores& best, SourceAttention* attention) const override {
    ++steps_to_best;
    TableDecoder::step_to_best(latest, state, wanted, best, attention);
  }
  mutable int steps_to_best = 0;
};

TEST(SearchRules, RulesThatRefuseFewTokensNeedOnlyTheBestScores) {
  constexpr int kVocabulary = 150;
  const std::vector<std::shared_ptr<const TokenRule>> rules{
      std::make_shared<BannedTokens>(std::vector<TokenId>{0, 3, 4, 5, 77}),
      std::make_shared<KnownPieces>(kVocabulary - 20, kVocabulary), std::make_shared<NoRepeatedNgram>(2)};
  const auto sources = random_sources(20, 4, 1);
  for (const int min_length : {0, 3}) {
    for (std::size_t rule = 0; rule <= rules.size(); ++rule) {
      const TokenRules few = rule < rules.size() ? TokenRules{rules[rule]} : rules;
      TokenRules any;
      for (const auto& one : few) any.push_back(std::make_shared<Unlimited>(one));
      EXPECT_TRUE(most_refused(few, 6).has_value());
      EXPECT_FALSE(most_refused(any, 6).has_value());
      SearchSettings settings;
      settings.beam_size = settings.n_best = 3;
      settings.min_length = min_length;
      const CountingDecoder decoder(kVocabulary, 2), other(kVocabulary, 2);
      const auto found = search_all(decoder, sources, settings, few);
      const auto expected = search_all(other, sources, settings, any);
      EXPECT_EQ(decoder.steps_to_best, decoder.steps);
      EXPECT_EQ(other.steps_to_best, 0);
      ASSERT_EQ(found.size(), expected.size());
      for (std::size_t row = 0; row < found.size(); ++row) {
        ASSERT_EQ(found[row].size(), expected[row].size());
        for (std::size_t i = 0; i < found[row].size(); ++i) {
          EXPECT_EQ(found[row][i].tokens, expected[row][i].tokens);
          EXPECT_EQ(found[row][i].log_probability, expected[row][i].log_probability);
        }
      }
    }
  }
  EXPECT_FALSE(most_refused(rules, 1000).has_value());
}

TEST(SearchRules, ImpossibleTokensLeaveTheirProbabilityToTheOthers) {
  constexpr int kVocabulary = 150;
  const std::vector<TokenId> tokens{0, 3, 77};
  const auto impossible = std::make_shared<BannedTokens>(tokens, true);
  const auto sources = random_sources(10, 4, 1);
  SearchSettings settings;
  settings.beam_size = settings.n_best = 3;
  const TableDecoder decoder(kVocabulary, 2);
  const auto plain = search_all(decoder, sources, settings, {std::make_shared<BannedTokens>(tokens)});
  const auto found = search_all(decoder, sources, settings, {impossible});
  // A rule of any number of tokens requests the scores of all.
  const auto of_all =
      search_all(decoder, sources, settings,
                 {impossible, std::make_shared<Unlimited>(std::make_shared<BannedTokens>(tokens))});
  int compared = 0;
  for (std::size_t row = 0; row < found.size(); ++row) {
    ASSERT_EQ(found[row].size(), of_all[row].size());
    for (std::size_t i = 0; i < found[row].size(); ++i) {
      EXPECT_EQ(found[row][i].tokens, of_all[row][i].tokens);
      EXPECT_EQ(found[row][i].log_probability, of_all[row][i].log_probability);
      const auto same = std::ranges::find(plain[row], found[row][i].tokens, &Hypothesis::tokens);
      if (same == plain[row].end()) continue;
      EXPECT_GT(found[row][i].log_probability, same->log_probability);
      ++compared;
    }
  }
  EXPECT_GT(compared, 0);
}

TEST(SearchRules, RulesThatAllowNoTokenEndTheTranslation) {
  SearchSettings settings;
  settings.no_repeat_ngram = 1;
  settings.min_length = 8;  // more than the four tokens besides the end token
  for (const bool sample : {false, true}) {
    settings.sampling.sample = sample;
    for (const auto& found : search_all(TableDecoder(5, 0), random_sources(5, 4, 2), settings)) {
      ASSERT_EQ(found.size(), 1u);
      EXPECT_EQ(found[0].tokens.size(), 4u);
      EXPECT_EQ(found[0].cut, Cut::by_rules);
    }
  }
}

TEST(SearchRules, HypothesesHaveAttentionAndTokenLogProbabilities) {
  for (const bool sample : {false, true}) {
    SearchSettings settings;
    settings.keep_attention = true;
    settings.n_best = 3;
    settings.sampling.sample = sample;
    const TableDecoder decoder(9, 1);
    const TokenRows sources = random_sources(7, 5, 8);
    const auto results = search_all(decoder, sources, settings);
    for (int row = 0; row < sources.rows(); ++row) {
      const Row source = row_of(sources, row);
      for (const Hypothesis& found : results[index(row)]) {
        ASSERT_EQ(found.token_log_probabilities.size(), found.tokens.size() + 1);
        ASSERT_EQ(found.attention.size(), (found.tokens.size() + 1) * source.size());
        Row prefix{decoder.begin()};
        for (std::size_t step = 0; step <= found.tokens.size(); ++step) {
          const TokenId token = step < found.tokens.size() ? found.tokens[step] : decoder.end();
          EXPECT_NEAR(found.token_log_probabilities[step], log_probability(decoder, source, prefix, token),
                      1e-5);
          const auto expected = decoder.attention(source, prefix);
          EXPECT_TRUE(
              std::equal(expected.begin(), expected.end(),
                         found.attention.begin() + static_cast<std::ptrdiff_t>(step * source.size())));
          prefix.push_back(token);
        }
      }
    }
  }
}

}  // namespace
}  // namespace gloss
