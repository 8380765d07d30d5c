// SPDX-License-Identifier: Apache-2.0
// Kernels over rows of logits: softmax cross-entropy with its gradient, and the best candidates for search.
#include "model/kernels/loops_vector.h"

namespace gloss::GLOSS_LOOPS {
namespace {

constexpr float kLowest = -3.0e38f;

struct RowSums {
  float largest;  // the largest logit
  float total;    // sum of the logits
  float exps;     // sum of exp(logit - largest)
};

/// `keep`: replaces each logit by exp(logit - largest).
inline RowSums row_sums(float* row, std::int64_t count, bool keep) {
  Vector high = all(kLowest), low = high, total{}, total2{};
  std::int64_t i = 0;
  for (; i + 2 * kLanes <= count; i += 2 * kLanes) {
    const Vector a = load(row + i), b = load(row + i + kLanes);
    high = larger(high, a);
    low = larger(low, b);
    total += a;
    total2 += b;
  }
  for (; i < count; i += kLanes) {
    const std::int64_t n = count - i < kLanes ? count - i : kLanes;
    high = larger(high, load_part(row + i, n, kLowest));
    total += load_part(row + i, n);
  }
  RowSums sums{largest(larger(high, low)), sum(total + total2), 0};
  Vector exps{}, exps2{};
  for (i = 0; i + 2 * kLanes <= count; i += 2 * kLanes) {
    const Vector a = exponential(load(row + i) - sums.largest),
                 b = exponential(load(row + i + kLanes) - sums.largest);
    exps += a;
    exps2 += b;
    if (keep) {
      store(row + i, a);
      store(row + i + kLanes, b);
    }
  }
  for (; i < count; i += kLanes) {
    const std::int64_t n = count - i < kLanes ? count - i : kLanes;
    const Vector e = exponential(load_part(row + i, n, kLowest) - sums.largest);
    exps += e;
    if (keep) store_part(row + i, e, n);
  }
  sums.exps = sum(exps + exps2);
  return sums;
}

template <class Number>
void cross_entropy(const CrossEntropyRows<Number>& all) {
  float *logits = all.logits, *log_probabilities = all.log_probabilities;
  Number* gradient = all.gradient;
  const std::int64_t rows = all.rows, vocabulary = all.vocabulary;
  const float label_smoothing = all.label_smoothing;
  const float spread = label_smoothing / static_cast<float>(vocabulary);
  for (std::int64_t r = 0; r < rows; ++r, logits += vocabulary) {
    Number* slopes = gradient == nullptr ? nullptr : gradient + r * vocabulary;
    const std::int32_t target = all.targets[r];
    if (target < 0) {
      for (std::int64_t i = 0; slopes != nullptr && i < vocabulary; ++i) put(slopes + i, 0);
      if (log_probabilities != nullptr) log_probabilities[r] = 0;
      continue;
    }
    const float target_logit = logits[target];
    const RowSums sums = row_sums(logits, vocabulary, slopes != nullptr);
    const float log_sum = sums.largest + __builtin_logf(sums.exps);
    const float log_probability = target_logit - log_sum;
    if (log_probabilities != nullptr) log_probabilities[r] = log_probability;
    const float weight = all.weights == nullptr ? 1.0f : all.weights[r];
    *all.cross_entropy -= static_cast<double>(weight) * static_cast<double>(log_probability);
    *all.loss += static_cast<double>(weight) *
                 (static_cast<double>(log_sum) -
                  (1.0 - static_cast<double>(label_smoothing)) * static_cast<double>(target_logit) -
                  static_cast<double>(spread) * static_cast<double>(sums.total));
    if (slopes == nullptr) continue;
    const float share = weight / sums.exps, less = weight * spread;
    const float target_slope = logits[target] * share - less - weight * (1.0f - label_smoothing);
    by_vectors(
        vocabulary, [&](std::int64_t i) { store(slopes + i, load(logits + i) * share - less); },
        [&](std::int64_t i, std::int64_t n) {
          store_part(slopes + i, load_part(logits + i, n) * share - less, n);
        });
    put(slopes + target, target_slope);
  }
}

void add_tokens(const float* scores, std::int64_t first, std::int64_t count, TopTokens& top) {
  ScoredToken* const best = top.best;
  const std::int64_t wanted = top.wanted;
  std::int64_t kept = top.kept;
  float threshold = kept == wanted ? best[wanted - 1].score : kLowest;  // full list: higher scores only
  const auto consider = [&](std::int64_t i) {
    const float score = scores[i];
    if (kept == wanted && !(score > threshold)) return;
    std::int64_t place = kept < wanted ? kept++ : wanted - 1;
    // Strict comparison: of equal scores the lower id, which came first, stays first.
    for (; place > 0 && best[place - 1].score < score; --place) best[place] = best[place - 1];
    best[place] = {static_cast<std::int32_t>(first + i), score};
    if (kept == wanted) threshold = best[wanted - 1].score;
  };
  std::int64_t i = 0;
  for (; i < count && kept < wanted; ++i) consider(i);
  constexpr int kBlock = 4;
  for (; i + kBlock * kLanes <= count; i += kBlock * kLanes) {
    Vector high = load(scores + i);
    for (int b = 1; b < kBlock; ++b) high = larger(high, load(scores + i + b * kLanes));
    if (larger_lanes(high, threshold) == 0) continue;
    for (std::int64_t j = i; j < i + kBlock * kLanes; j += kLanes) {
      for (unsigned lanes = larger_lanes(load(scores + j), threshold); lanes != 0; lanes &= lanes - 1) {
        consider(j + __builtin_ctz(lanes));
      }
    }
  }
  for (; i < count; ++i) consider(i);
  top.kept = kept;

  const float largest = best[0].score;
  if (largest == -__builtin_inff()) return;  // all scores so far are -infinity
  if (largest != top.largest) {
    top.exps *= __builtin_exp(static_cast<double>(top.largest) - static_cast<double>(largest));
    top.largest = largest;
  }
  Vector exps{}, exps2{};
  for (i = 0; i + 2 * kLanes <= count; i += 2 * kLanes) {
    exps += exponential(load(scores + i) - largest);
    exps2 += exponential(load(scores + i + kLanes) - largest);
  }
  for (; i < count; i += kLanes) {
    const std::int64_t n = count - i < kLanes ? count - i : kLanes;
    exps += exponential(load_part(scores + i, n, kLowest) - largest);
  }
  top.exps += static_cast<double>(sum(exps + exps2));
}

}  // namespace

void add_softmax_loops(Kernels& k) {
  k.f32.cross_entropy = cross_entropy;
  k.bf16.cross_entropy = cross_entropy;
  k.add_tokens = add_tokens;
}

}  // namespace gloss::GLOSS_LOOPS
