// SPDX-License-Identifier: Apache-2.0
// Kernels over rows of logits: softmax cross-entropy with its gradient, and the best candidates for search.
#include "model/kernels/loops_vector.h"

namespace gloss::GLOSS_LOOPS {
namespace {

constexpr float kLowest = -3.0e38f;
constexpr int kRowLanes = 32;  // of the sums over a row of logits

struct RowSums {
  float largest;  // the largest logit
  float total;    // sum of the logits
  float exps;     // sum of exp(logit - largest)
};

/// `n` logits; the other elements are the lowest.
inline Vector logits_at(const float* from, std::int64_t n) {
  return n == kLanes ? load(from) : load_part(from, n, kLowest);
}

/// `keep`: replaces each logit by exp(logit - largest).
inline RowSums row_sums(float* row, std::int64_t count, bool keep) {
  Vector high[Sums<kRowLanes>::kParts], top = all(kLowest);
  for (Vector& part : high) part = top;
  Sums<kRowLanes> total{}, exps{};
  by_lanes<kRowLanes>(count, [&](int part, std::int64_t i, std::int64_t n) {
    high[part] = larger(high[part], logits_at(row + i, n));
    total.parts[part] += take(row + i, n);
  });
  for (const Vector& part : high) top = larger(top, part);
  RowSums sums{largest(top), sum(total), 0};
  by_lanes<kRowLanes>(count, [&](int part, std::int64_t i, std::int64_t n) {
    const Vector e = exponential(logits_at(row + i, n) - sums.largest);
    exps.parts[part] += e;
    if (keep) give(row + i, e, n);
  });
  sums.exps = sum(exps);
  return sums;
}

/// Adds the losses of row r of logits to those of all rows; returns the logarithm of the sum of their exps.
template <class Number>
float add_losses(const CrossEntropyRows<Number>& all, std::int64_t r, float target_logit,
                 const RowSums& sums) {
  const float log_sum = sums.largest + __builtin_logf(sums.exps), log_probability = target_logit - log_sum;
  if (all.log_probabilities != nullptr) all.log_probabilities[r] = log_probability;
  const double weight = all.weights == nullptr ? 1.0 : static_cast<double>(all.weights[r]);
  const double smoothing = static_cast<double>(all.label_smoothing);
  const float spread = all.label_smoothing / static_cast<float>(all.vocabulary);
  const double of_target =
                   fused(smoothing - 1.0, static_cast<double>(target_logit), static_cast<double>(log_sum)),
               loss = fused(-static_cast<double>(spread), static_cast<double>(sums.total), of_target);
  *all.cross_entropy = fused(-weight, static_cast<double>(log_probability), *all.cross_entropy);
  *all.loss = fused(weight, loss, *all.loss);
  return log_sum;
}

/// Rows without a target have no loss.
template <class Number>
void skip_row(const CrossEntropyRows<Number>& all, std::int64_t r) {
  if (all.log_probabilities != nullptr) all.log_probabilities[r] = 0;
  if (all.gradient == nullptr) return;
  Number* const slopes = all.gradient + r * all.vocabulary;
  for (std::int64_t i = 0; i < all.vocabulary; ++i) put(slopes + i, 0);
}

template <class Number>
void cross_entropy(const CrossEntropyRows<Number>& all) {
  const std::int64_t vocabulary = all.vocabulary;
  const float spread = all.label_smoothing / static_cast<float>(vocabulary);
  for (std::int64_t r = 0; r < all.rows; ++r) {
    float* const logits = all.logits + r * vocabulary;
    Number* const slopes = all.gradient == nullptr ? nullptr : all.gradient + r * vocabulary;
    const std::int32_t target = all.targets[r];
    if (target < 0) {
      skip_row(all, r);
      continue;
    }
    const float target_logit = logits[target];
    const RowSums sums = row_sums(logits, vocabulary, slopes != nullptr);
    add_losses(all, r, target_logit, sums);
    if (slopes == nullptr) continue;
    const float weight = all.weights == nullptr ? 1.0f : all.weights[r];
    const float share = weight / sums.exps, less = weight * spread;
    const float target_slope =
        fused(-weight, 1.0f - all.label_smoothing, fused(logits[target], share, -less));
    by_vectors(
        vocabulary, [&](std::int64_t i) { store(slopes + i, load(logits + i) * share - less); },
        [&](std::int64_t i, std::int64_t n) {
          store_part(slopes + i, load_part(logits + i, n) * share - less, n);
        });
    put(slopes + target, target_slope);
  }
}

/// Two rows of logits of the same token, minus the logarithms of the sums of their exps: log p and log q.
struct RowPair {
  const float *first, *second;
  float first_log_sum, second_log_sum;
};

struct Divergences {
  float forward, backward;  // KL(p || q), KL(q || p)
};

inline Divergences divergences(const RowPair& pair, std::int64_t count) {
  Sums<> forward{}, backward{};
  by_lanes(count, [&](int part, std::int64_t i, std::int64_t n) {
    const Vector log_p = logits_at(pair.first + i, n) - pair.first_log_sum,
                 log_q = logits_at(pair.second + i, n) - pair.second_log_sum, difference = log_p - log_q;
    forward.parts[part] += exponential(log_p) * difference;
    backward.parts[part] -= exponential(log_q) * difference;
  });
  return {sum(forward), sum(backward)};
}

/// The slopes of two rows: those of the cross-entropy, and with S = (KL(p || q) + KL(q || p)) / 2 and
/// d = log p - log q, dS/d(first logit) = (p (d - KL(p || q)) + p - q) / 2, and likewise for the second.
template <class Number>
void paired_cross_entropy(const CrossEntropyRows<Number>& all) {
  const std::int64_t vocabulary = all.vocabulary;
  const float spread = all.label_smoothing / static_cast<float>(vocabulary), half = all.r_drop / 2;
  for (std::int64_t r = 0; r + 1 < all.rows; r += 2) {
    const std::int32_t target = all.targets[r];
    if (target < 0) {
      skip_row(all, r);
      skip_row(all, r + 1);
      continue;
    }
    float* const first = all.logits + r * vocabulary;
    float* const second = first + vocabulary;
    const RowPair pair{first, second, add_losses(all, r, first[target], row_sums(first, vocabulary, false)),
                       add_losses(all, r + 1, second[target], row_sums(second, vocabulary, false))};
    const Divergences between = divergences(pair, vocabulary);
    const float weight = all.weights == nullptr ? 1.0f : all.weights[r];
    *all.loss = fused(static_cast<double>(weight * half),
                      static_cast<double>(between.forward + between.backward), *all.loss);
    if (all.gradient == nullptr) continue;
    Number* const first_slopes = all.gradient + r * vocabulary;
    Number* const second_slopes = first_slopes + vocabulary;
    const float less = weight * spread;
    const float first_target = __builtin_expf(first[target] - pair.first_log_sum),
                second_target = __builtin_expf(second[target] - pair.second_log_sum);
    struct Slopes {
      Vector first, second;
    };
    const auto slopes_of = [&](Vector log_p, Vector log_q) {
      const Vector p = exponential(log_p), q = exponential(log_q), d = log_p - log_q;
      return Slopes{(p + (p * (d - between.forward) + p - q) * half) * weight - less,
                    (q + (q - p - q * (d + between.backward)) * half) * weight - less};
    };
    // The slopes of the target are written last, since slopes may overwrite logits.
    const float d = first[target] - pair.first_log_sum - (second[target] - pair.second_log_sum);
    const float apart = first_target - second_target;
    by_vectors(
        vocabulary,
        [&](std::int64_t i) {
          const Slopes made =
              slopes_of(load(first + i) - pair.first_log_sum, load(second + i) - pair.second_log_sum);
          store(first_slopes + i, made.first);
          store(second_slopes + i, made.second);
        },
        [&](std::int64_t i, std::int64_t n) {
          const Slopes made = slopes_of(load_part(first + i, n) - pair.first_log_sum,
                                        load_part(second + i, n) - pair.second_log_sum);
          store_part(first_slopes + i, made.first, n);
          store_part(second_slopes + i, made.second, n);
        });
    const auto target_slope = [&](float p, float difference, float rest) {
      const float slope = fused(fused(p, difference, rest), half, p);
      return fused(-weight, 1.0f - all.label_smoothing, fused(slope, weight, -less));
    };
    put(first_slopes + target, target_slope(first_target, d - between.forward, apart));
    put(second_slopes + target, target_slope(second_target, -(d + between.backward), -apart));
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
  Sums<kRowLanes> exps{};
  by_lanes<kRowLanes>(count, [&](int part, std::int64_t at, std::int64_t n) {
    exps.parts[part] += exponential(logits_at(scores + at, n) - largest);
  });
  top.exps += static_cast<double>(sum(exps));
}

}  // namespace

void add_softmax_loops(Kernels& k) {
  k.f32.cross_entropy = cross_entropy;
  k.bf16.cross_entropy = cross_entropy;
  k.f32.paired_cross_entropy = paired_cross_entropy;
  k.bf16.paired_cross_entropy = paired_cross_entropy;
  k.add_tokens = add_tokens;
}

}  // namespace gloss::GLOSS_LOOPS
