// SPDX-License-Identifier: Apache-2.0

#include "pipeline/metrics/significance.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "base/error.h"
#include "base/index.h"
#include "base/rounding.h"
#include "pipeline/metrics/numpy_random.h"

namespace gloss {
namespace {

/// Figures in single precision; rows are padded so that sums run over whole vectors.
class SampleRows {
 public:
  static constexpr std::size_t kLanes = 4;

  explicit SampleRows(const Figures& figures)
      : width_(round_up(figures.width(), kLanes)), values_(figures.segments() * width_) {
    for (std::size_t row = 0; row < figures.segments(); ++row) {
      for (std::size_t k = 0; k < figures.width(); ++k) {
        values_[row * width_ + k] = static_cast<float>(figures.row(row)[k]);
      }
    }
  }
  std::size_t width() const { return width_; }
  const float* row(std::size_t index) const { return &values_[index * width_]; }

 private:
  std::size_t width_;
  std::vector<float> values_;
};

/// Adds the rows `drawn` sequentially, as NumPy does along the first axis.
template <std::size_t Width>
void add_rows_of(const SampleRows& rows, std::span<const std::uint32_t> drawn, float* sums) {
  float sum[Width] = {};
  for (const std::uint32_t index : drawn) {
    const float* row = rows.row(index);
    for (std::size_t k = 0; k < Width; ++k) sum[k] += row[k];
  }
  std::copy(sum, sum + Width, sums);
}

void add_rows(const SampleRows& rows, std::span<const std::uint32_t> drawn, float* sums) {
  switch (rows.width()) {
    case 4:
      return add_rows_of<4>(rows, drawn, sums);  // TER
    case 12:
      return add_rows_of<12>(rows, drawn, sums);  // BLEU
    case 20:
      return add_rows_of<20>(rows, drawn, sums);  // chrF
    case 24:
      return add_rows_of<24>(rows, drawn, sums);  // chrF++
    default:
      break;
  }
  std::fill(sums, sums + rows.width(), 0.0f);
  for (const std::uint32_t index : drawn) {
    const float* row = rows.row(index);
    for (std::size_t k = 0; k < rows.width(); ++k) sums[k] += row[k];
  }
}

/// Sums an array as NumPy does (pairwise, Higham 1993).
double pairwise_sum(std::span<const double> values) {
  const std::size_t count = values.size();
  if (count < 8) {
    double sum = 0;
    for (const double value : values) sum += value;
    return sum;
  }
  constexpr std::size_t kBlock = 128;
  if (count <= kBlock) {
    double sums[8];
    std::copy_n(values.begin(), 8, sums);
    std::size_t at = 8;
    for (; at + 8 <= count; at += 8) {
      for (std::size_t k = 0; k < 8; ++k) sums[k] += values[at + k];
    }
    double sum = ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
    for (; at < count; ++at) sum += values[at];
    return sum;
  }
  const std::size_t half = count / 2 - (count / 2) % 8;
  return pairwise_sum(values.first(half)) + pairwise_sum(values.subspan(half));
}

double numpy_mean(std::span<const double> values) {
  return pairwise_sum(values) / static_cast<double>(values.size());
}

double half_width(std::span<const double> sorted) {
  const std::size_t outside = sorted.size() / 40;  // 2.5 % on each side
  return 0.5 * (sorted[sorted.size() - outside - 1] - sorted[outside]);
}

/// The p-value (larger + 1) / (trials + 1), which is never too small.
double p_value(std::size_t larger, std::size_t trials) {
  return static_cast<double>(larger + 1) / static_cast<double>(trials + 1);
}

}  // namespace

Seed seed_of(const std::string& text) {
  std::string lower = text;
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  if (lower == "none") {
    std::random_device device;
    return {"none", {device(), device(), device(), device()}};
  }
  return {lower, seed_digits(lower, "the seed (SACREBLEU_SEED)")};
}

std::vector<double> bootstrap_scores(const Metric& metric, const Figures& figures, int samples,
                                     const Seed& seed) {
  expects(figures.segments() > 0 && samples > 0, "bootstrap_scores: no rows or no samples");
  const SampleRows rows(figures);
  const std::size_t count = figures.segments();
  NumpyRandom random(seed.digits);
  std::vector<std::uint32_t> drawn(count);
  std::vector<float> sums(rows.width());
  std::vector<double> scores(gloss::index(samples));
  for (double& score : scores) {
    for (std::uint32_t& index : drawn) index = random.below(count);
    add_rows(rows, drawn, sums.data());
    score = metric.sample_score(std::span(sums).first(figures.width()));
  }
  return scores;
}

Interval confidence_interval(std::vector<double> scores) {
  std::sort(scores.begin(), scores.end());
  long double sum = 0;
  for (const double score : scores) sum += score;
  return {static_cast<double>(sum / static_cast<long double>(scores.size())), half_width(scores)};
}

Interval paired_interval(std::vector<double> scores) {
  std::sort(scores.begin(), scores.end());
  return {numpy_mean(scores), half_width(scores)};
}

double paired_bootstrap_p(std::span<const double> baseline, std::span<const double> system,
                          double difference) {
  expects(baseline.size() == system.size(), "paired_bootstrap_p: different numbers of samples");
  std::vector<double> differences(baseline.size());
  for (std::size_t i = 0; i < baseline.size(); ++i) differences[i] = std::abs(system[i] - baseline[i]);
  std::size_t larger = 0;
  const double mean = numpy_mean(differences);
  for (const double d : differences) larger += d - mean > difference;
  return p_value(larger, differences.size());
}

double randomization_p(const Metric& metric, const Figures& baseline, const Figures& system, int trials,
                       const Seed& seed) {
  expects(baseline.segments() == system.segments() && baseline.width() == system.width(),
          "randomization_p: figures of different shapes");
  const std::size_t width = baseline.width(), count = baseline.segments();
  // A swap moves the difference of two rows from one system to the other.
  const std::vector<double> baseline_sums = baseline.sums(), system_sums = system.sums();
  const double difference = std::abs(metric.score(baseline_sums) - metric.score(system_sums));

  // Sums of differences for each pattern of 8 swaps (method of four Russians).
  constexpr std::size_t kGroup = 8, kPatterns = 1 << kGroup;
  const std::size_t groups = ceil_div(count, kGroup);
  std::vector<double> patterns(groups * kPatterns * width, 0);
  for (std::size_t group = 0; group < groups; ++group) {
    for (std::size_t pattern = 1; pattern < kPatterns; ++pattern) {
      const std::size_t low = pattern & (~pattern + 1);
      const std::size_t segment = group * kGroup + gloss::index(__builtin_ctzll(low));
      double* out = &patterns[(group * kPatterns + pattern) * width];
      const double* rest = &patterns[(group * kPatterns + (pattern ^ low)) * width];
      for (std::size_t k = 0; k < width; ++k) {
        out[k] = rest[k] + (segment < count ? baseline.row(segment)[k] - system.row(segment)[k] : 0);
      }
    }
  }

  NumpyRandom random(seed.digits);
  NumpyBits bits(random);
  std::vector<double> first(width), second(width);
  std::size_t larger = 0;
  for (int trial = 0; trial < trials; ++trial) {
    std::fill(first.begin(), first.end(), 0);
    for (std::size_t group = 0; group < groups; ++group) {
      const std::size_t pattern = bits.take(static_cast<int>(std::min(kGroup, count - group * kGroup)));
      const double* moved = &patterns[(group * kPatterns + pattern) * width];
      for (std::size_t k = 0; k < width; ++k) first[k] += moved[k];
    }
    for (std::size_t k = 0; k < width; ++k) {
      second[k] = baseline_sums[k] - first[k];
      first[k] += system_sums[k];
    }
    larger += std::abs(metric.score(first) - metric.score(second)) > difference;
  }
  return p_value(larger, gloss::index(trials));
}

}  // namespace gloss
