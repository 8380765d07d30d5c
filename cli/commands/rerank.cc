// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <optional>

#include "base/counted.h"
#include "base/enumeration.h"
#include "base/error.h"
#include "base/index.h"
#include "cli/options/compute_options.h"
#include "cli/options/input_files.h"
#include "cli/options/metric_options.h"
#include "cli/options/options.h"
#include "cli/process/terminal.h"
#include "cli/table/commands.h"
#include "pipeline/metrics/evaluation.h"
#include "pipeline/reranking/candidates.h"
#include "pipeline/reranking/minimum_risk.h"
#include "pipeline/reranking/references.h"
#include "pipeline/reranking/tuning_set.h"
#include "pipeline/runs/answer_stream.h"
#include "tokenizer/text.h"

namespace gloss {
namespace {

struct RerankSettings {
  InputFiles list;
  std::string output = "-", mbr, weights, metric = "bleu";
  std::vector<std::string> references;
  double mbr_scale = 0;
  bool mbr_mean = false;
  int n_best = 0;
  int threads = available_processors();
  MetricOptions metric_options;
};

Fields fields_of(RerankSettings& settings) {
  return {
      {"mbr",
       &settings.mbr,
       concat("minimum Bayes risk: choose the translation that is most like all others by METRIC: ",
              enumeration(metric_names(), "or")),
       {},
       0,
       "METRIC"},
      {"mbr_scale",
       &settings.mbr_scale,
       "with --mbr: a translation is right with a probability proportional to that of the model "
       "(LogProbability) to the power of X; 0: all are alike, as samples are",
       {0, 1e6},
       0,
       "X"},
      {"mbr_mean", &settings.mbr_mean,
       "with --mbr chrf or bleu: compare each translation once, with the average counts of n-grams of all, "
       "not with each of them: nearly the same choice, faster for many translations"},
      {"weights",
       &settings.weights,
       "choose by the sum of the features, each multiplied by its weight in FILE, lines NAME= WEIGHT as "
       "'gloss tune' writes them",
       {},
       0,
       "FILE"},
      {"references",
       &settings.references,
       "choose the translation closest to the reference; --metric measures it, FILE has a line for each "
       "source "
       "line, several files are several references",
       {},
       'r',
       "FILE"},
      {"metric", &settings.metric, "the score of each translation with --references", {}, 0, "METRIC"},
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

/// What the choice needs from files.
struct ChoiceFiles {
  FeatureWeights weights;
  std::optional<ReferenceLines> references;  // nothing: not chosen by references

  explicit ChoiceFiles(const RerankSettings& settings) {
    if (!settings.weights.empty()) weights = read_weights(settings.weights);
    if (!settings.references.empty()) references.emplace(settings.references);
  }
};

/// Chooses translations.
class Reranker {
 public:
  Reranker(const RerankSettings& settings, MetricSettings metrics, ChoiceFiles files,
           const CandidateReader& list)
      : most_(index(settings.n_best)),
        list_(list),
        weights_(std::move(files.weights)),
        references_(std::move(files.references)) {
    if (settings.mbr_scale > 0) weights_["LogProbability"] = settings.mbr_scale;
    if (!settings.weights.empty()) return;
    metrics.bleu.effective_order = true;  // of sentences
    metric_ = settings.mbr.empty() ? make_metric(settings.metric, metrics, "--metric")
                                   : make_metric(settings.mbr, metrics, "--mbr");
    with_mean_ = settings.mbr_mean;
    if (with_mean_ && metric_->mean_comparer() == nullptr) {
      throw UsageError(concat("--mbr-mean: ", settings.mbr,
                              " has no counts of n-grams; use --mbr chrf or bleu, or leave it out"));
    }
  }

  std::vector<Reranked> rerank(std::span<const Candidates> lines,
                               const std::function<void(int)>& finished) const {
    Comparers comparers;
    if (metric_ != nullptr && with_mean_) comparers.with_mean = metric_->mean_comparer();
    if (metric_ != nullptr && !with_mean_) comparers.with_each = metric_->comparer();
    std::vector<Reranked> all;
    for (const Candidates& candidates : lines) {
      all.push_back(reranked(candidates, scores(candidates, comparers)));
      finished(1);
    }
    return all;
  }
  /// Throws InputError if there are references for more source lines.
  void expect_lines(std::int64_t source_lines) const {
    if (references_) references_->expect_lines(source_lines);
  }

 private:
  struct Comparers {
    std::unique_ptr<Comparer> with_each;
    std::unique_ptr<MeanComparer> with_mean;
  };

  std::vector<double> scores(const Candidates& candidates, const Comparers& comparers) const {
    if (metric_ == nullptr) return weighted_sums(candidates, weights_, list_);
    std::vector<std::string> texts;
    for (const NBestEntry& entry : candidates.entries) {
      texts.push_back(clean_text(entry.text, Normalization::none).text);
    }
    if (references_) {
      return reference_scores(texts, references_->of(candidates.entries.front().line), *metric_,
                              *comparers.with_each);
    }
    return with_mean_ ? scores_with_mean(texts, probabilities(candidates), *metric_, *comparers.with_mean)
                      : expected_scores(texts, probabilities(candidates), *metric_, *comparers.with_each);
  }

  /// That each of the translations is right.
  std::vector<double> probabilities(const Candidates& candidates) const {
    if (weights_.empty()) return std::vector<double>(candidates.entries.size(), 1.0);
    return softmax(weighted_sums(candidates, weights_, list_));
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
  FeatureWeights weights_;  // of the sum to choose by, or whose exponentials are probabilities
  std::optional<ReferenceLines> references_;
  std::unique_ptr<const Metric> metric_;  // null: weights
  bool with_mean_ = false;
};

/// The names of the metrics that translations are compared by.
std::vector<std::string> metrics_of(const RerankSettings& settings) {
  if (!settings.mbr.empty()) return {settings.mbr};
  if (!settings.references.empty()) return {settings.metric};
  return {};
}

void check(const RerankSettings& settings, const Options& options) {
  std::vector<std::string> ways;
  if (!settings.mbr.empty()) ways.emplace_back("--mbr");
  if (!settings.weights.empty()) ways.emplace_back("--weights");
  if (!settings.references.empty()) ways.emplace_back("--references");
  if (ways.size() != 1) {
    throw UsageError(concat("found ", ways.empty() ? "no scores to choose by" : enumeration(ways),
                            "; expected one of --mbr METRIC, --weights FILE and --references FILE"));
  }
  if (options.given(settings.metric) && settings.references.empty()) {
    throw UsageError("--metric has no effect without --references");
  }
  if (options.given(settings.mbr_scale) && settings.mbr.empty()) {
    throw UsageError("--mbr-scale has no effect without --mbr METRIC");
  }
  if (settings.mbr_mean && settings.mbr.empty()) {
    throw UsageError("--mbr-mean has no effect without --mbr METRIC");
  }
}

void add_options(Options& options, RerankSettings& settings) {
  options.usage("--mbr METRIC [OPTION...] [FILE] > TEXT", "choose the best translations of n-best lists");
  options.add("Choice", fields_of(settings));
  options.add(
      "Files and threads",
      {input_field(settings.list, options, "n-best list"),
       {"output", &settings.output, "file to write; '-' is standard output", {}, 'o', "FILE", kWritten},
       threads_field(settings.threads)});
  settings.metric_options.add_to(options);
  options.common({&settings.mbr, &settings.mbr_scale, &settings.weights, &settings.references,
                  &settings.metric, &settings.n_best, &settings.list.input, &settings.output,
                  &settings.threads});
  options.example("Choose among 32 samples of each line",
                  "gloss translate -m model --sample --n-best 32 < text | gloss rerank --mbr chrf");
  options.example("Choose by tuned weights", "gloss rerank --weights weights < list > translations");
  options.example("Write what a teacher can say that is closest to the references",
                  "gloss rerank --references train.de < list > teacher.de");
}

int run_rerank(const Options& options, RerankSettings& settings) {
  check(settings, options);
  Terminal terminal("rerank", options.quiet());
  const MetricSettings metrics = settings.metric_options.settings(options, metrics_of(settings), terminal);
  fit_threads(settings.threads, terminal);
  ChoiceFiles files(settings);  // before the list, which may be typed
  CandidateReader list(one_file_to_read(settings.list, options));
  const Reranker reranker(settings, metrics, std::move(files), list);
  Output output(settings.output);
  StreamReport report(list, terminal);
  const AnswerSteps<Candidates, Reranked> steps{
      .answer = [&](const auto& lines, std::int64_t,
                    const auto& finished) { return reranker.rerank(lines, finished); },
      .write = [&](std::int64_t, const Reranked& line) { output.write(line.text); },
      .limits = {.items = 64, .bytes = 1 << 18},
      .windows_at_once = settings.threads};
  answer_stream(list, steps, output, report);
  reranker.expect_lines(report.items());
  output.close();
  if (report.items() == 0) terminal.note("the n-best list is empty: there is nothing to choose from");
  return 0;
}

}  // namespace

Work declare_rerank(Options& options) { return work_on<RerankSettings>(options, add_options, run_rerank); }

}  // namespace gloss
