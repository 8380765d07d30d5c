// SPDX-License-Identifier: Apache-2.0
// Phrases that translations must contain.
#include "pipeline/search/required_phrases.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/pipeline/search/best_sequences.h"

namespace gloss {
namespace {

/// The score of a translation without required phrases is score_of; with them, the tokens of `phrases` (each
/// at its first place) are normalised by the length of the source.
Score score_with(const SearchSettings& settings,
                 const std::function<bool(const Row&, std::size_t)>& in_phrase) {
  return [=](const TableDecoder& decoder, const Row& source, const Row& tokens) {
    double forced = 0;
    Row prefix{decoder.begin()};
    for (std::size_t place = 0; place < tokens.size(); ++place) {
      if (in_phrase(tokens, place)) forced += log_probability(decoder, source, prefix, tokens[place]);
      prefix.push_back(tokens[place]);
    }
    const double all = log_probability(decoder, source, tokens);
    return length_normalized(settings, all - forced, static_cast<int>(tokens.size()) + 1) +
           length_normalized(settings, forced, static_cast<int>(source.size()));
  };
}

/// True if `place` is in the first run in `tokens`.
bool in_first(const Row& tokens, const Row& run, std::size_t place) {
  const auto first = std::search(tokens.begin(), tokens.end(), run.begin(), run.end());
  const auto begin = static_cast<std::size_t>(first - tokens.begin());
  return first != tokens.end() && place >= begin && place < begin + run.size();
}

std::shared_ptr<const RequiredPhrases> required(std::vector<RequiredPhrase> phrases,
                                                std::vector<bool> continues_word = std::vector<bool>(5)) {
  return std::make_shared<RequiredPhrases>(std::move(phrases),
                                           std::make_shared<std::vector<bool>>(std::move(continues_word)));
}

TEST(SearchRules, RequiredPhrasesAppear) {
  const std::vector<RequiredPhrase> one{{{0, 3}}}, two{{{0, 3}}, {{4}}}, either{{{0, 0, 1}, {3, 4}}};
  struct Case {
    std::vector<RequiredPhrase> phrases;
    std::function<bool(const Row&)> has;
    std::function<bool(const Row&, std::size_t)> in_phrase;
  };
  for (const auto& [phrases, has, in_phrase] :
       std::vector<Case>{{one,
                          [](const Row&t) {
                            return has_run(t, {0, 3});
                          },
                          [](const Row&t, std::size_t place) {
                            return in_first(t, {0, 3}, place);
                          }},
                         {two,
                          [](const Row&t) {
                            return has_run(t, {0, 3}) && has_run(t, {4});
                          },
                          [](const Row&t, std::size_t place) {
                            return in_first(t, {0, 3}, place) || in_first(t, {4}, place);
                          }},
                         {either,
                          [](const Row&t) {
                            return has_run(t, {0, 0, 1}) || has_run(t, {3, 4});
                          },
                          [](const Row&t, std::size_t place) {  // in that which is complete first
                            const auto end = [&](const Row& run) {
                              return std::search(t.begin(), t.end(), run.begin(), run.end()) - t.begin() +
                                     static_cast<std::ptrdiff_t>(run.size());
                            };
                            const bool longer = has_run(t, {0, 0, 1}) &&
                                                (!has_run(t, {3, 4}) || end({0, 0, 1}) < end({3, 4}));
                            return in_first(t, longer ? Row{0, 0, 1} : Row{3, 4}, place);
                          }}}) {
    RowDemands demands;
    demands.required = required(phrases);
    expect_best(wide_beam(), has, demands, {}, score_with(wide_beam(), in_phrase));
    SearchSettings narrow = wide_beam();
    for (const int beam_size : {1, 2, 4}) {
      narrow.beam_size = beam_size;
      narrow.n_best = 1;
      SearchInput rows(random_sources(30, 6, 9));
      rows.demands.assign(30, demands);
      for (const auto& found : search_all(TableDecoder(5, 1), rows, narrow)) {
        EXPECT_TRUE(has(found.at(0).tokens));
        EXPECT_EQ(found.at(0).missing, 0);
      }
    }
  }
}

TEST(SearchRules, ARequiredPhraseIsNotPartOfALongerWord) {
  RowDemands demands;
  demands.required = required({{{0, 3}}}, {false, true, false, false, false});  // 1 continues a word
  expect_best(
      wide_beam(),
      [](const Row& tokens) {
        for (std::size_t i = 1; i < tokens.size(); ++i) {
          if (tokens[i - 1] == 0 && tokens[i] == 3 && (i + 1 == tokens.size() || tokens[i + 1] != 1))
            return true;
        }
        return false;
      },
      demands, {}, score_with(wide_beam(), [](const Row& tokens, std::size_t place) {
        for (std::size_t i = 1; i < tokens.size(); ++i) {  // the first that is a word of its own
          if (tokens[i - 1] == 0 && tokens[i] == 3 && (i + 1 == tokens.size() || tokens[i + 1] != 1))
            return place == i - 1 || place == i;
        }
        return false;
      }));
}

/// The score of a translation that has one required phrase, complete before any token that continues its last
/// word: log(attention) of the step of its first token, log(1 - attention) of the steps outside of it.
Score score_of_phrase(const SearchSettings& settings, const RequiredPhrase& forms, TokenId continuation,
                      int source_place) {
  return [=](const TableDecoder& decoder, const Row& source, const Row& tokens) {
    std::size_t begin = tokens.size(), end = tokens.size();
    for (std::size_t last = 0; last < tokens.size() && begin == tokens.size(); ++last) {
      if (last + 1 < tokens.size() && tokens[last + 1] == continuation) continue;
      for (const Row& form : forms) {
        if (form.size() > last + 1 || begin != tokens.size()) continue;
        const std::size_t first = last + 1 - form.size();
        if (!std::equal(form.begin(), form.end(), tokens.begin() + static_cast<std::ptrdiff_t>(first)))
          continue;
        begin = first;
        end = last + 1;
      }
    }
    static constexpr double kWeight = 2, kLeastShare = 0.01;
    const auto cost_of = [](double share) { return kWeight * std::log(std::clamp(share, kLeastShare, 1.0)); };
    double forced = 0, placement = 0;
    Row prefix{decoder.begin()};
    for (std::size_t place = 0; place < tokens.size(); ++place) {
      const auto attention = static_cast<double>(decoder.attention(source, prefix)[index(source_place)]);
      const bool outside = place < begin || place >= end;
      if (outside) placement += cost_of(1 - attention);
      if (place == begin) placement += cost_of(attention);
      if (!outside) forced += log_probability(decoder, source, prefix, tokens[place]);
      prefix.push_back(tokens[place]);
    }
    const double all = log_probability(decoder, source, tokens);
    return length_normalized(settings, all - forced, static_cast<int>(tokens.size()) + 1) +
           length_normalized(settings, forced + placement, static_cast<int>(source.size()));
  };
}

TEST(SearchRules, AFormThatBeginsAnotherIsPlacedOnce) {
  constexpr TokenId kContinuation = 1;
  for (const RequiredPhrase& forms : {RequiredPhrase{{0}, {0, 1}}, {{0, 1}, {0}}, {{0, 1}, {0, 1, 1}}}) {
    RowDemands demands;
    demands.required = std::make_shared<RequiredPhrases>(
        std::vector<RequiredPhrase>{forms},
        std::make_shared<std::vector<bool>>(std::vector<bool>{false, true, false, false, false}),
        std::vector<std::vector<int>>{{0}});
    SearchSettings settings = wide_beam();
    settings.follow_attention = true;
    expect_best(
        settings,
        [&](const Row& tokens) {
          for (const Row& form : forms) {
            for (std::size_t end = form.size(); end <= tokens.size(); ++end) {
              if (end < tokens.size() && tokens[end] == kContinuation) continue;
              if (std::equal(form.rbegin(), form.rend(),
                             tokens.rbegin() + static_cast<std::ptrdiff_t>(tokens.size() - end)))
                return true;
            }
          }
          return false;
        },
        demands, {}, score_of_phrase(settings, forms, kContinuation, 0));
  }
}

/// A decoder that copies its source, attends to the token that it copies, and finds all other tokens equally
/// improbable everywhere.
class CopyingDecoder : public TableDecoder {
 public:
  explicit CopyingDecoder(int vocabulary) : TableDecoder(vocabulary) {}
  std::vector<float> scores(const Row& source, const Row& prefix) const override {
    std::vector<float> row(index(vocabulary_size()), 0.0f);
    row[index(source[place_after(source, prefix)])] = 20;
    return row;
  }
  std::vector<float> attention(const Row& source, const Row& prefix) const override {
    std::vector<float> row(source.size(), 0.0f);
    row[place_after(source, prefix)] = 1;
    return row;
  }

