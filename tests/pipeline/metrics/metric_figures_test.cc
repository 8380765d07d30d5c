// SPDX-License-Identifier: Apache-2.0
// All metrics on sentences of our own in eleven languages; metric_figures.py computed the expected scores.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/json.h"
#include "base/text.h"
#include "pipeline/metrics/evaluation.h"
#include "tests/support/paths.h"
#include "tests/support/temporary_directory.h"

namespace gloss {
namespace {

using nlohmann::json;

constexpr double kRounding = 1e-11;

/// Writes the reader's input: one file per system, and the references as columns of files.
class WrittenTest {
 public:
  explicit WrittenTest(const json& test) {
    std::size_t columns = 0;
    for (const json& references : test["references"]) columns = std::max(columns, references.size());
    for (std::size_t column = 0; column < columns; ++column) {
      std::string text;
      for (const json& references : test["references"]) text += references[column].get<std::string>() + "\n";
      files_.references.push_back(folder_.write(concat("reference", column), text));
    }
    for (const char* system : {"baseline", "system"}) {
      std::string text;
      for (const json& line : test[system]) text += line.get<std::string>() + "\n";
      files_.systems.push_back(folder_.write(system, text));
    }
  }
  TestSet read() const {
    Listener listener;
    return read_test_set(files_, listener);
  }

 private:
  TemporaryDirectory folder_;
  TestSetFiles files_;
};

/// The settings of a case; each option is named as the member of the settings.
MetricSettings settings_of(const json& options) {
  MetricSettings settings;
  const auto number = [&](const char* name, int& value) { value = options.value(name, value); };
  const auto flag = [&](const char* name, bool& value) { value = options.value(name, value); };
  settings.bleu.tokenize = options.value("tokenize", "13a");
  const std::string smoothing = options.value("smooth_method", "exp");
  settings.bleu.smooth_method = smoothing == "floor"   ? Smoothing::floor
                                : smoothing == "add-k" ? Smoothing::add_k
                                : smoothing == "none"  ? Smoothing::none
                                                       : Smoothing::exp;
  if (options.contains("smooth_value")) settings.bleu.smooth_value = options["smooth_value"].get<double>();
  flag("lowercase", settings.bleu.lowercase);
  flag("lowercase", settings.chrf.lowercase);
  number("char_order", settings.chrf.char_order);
  number("word_order", settings.chrf.word_order);
  number("beta", settings.chrf.beta);
  flag("eps_smoothing", settings.chrf.eps_smoothing);
  flag("normalized", settings.ter.normalized);
  flag("no_punct", settings.ter.no_punct);
  flag("asian_support", settings.ter.asian_support);
  flag("case_sensitive", settings.ter.case_sensitive);
  return settings;
}

void check_sentences(const json& one, const TestSet& test) {
  MetricSettings settings = settings_of(one["options"]);
  settings.bleu.effective_order = true;
  const std::unique_ptr<Metric> metric = make_metric(one["metric"], settings);
  const auto comparer = metric->comparer();
  std::vector<double> figures(metric->figures());
  ASSERT_EQ(one["sentences"].size(), test.references.size());
  for (std::size_t i = 0; i < test.references.size(); ++i) {
    comparer->set_references(test.references[i]);
    comparer->compare(test.systems[1][i], figures);
    EXPECT_NEAR(metric->score(figures), one["sentences"][i].get<double>(), kRounding) << "segment " << i;
  }
}

TEST(MetricFigures, AllMetricsAgreeWithAnIndependentComputation) {
  const json all = read_json(concat(kSourceFolder, "/tests/pipeline/metrics/metric_figures.json"));
  for (const json& one : all["cases"]) {
    SCOPED_TRACE(concat(one["metric"].get<std::string>(), " ", one["test"].get<std::string>(), " ",
                        one["options"].dump()));
    const TestSet test = WrittenTest(all["tests"][one["test"].get<std::string>()]).read();
    std::vector<std::unique_ptr<Metric>> metrics;
    metrics.push_back(make_metric(one["metric"], settings_of(one["options"])));
    EvaluationSettings settings;
    const bool sampled = one.contains("samples");
    if (sampled) {
      settings.statistics = Statistics::paired_bootstrap;
      settings.samples = one["samples"];
    }
    const Evaluation evaluation = evaluate(test, metrics, settings);
    const std::vector<SystemResult>& results = evaluation.results[0];
    for (std::size_t system = 0; system < 2; ++system) {
      EXPECT_NEAR(results[system].score, one["scores"][system].get<double>(), kRounding);
      if (!sampled) continue;
      const json& interval = one["paired_bootstrap"][system == 0 ? "baseline" : "system"];
      EXPECT_NEAR(results[system].interval->mean, interval[0].get<double>(), kRounding);
      EXPECT_NEAR(results[system].interval->half_width, interval[1].get<double>(), kRounding);
    }
    if (sampled) {
      EXPECT_DOUBLE_EQ(*results[1].p_value, one["paired_bootstrap"]["p_value"].get<double>());
    }
    check_sentences(one, test);
  }
}

}  // namespace
}  // namespace gloss
