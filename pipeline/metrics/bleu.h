#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pipeline/metrics/metric.h"
#include "pipeline/metrics/ngrams.h"
#include "pipeline/metrics/tokenizers.h"
#include "pipeline/metrics/words.h"

namespace gloss {

/// What to do about n-gram orders without a match (Chen and Cherry 2014): nothing; count a little instead of
/// 0; add k to counts beyond single words; halve again for each such order.
enum class Smoothing { none, floor, add_k, exp };

/// How BLEU is computed; the defaults are sacreBLEU's.
struct BleuSettings {
  std::string tokenize = "13a";  ///< one of tokenizer_names
  std::string spm_model;         ///< file of the SentencePiece model that "spm" works with
  bool lowercase = false;
  Smoothing smooth_method = Smoothing::exp;
  std::optional<double> smooth_value;  ///< of floor (otherwise 0.1) and add-k (otherwise 1)
  int max_order = 4;                   ///< longest n-gram
  bool effective_order = false;        ///< leave out orders that the text is too short for
};

/// BLEU (Papineni et al. 2002) and what it is made of.
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

/// BLEU of a whole test set. references[i] are the references of hypotheses[i]; there may be more or fewer
/// of them from line to line. Text that is not UTF-8 is read as U+FFFD.
BleuScore corpus_bleu(std::span<const std::string> hypotheses,
                      std::span<const std::vector<std::string>> references, const BleuSettings& = {});

/// BLEU from its counts, correct and total by order.
BleuScore bleu_of_counts(std::span<const double> correct, std::span<const double> totals,
                         std::int64_t hypothesis_length, std::int64_t reference_length, const BleuSettings&);

/// BLEU as a metric. Its figures: length of hypothesis and closest reference, correct and total n-grams.
class Bleu : public Metric {
 public:
  explicit Bleu(BleuSettings settings);
  std::string name() const override { return "BLEU"; }
  SignatureFields signature() const override;
  std::size_t figures() const override { return 2 + 2 * static_cast<std::size_t>(settings_.max_order); }
  std::unique_ptr<Comparer> comparer() const override;
  double score(std::span<const double> sums) const override;
  std::string details(std::span<const double> sums) const override;
  double sample_score(std::span<const float> sums) const override;

  /// Score and its parts from sums of figures.
  BleuScore result(std::span<const double> sums) const;

 private:
  BleuSettings settings_;
  std::string tokenizer_signature_;
};

}  // namespace gloss
