#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pipeline/metrics/figures.h"
#include "pipeline/metrics/metric.h"

namespace gloss {

/// Where random samples start.
struct Seed {
  std::string text = "12345";  ///< for signatures; "none" if drawn from the system
  std::vector<std::uint32_t> digits{12345};
};

/// A seed from the text of SACREBLEU_SEED: a whole number, or "none" for a different one each time. Throws
/// UsageError.
Seed seed_of(const std::string& text);

/// The middle of the scores of random samples and half the width of their 95 % interval.
struct Interval {
  double mean = 0, half_width = 0;
};

/// Scores of `samples` random samples of rows, as many each as there are, drawn with replacement (Efron 1979;
/// Koehn 2004).
std::vector<double> bootstrap_scores(const Metric&, const Figures&, int samples, const Seed&);

/// The interval of sacreBLEU's --confidence; its mean is exact.
Interval confidence_interval(const Metric&, std::vector<double> scores);
/// The interval of sacreBLEU's paired tests; its mean is summed as NumPy does.
Interval paired_interval(const Metric&, std::vector<double> scores);

/// The p-value of the paired bootstrap test (Koehn 2004, with the shift of Moses): how often the difference
/// of two systems in samples is farther from its mean than the real `difference` is from 0.
double paired_bootstrap_p(const Metric&, std::span<const double> baseline, std::span<const double> system,
                          double difference);

/// The p-value of approximate randomisation (Riezler and Maxwell 2005): how often two systems made by
/// swapping rows at random differ by more than the real ones. Figures by NumPy's generator from `seed`.
double randomization_p(const Metric&, const Figures& baseline, const Figures& system, int trials,
                       const Seed&);

}  // namespace gloss
