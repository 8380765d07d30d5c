// SPDX-License-Identifier: Apache-2.0

#include "pipeline/search/ctc_search.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "base/index.h"
#include "base/random.h"

namespace gloss {
namespace {

constexpr TokenId kBlank = 1, kEnd = 2;
constexpr std::size_t kCtcVocabulary = 6;

SearchSettings search_settings(int beam_size, int n_best = 1, int max_length = 1024) {
  SearchSettings settings;
  settings.beam_size = beam_size;
  settings.n_best = n_best;
  settings.max_length = max_length;
  return settings;
}

/// Log-probabilities of `vectors` vectors; the larger `contrast`, the surer the labels.
std::vector<double> random_labels(int vectors, double contrast, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> log_p;
  for (int t = 0; t < vectors; ++t) {
    std::vector<double> row(kCtcVocabulary);
    double sum = 0;
    for (double& score : row) sum += std::exp(score = contrast * random.normal());
    for (const double score : row) log_p.push_back(score - std::log(sum));
  }
  return log_p;
}

/// The probabilities of all texts, as sums over all paths; those with the end token are no texts.
std::map<std::vector<TokenId>, double> all_texts(const std::vector<double>& log_p) {
  std::map<std::vector<TokenId>, double> texts;
  const std::size_t vectors = log_p.size() / kCtcVocabulary;
  std::vector<std::size_t> path(vectors, 0);
  while (true) {
    std::vector<TokenId> text;
    double log = 0;
    bool ends = false;
    for (std::size_t t = 0; t < vectors; ++t) {
      const auto token = static_cast<TokenId>(path[t]);
      ends = ends || token == kEnd;
      log += log_p[t * kCtcVocabulary + path[t]];
      if (token != kBlank && (t == 0 || path[t] != path[t - 1])) text.push_back(token);
    }
    if (!ends) texts[text] += std::exp(log);
    std::size_t place = 0;
    while (place < vectors && ++path[place] == kCtcVocabulary) path[place++] = 0;
    if (place == vectors) return texts;
  }
}

TEST(CtcSearch, AWideBeamFindsTheMostProbableTexts) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const std::vector<double> log_p = random_labels(5, seed % 3 == 0 ? 0.3 : 1.5, seed);
    const auto texts = all_texts(log_p);
    std::vector<std::pair<double, std::vector<TokenId>>> ranked;
    for (const auto& [text, p] : texts) ranked.emplace_back(p, text);
    std::ranges::sort(ranked, std::greater());
    const std::vector<Hypothesis> found =
        ctc_search(log_p, kCtcVocabulary, {kBlank, kEnd, {}}, search_settings(1000, 20));
    ASSERT_EQ(found.size(), 20u);
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_EQ(found[i].tokens, ranked[i].second) << "seed " << seed << " rank " << i;
      EXPECT_NEAR(std::exp(found[i].log_probability), ranked[i].first, 1e-9);
      EXPECT_EQ(found[i].score, found[i].log_probability);
    }
  }
}

TEST(CtcSearch, ANarrowBeamKeepsWhatItSumsOver) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const std::vector<double> log_p = random_labels(5, 2, seed);
    const auto texts = all_texts(log_p);
    const std::vector<Hypothesis> found =
        ctc_search(log_p, kCtcVocabulary, {kBlank, kEnd, {}}, search_settings(4, 4));
    ASSERT_EQ(found.size(), 4u);
    for (const Hypothesis& text : found) {
      const double all = texts.at(text.tokens), part = std::exp(text.log_probability);
      EXPECT_LE(part, all * (1 + 1e-9));
      EXPECT_GT(part, 0.2 * all);
    }
  }
}

TEST(CtcSearch, ABeamOfOneTakesTheBestLabelOfEachVector) {
  const double no = -30, yes = std::log(0.9), so_so = std::log(0.1);
  // Blank, 4, 4, blank, 4, 5, 5.
  std::vector<double> log_p;
  for (const TokenId token : {kBlank, 4, 4, kBlank, 4, 5, 5}) {
    std::vector<double> row(kCtcVocabulary, no);
    row[index(token)] = yes;
    row[0] = so_so;
    log_p.insert(log_p.end(), row.begin(), row.end());
  }
  const SearchSettings greedy = search_settings(1);
  const std::vector<Hypothesis> found = ctc_search(log_p, kCtcVocabulary, {kBlank, kEnd, {}}, greedy);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].tokens, (std::vector<TokenId>{4, 4, 5}));
  EXPECT_NEAR(found[0].log_probability, 7 * yes, 1e-9);
  const SearchSettings two = search_settings(1, 1, 2);
  const std::vector<Hypothesis> shorter = ctc_search(log_p, kCtcVocabulary, {kBlank, kEnd, {}}, two);
  EXPECT_EQ(shorter[0].tokens, (std::vector<TokenId>{4, 4}));
  EXPECT_EQ(shorter[0].cut, Cut::by_length);
  EXPECT_TRUE(ctc_search({}, kCtcVocabulary, {kBlank, kEnd, {}}, greedy)[0].tokens.empty());
}

TEST(CtcSearch, FollowsRules) {
  const TokenRules rules{std::make_shared<BannedTokens>(std::vector<TokenId>{4, 5})};
  for (const int beam : {1, 3, 50}) {
    const std::vector<double> log_p = random_labels(6, 1, 7);
    for (const Hypothesis& text :
         ctc_search(log_p, kCtcVocabulary, {kBlank, kEnd, rules}, search_settings(beam, beam))) {
      for (const TokenId token : text.tokens) EXPECT_TRUE(token == 0 || token == 3) << token;
    }
  }
  const TokenRules once{std::make_shared<NoRepeatedNgram>(1)};
  for (const int beam : {1, 8}) {
    for (const Hypothesis& text :
         ctc_search(random_labels(9, 1, 3), kCtcVocabulary, {kBlank, kEnd, once}, search_settings(beam))) {
      const std::set<TokenId> different(text.tokens.begin(), text.tokens.end());
      EXPECT_EQ(different.size(), text.tokens.size());
    }
  }
}

}  // namespace
}  // namespace gloss