 private:
  static std::size_t place_after(const Row& source, const Row& prefix) {
    return std::min(prefix.size(), source.size()) - 1;
  }
};

TEST(SearchRules, AnImprobablePhraseTakesThePlaceOfItsSource) {
  const CopyingDecoder decoder(30);
  const Row source{10, 11, 12, 13, 14, 15, 2};
  for (const int place : {0, 1, 3, 5}) {
    for (const bool single : {true, false}) {
      SearchInput rows;
      rows.sources.add(source);
      RowDemands demands;
      const RequiredPhrase phrase = single ? RequiredPhrase{{20}} : RequiredPhrase{{20, 21}};
      std::vector<int> translated{place};
      if (!single && place < 5) translated.push_back(place + 1);
      demands.required = std::make_shared<RequiredPhrases>(std::vector<RequiredPhrase>{phrase},
                                                           std::make_shared<std::vector<bool>>(30),
                                                           std::vector<std::vector<int>>{translated});
      rows.demands.push_back(demands);
      SearchSettings settings;
      settings.follow_attention = true;
      for (const int beam : {1, 2, 5}) {
        settings.beam_size = beam;
        const Row found = search_all(decoder, rows, settings).at(0).at(0).tokens;
        Row expected(source.begin(), source.end() - 1);
        expected[index(place)] = 20;
        if (!single && place == 5) expected.push_back(0);
        if (!single) expected[index(place) + 1] = 21;
        EXPECT_EQ(found, expected) << "place " << place << ", beam " << beam;
      }
    }
  }
}

TEST(SearchRules, ImpossiblePhrasesAreReportedAsMissing) {
  class NeverThree : public TokenRule {
    bool allows(std::span<const TokenId>, TokenId next) const override { return next != 3; }
  };
  RowDemands demands;
  demands.required = required({{{3}}, {{4}}});
  SearchInput rows(random_sources(3, 4, 3));
  rows.demands.assign(3, demands);
  SearchSettings settings = wide_beam();
  settings.beam_size = 4;
  settings.n_best = 1;
  for (const auto& found : search_all(TableDecoder(5, 1), rows, settings, {std::make_shared<NeverThree>()})) {
    ASSERT_EQ(found.size(), 1u);
    EXPECT_GE(found[0].missing, 1);
    EXPECT_NE(found[0].cut, Cut::none);
  }
}

}  // namespace
}  // namespace gloss
