// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cstdio>
#include <numeric>

#include "base/counted.h"
#include "base/error.h"
#include "base/index.h"
#include "cli/commands.h"
#include "cli/compute_options.h"
#include "cli/options.h"
#include "cli/terminal.h"
#include "pipeline/data/answer_stream.h"
#include "pipeline/metrics/evaluation.h"
#include "pipeline/reranking/candidates.h"
#include "pipeline/reranking/minimum_risk.h"
#include "pipeline/reranking/tuning_set.h"
#include "tokenizer/text.h"

namespace gloss {
namespace {

struct RerankSettings {
  std::string input = "-", output = "-", mbr, weights;
  std::vector<std::string> arguments;
  int n_best = 0;
  int threads = available_processors();
};

Fields fields_of(RerankSettings& settings) {
  return {
      {"mbr",
       &settings.mbr,
       "minimum Bayes risk: choose the translation that is most like all others by METRIC, which is chrf, "
       "bleu or "
       "ter",
       {},
       0,
       "METRIC"},
      {"weights",
       &settings.weights,
       "choose by the sum of the features, each multiplied by its weight in FILE, lines NAME= WEIGHT as "
       "'gloss tune' writes them",
       {},
       0,
       "FILE"},
      {"n_best",
       &settings.n_best,
       "write an n-best list of at most N translations, with the new scores, instead of text; 0: text",
       {0, 1e6},
       0,
       "N"},
  };
}

/// The chosen translations of a source line, as text.
struct Reranked : LineReport {
  std::string text{};
};

/// Chooses translations.
class Reranker {
 public:
  Reranker(const RerankSettings& settings, const CandidateReader& list)
      : most_(index(settings.n_best)), list_(list) {
    if (!settings.weights.empty()) {
      weights_ = read_weights(settings.weights);
      return;
    }
    MetricSettings metrics;
    metrics.bleu.effective_order = true;  // of sentences
    metric_ = make_metric(settings.mbr, metrics);
  }

  std::vector<Reranked> rerank(std::span<const Candidates> lines,
                               const std::function<void(int)>& finished) const {
    const std::unique_ptr<Comparer> comparer = metric_ == nullptr ? nullptr : metric_->comparer();
    std::vector<Reranked> all;
    for (const Candidates& candidates : lines) {
      all.push_back(reranked(candidates, scores(candidates, comparer.get())));
      finished(1);
    }
    return all;
  }

 private:
  std::vector<double> scores(const Candidates& candidates, Comparer* comparer) const {
    if (metric_ == nullptr) return weighted_sums(candidates, weights_, list_);
    std::vector<std::string> texts;
    for (const NBestEntry& entry : candidates.entries) {
      texts.push_back(clean_text(entry.text, Normalization::none).text);
    }
    return expected_scores(texts, *metric_, *comparer);
  }

  Reranked reranked(const Candidates& candidates, const std::vector<double>& scores) const {
    std::vector<std::size_t> order(scores.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
    Reranked result;
    if (most_ == 0) {
      result.text = candidates.entries[order.front()].text + "\n";
      return result;
    }
    order.resize(std::min(order.size(), most_));
    for (const std::size_t place : order) {
      NBestEntry entry = candidates.entries[place];
      const std::size_t after_score = entry.rest.find(" ||| ");
      char score[32];
      std::snprintf(score, sizeof score, "%.6f", scores[place]);
      entry.rest = score + (after_score == std::string::npos ? "" : entry.rest.substr(after_score));
      result.text += n_best_text(entry) + "\n";
    }
    return result;
  }

  std::size_t most_;  // 0: text
  const CandidateReader& list_;
  FeatureWeights weights_;
  std::unique_ptr<const Metric> metric_;  // null: weights
};

void check(const RerankSettings& settings) {
  if (settings.mbr.empty() == settings.weights.empty()) {
    throw UsageError("give either --mbr METRIC or --weights FILE: they choose by different scores");
  }
  if (settings.arguments.size() > 1) {
    throw UsageError(concat("found the files ", settings.arguments[0], " and ", settings.arguments[1],
                            ", expected one n-best list"));
  }
}

}  // namespace

int run_rerank(std::span<const std::string> arguments) {
  RerankSettings settings;
  Options options("rerank", "--mbr METRIC|--weights FILE [OPTION...] [LIST] > TEXT",
                  "choose the best translations of n-best lists");
  options.positional("LIST", settings.arguments);
  options.add("Choice", fields_of(settings));
  options.add(
      "Files and threads",
      {{"input", &settings.input, "n-best list; '-' is standard input", {}, 'i', "LIST"},
       {"output", &settings.output, "file to write; '-' is standard output", {}, 'o', "FILE", kWritten},
       threads_field(settings.threads)});
  options.common({&settings.mbr, &settings.weights, &settings.n_best, &settings.input, &settings.output,
                  &settings.threads});
  options.example("Choose among 32 samples of each line",
                  "gloss translate -m model --sample --n-best 32 < text | gloss rerank --mbr chrf");
  options.example("Choose by tuned weights", "gloss rerank --weights weights < list > translations");
  options.parse(arguments);
  check(settings);
  Terminal terminal("rerank", options.quiet());
  fit_threads(settings.threads, terminal);
  CandidateReader list(settings.arguments.empty() ? settings.input : settings.arguments.front());
  const Reranker reranker(settings, list);
  Output output(settings.output);
  StreamReport report(list, terminal);
  const AnswerSteps<Candidates, Reranked> steps{
      .answer = [&](const auto& lines, std::int64_t,
                    const auto& finished) { return reranker.rerank(lines, finished); },
      .write = [&](std::int64_t, const Reranked& line) { output.write(line.text); },
      .limits = {.items = 64, .bytes = 1 << 18},
      .windows_at_once = settings.threads};
  answer_stream(list, steps, output, report);
  output.close();
  report.finish();
  return 0;
}

}  // namespace gloss
