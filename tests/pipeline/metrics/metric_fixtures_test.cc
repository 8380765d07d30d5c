// SPDX-License-Identifier: Apache-2.0
// Small cases from the reference data, with expected scores from sacreBLEU 2.6.0.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json.h"
#include "base/lines.h"
#include "base/text.h"
#include "pipeline/metrics/evaluation.h"
#include "tests/support/corpus_score.h"
#include "tests/support/shared_data.h"
#include "tokenizer/white_space.h"

namespace gloss {
namespace {

using nlohmann::json;
using Lines = std::vector<std::string>;

/// Converts streams of references to references by segment.
References transposed(const std::vector<Lines>& streams) {
  References references(streams.at(0).size());
  for (const Lines& stream : streams) {
    for (std::size_t i = 0; i < stream.size() && i < references.size(); ++i)
      references[i].push_back(stream[i]);
  }
  return references;
}

class MetricFixtures : public testing::Test {
 protected:
  void SetUp() override {
    const std::optional<std::string> path = shared_data("metric_fixtures/fixtures.json");
    if (!path) GTEST_SKIP() << "SKIPPED: reference data metric_fixtures is missing; set GLOSS_SHARED_DATA";
    all_ = read_json(*path);
  }
  json all_;
};

Smoothing smoothing(const std::string& name) {
  if (name == "none") return Smoothing::none;
  if (name == "floor") return Smoothing::floor;
  if (name == "add-k") return Smoothing::add_k;
  return Smoothing::exp;
}

TEST_F(MetricFixtures, CorpusBleu) {
  const json& cases = all_["test_bleu"];
  for (const json& one : cases["test_corpus_bleu_cases"]) {
    BleuSettings settings;
    settings.tokenize = one[2].value("tokenize", "13a");
    if (one[2].contains("smooth_method")) settings.smooth_method = smoothing(one[2]["smooth_method"]);
    EXPECT_NEAR(corpus_score(Bleu(settings), one[0], transposed(one[1])), one[3].get<double>(), 1e-6)
        << one[2];
  }
  for (const json& one : cases["test_bleu_max_order"]) {
    BleuSettings settings;
    settings.max_order = one[0];
    const double score = corpus_score(Bleu(settings), one[1], transposed(one[2]));
    EXPECT_EQ(fixed_text(score, 2), one[3].get<std::string>());
  }
}

/// The settings of sacreBLEU's raw_corpus_bleu.
BleuSettings raw(double floor) {
  BleuSettings settings;
  settings.tokenize = "none";
  settings.smooth_method = Smoothing::floor;
  settings.smooth_value = floor;
  settings.effective_order = true;
  return settings;
}

TEST_F(MetricFixtures, RawBleu) {
  const json& cases = all_["test_bleu"];
  for (const char* name : {"test_raw_bleu_cases", "test_case_effective_order"}) {
    for (const json& one : cases[name]) {
      EXPECT_NEAR(corpus_score(Bleu(raw(0.01)), one[0], transposed(one[1])) / 100, one[2].get<double>(), 1e-8)
          << one;
    }
  }
  for (const json& one : cases["test_case_offset"]) {
    EXPECT_NEAR(corpus_score(Bleu(raw(0.1)), one[0], transposed(one[1])) / 100, one[2].get<double>(), 1e-8)
        << one;
    EXPECT_NEAR(corpus_score(Bleu(raw(0)), one[0], transposed(one[1])) / 100, one[3].get<double>(), 1e-8)
        << one;
  }
}

TEST_F(MetricFixtures, BleuCounts) {
  const json& cases = all_["test_bleu"];
  for (const json& one : cases["test_case_statistics"]) {
    BleuSettings settings;
    settings.tokenize = "none";
    const Lines hypotheses = one[0];
    const BleuScore score = corpus_bleu(hypotheses, transposed(one[1]), settings);
    EXPECT_EQ(score.correct, one[2][0].get<std::vector<double>>());
    EXPECT_EQ(score.totals, one[2][1].get<std::vector<double>>());
  }
  for (const json& one : cases["test_case_scoring"]) {
    const auto correct = one[0][0][0].get<std::vector<double>>(),
               totals = one[0][0][1].get<std::vector<double>>();
    EXPECT_NEAR(bleu_of_counts(correct, totals, one[0][1], one[0][2], {}).score / 100, one[1].get<double>(),
                1e-8);
  }
  for (const json& one : cases["test_case_degenerate_stats"]) {
    const auto correct = one[0][0][0].get<std::vector<double>>(),
               totals = one[0][0][1].get<std::vector<double>>();
    BleuSettings settings;
    settings.smooth_method = Smoothing::floor;
    settings.smooth_value = one[1].get<double>();
    EXPECT_NEAR(bleu_of_counts(correct, totals, one[0][1], one[0][2], settings).score / 100,
                one[2].get<double>(), 1e-8);
  }
}

TEST_F(MetricFixtures, SentenceBleu) {
  const json& cases = all_["test_sentence_bleu"];
  const auto check = [&](const json& one, const std::string& reference, const std::string& hypothesis) {
    BleuSettings settings;
    settings.smooth_method = smoothing(one[0]);
    if (!one[1].is_null()) settings.smooth_value = one[1].get<double>();
    settings.effective_order = true;
    settings.lowercase = one[2];
    settings.tokenize = one[3];
    EXPECT_NEAR(corpus_score(Bleu(settings), {hypothesis}, {{reference}}), one[4].get<double>(), 1e-3) << one;
  };
  for (const json& one : cases["test_cases"]) check(one, cases["REF"], cases["SYS"]);
  for (const json& one : cases["test_cases_zero_bleu"]) check(one, cases["REF_0"], cases["SYS_0"]);
}

TEST_F(MetricFixtures, Chrf) {
  const json& cases = all_["test_chrf"];
  const double epsilon = cases["EPSILON"];
  ChrfSettings sentence;
  sentence.eps_smoothing = true;
  for (const json& one : cases["test_sentence_level_chrf"]) {
    const Lines references = one[1];
    EXPECT_NEAR(corpus_score(Chrf(sentence), {one[0]}, {references}), one[2].get<double>(), epsilon) << one;
  }
  const auto check = [&](const json& list, const ChrfSettings& settings) {
    for (const json& one : list) {
      const Lines references = one[1];
      EXPECT_NEAR(corpus_score(Chrf(settings), one[0], transposed({references})), one[2].get<double>(),
                  epsilon)
          << one;
    }
  };
  ChrfSettings smoothed;
  smoothed.beta = 3;
  smoothed.eps_smoothing = true;
  check(cases["test_cases"], smoothed);
  ChrfSettings effective;
  effective.beta = 3;
  check(cases["test_cases_effective_order"], effective);
  ChrfSettings spaced;
  spaced.beta = 3;
  spaced.whitespace = true;
  check(cases["test_cases_keep_whitespace"], spaced);
}

TEST_F(MetricFixtures, Ter) {
  const json& cases = all_["test_ter"];
  for (const json& one : cases["test_cases"]) {
    const Lines references = one[1];
    EXPECT_NEAR(corpus_score(Ter({}), one[0], transposed({references})) / 100, one[2].get<double>(),
                cases["EPSILON"])
        << one;
  }
}

TEST_F(MetricFixtures, TercomWords) {
  const json& cases = all_["test_tokenizer_ter"];
  const auto check = [](const json& list, const TerSettings& settings) {
    for (const json& one : list) {
      const std::string text = tercom_words(one[0].get<std::string>(), settings);
      std::vector<std::string_view> words;
      split_words(text, words);
      std::string joined;
      for (const std::string_view word : words) joined += (joined.empty() ? "" : " ") + std::string(word);
      EXPECT_EQ(joined, one[1].get<std::string>());
    }
  };
  TerSettings no_punctuation, normalized, asian;
  no_punctuation.no_punct = true;
  normalized.normalized = true;
  asian.normalized = asian.asian_support = true;
  check(cases["test_cases_default"], {});
  check(cases["test_cases_no_punct"], no_punctuation);
  check(cases["test_cases_norm"], normalized);
  check(cases["test_cases_asian"], asian);
}

}  // namespace
}  // namespace gloss
