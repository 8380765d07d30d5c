// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/index.h"
#include "pipeline/metrics/metric.h"
#include "pipeline/metrics/ngrams.h"
#include "pipeline/metrics/tokenizers.h"

namespace gloss {

/// Smoothing of n-gram orders without a match (Chen and Cherry 2014): none; floor: replace a count of 0 by a
/// small value; add_k: add k to the counts of all orders above 1; exp: count 1/2, 1/4, ... for such orders.
enum class Smoothing { none, floor, add_k, exp };

/// How BLEU is computed; the defaults are sacreBLEU's.
struct BleuSettings {
  std::string tokenize = "13a";  ///< as for make_tokenizer
  bool lowercase = false;
  Smoothing smooth_method = Smoothing::exp;
  std::optional<double> smooth_value;  ///< for floor (default 0.1) and add_k (default 1)
  int max_order = 4;                   ///< longest n-gram
  bool effective_order = false;        ///< ignore orders that exceed the length of the text
};

/// BLEU (Papineni et al. 2002) and its components.
struct BleuScore {
  double score = 0;                ///< 0 .. 100
  std::vector<double> correct;     ///< matching n-grams by order
  std::vector<double> totals;      ///< n-grams of the hypotheses by order
  std::vector<double> precisions;  ///< by order, 0 .. 100
  double brevity_penalty = 0;
  std::int64_t hypothesis_length = 0, reference_length = 0;  ///< in words

  /// "56.2/28.7 (BP = 0.985 ratio = 0.985 hyp_len = 60395 ref_len = 61287)"
  std::string details() const;
};

/// BLEU of a test set. references[i] are the references of hypotheses[i]; their number may vary from line to
/// line. Invalid UTF-8 is read as U+FFFD.
BleuScore corpus_bleu(std::span<const std::string> hypotheses,
                      std::span<const std::vector<std::string>> references, const BleuSettings& = {});

/// BLEU from the numbers of matching (`correct`) and all n-grams (`totals`) by order.
BleuScore bleu_of_counts(std::span<const double> correct, std::span<const double> totals,
                         std::int64_t hypothesis_length, std::int64_t reference_length, const BleuSettings&);

/// BLEU as a metric. Figures: length of the hypothesis, length of the closest reference, then matching and
/// all n-grams.
class Bleu : public Metric {
 public:
  explicit Bleu(BleuSettings settings);
  std::string name() const override { return "BLEU"; }
  SignatureFields signature() const override;
  std::size_t figures() const override { return 2 + 2 * index(settings_.max_order); }
  std::unique_ptr<Comparer> comparer() const override;
  std::unique_ptr<MeanComparer> mean_comparer() const override;
  double score(std::span<const double> sums) const override;
  std::string details(std::span<const double> sums) const override;
  double sample_score(std::span<const float> sums) const override;

  /// The score and its components from sums of figures.
  BleuScore result(std::span<const double> sums) const;

 private:
  BleuSettings settings_;
  std::string tokenizer_signature_;
};

}  // namespace gloss
