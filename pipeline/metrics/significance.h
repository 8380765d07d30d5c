// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pipeline/metrics/figures.h"
#include "pipeline/metrics/metric.h"

namespace gloss {

/// The seed of random samples.
struct Seed {
  std::string text = "12345";  ///< for signatures; "none" for a random seed from the system
  std::vector<std::uint32_t> digits{12345};
};

/// The seed for a value of SACREBLEU_SEED: an integer, or "none" for a random seed. Throws UsageError for
/// other texts.
Seed seed_of(const std::string& text);

/// The mean of the scores of random samples and half the width of their 95 % confidence interval.
struct Interval {
  double mean = 0, half_width = 0;
};

/// Bootstrap resampling (Efron 1979; Koehn 2004): the scores of `samples` random samples, each of as many
/// rows as `Figures` has, drawn with replacement.
std::vector<double> bootstrap_scores(const Metric&, const Figures&, int samples, const Seed&);

/// The interval as in sacreBLEU's --confidence; its mean is exact.
Interval confidence_interval(std::vector<double> scores);
/// The interval as in sacreBLEU's paired tests; its mean is summed in NumPy's order.
Interval paired_interval(std::vector<double> scores);

/// The p-value of the paired bootstrap test (Koehn 2004, with the shift used in Moses): how often the
/// absolute difference of two systems on a sample exceeds the mean absolute difference by more than
/// `difference`.
double paired_bootstrap_p(std::span<const double> baseline, std::span<const double> system,
                          double difference);

/// The p-value of approximate randomisation (Riezler and Maxwell 2005): how often two systems differ by more
/// than the actual ones after swapping rows at random, with NumPy's generator.
double randomization_p(const Metric&, const Figures& baseline, const Figures& system, int trials,
                       const Seed&);

}  // namespace gloss
