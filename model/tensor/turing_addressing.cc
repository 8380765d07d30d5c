// SPDX-License-Identifier: Apache-2.0

#include "model/tensor/turing_addressing.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/index.h"

namespace gloss {
namespace {

/// Added to squared norms, so that empty rows are similar to no key.
constexpr float kNormEpsilon = 1e-4f;
/// Weights below this count as 0: they have no logarithm.
constexpr float kLeastWeight = 1e-30f;

float sigmoid_of(float x) { return 1 / (1 + std::exp(-x)); }
/// log(1 + e^x) without overflow.
float softplus_of(float x) { return std::max(x, 0.0f) + std::log1p(std::exp(-std::abs(x))); }

float product_of(const float* a, const float* b, std::int64_t count) {
  return std::inner_product(a, a + count, b, 0.0f);
}

float norm_of(const float* x, std::int64_t count) {
  return std::sqrt(product_of(x, x, count) + kNormEpsilon);
}

void softmax_in_place(std::vector<float>& x) {
  const float largest = *std::ranges::max_element(x);
  float sum = 0;
  for (float& v : x) sum += v = std::exp(v - largest);
  for (float& v : x) v /= sum;
}

/// The gradient of a softmax with these results, in place of that of its results.
void softmax_gradient(const std::vector<float>& results, std::vector<float>& gradient) {
  const float mean = std::inner_product(results.begin(), results.end(), gradient.begin(), 0.0f);
  for (std::size_t i = 0; i < results.size(); ++i) gradient[i] = results[i] * (gradient[i] - mean);
}

/// The places of a head's controls.
struct ControlPlaces {
  explicit ControlPlaces(const MachineSizes& sizes)
      : strength(sizes.width),
        gate(strength + 1),
        shifts(gate + 1),
        sharpness(shifts + 2 * sizes.reach + 1) {}
  std::int64_t strength, gate, shifts, sharpness;
};

/// Calls use(from, to, s): shift s moves the weight of row `from` to row `to`; the last row is followed by
/// the first.
template <class Use>
void each_shift(const MachineSizes& sizes, const Use& use) {
  for (std::int64_t s = 0; s <= 2 * sizes.reach; ++s) {
    const std::int64_t moved = ((s - sizes.reach) % sizes.rows + sizes.rows) % sizes.rows;
    for (std::int64_t from = 0; from < sizes.rows; ++from) {
      use(index(from), index((from + moved) % sizes.rows), index(s));
    }
  }
}

/// weights ^ sharpness, divided by their sum; zeros remain zeros.
void sharpen(const std::vector<float>& from, float sharpness, std::vector<float>& to) {
  to.assign(from.size(), 0.0f);
  const float greatest = *std::ranges::max_element(from);
  if (!(greatest >= kLeastWeight)) return;  // the padding of a batch may have no weights
  const float largest = std::log(greatest);
  float sum = 0;
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (from[i] >= kLeastWeight) sum += to[i] = std::exp(sharpness * (std::log(from[i]) - largest));
  }
  for (float& v : to) v /= sum;
}

}  // namespace

void HeadWeights::compute(const MachineSizes& sizes, const float* controls, const float* memory,
                          const float* before) {
  const ControlPlaces at(sizes);
  key.assign(controls, controls + sizes.width);
  for (float& v : key) v = std::tanh(v);
  key_norm = norm_of(key.data(), sizes.width);
  strength = softplus_of(controls[at.strength]);
  gate = sigmoid_of(controls[at.gate]);
  shifts.assign(controls + at.shifts, controls + at.sharpness);
  softmax_in_place(shifts);
  sharpness = 1 + softplus_of(controls[at.sharpness]);

  const std::size_t rows = index(sizes.rows);
  norms.resize(rows);
  similarities.resize(rows);
  content.resize(rows);
  gated.resize(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    const float* row = memory + index(sizes.width) * i;
    norms[i] = norm_of(row, sizes.width);
    similarities[i] = product_of(key.data(), row, sizes.width) / (key_norm * norms[i]);
    content[i] = strength * similarities[i];
  }
  softmax_in_place(content);
  for (std::size_t i = 0; i < rows; ++i) gated[i] = gate * content[i] + (1 - gate) * before[i];
  shifted.assign(rows, 0.0f);
  each_shift(sizes, [&](std::size_t from, std::size_t to, std::size_t s) {
    shifted[to] += shifts[s] * gated[from];
  });
  sharpen(shifted, sharpness, weights);
}

void add_head_gradient(const MachineSizes& sizes, const HeadWeights& of, const float* controls,
                       const float* memory, const float* before, const std::vector<float>& weights_gradient,
                       const HeadSlopes& slopes) {
  const ControlPlaces at(sizes);
  const std::size_t rows = index(sizes.rows);
  // Of the logarithms times the sharpness, whose softmax the weights are.
  std::vector<float> powers = weights_gradient;
  softmax_gradient(of.weights, powers);
  float sharpness = 0;
  std::vector<float> shifted(rows, 0.0f);
  for (std::size_t i = 0; i < rows; ++i) {
    if (of.shifted[i] < kLeastWeight) continue;
    sharpness += powers[i] * std::log(of.shifted[i]);
    shifted[i] = powers[i] * of.sharpness / of.shifted[i];
  }
  slopes.controls[at.sharpness] += sharpness * sigmoid_of(controls[at.sharpness]);

  std::vector<float> shifts(of.shifts.size(), 0.0f), gated(rows, 0.0f);
  each_shift(sizes, [&](std::size_t from, std::size_t to, std::size_t s) {
    shifts[s] += shifted[to] * of.gated[from];
    gated[from] += shifted[to] * of.shifts[s];
  });
  softmax_gradient(of.shifts, shifts);
  for (std::size_t s = 0; s < shifts.size(); ++s) slopes.controls[index(at.shifts) + s] += shifts[s];

  float gate = 0;
  std::vector<float> content(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    gate += gated[i] * (of.content[i] - before[i]);
    content[i] = gated[i] * of.gate;
    slopes.before[i] += gated[i] * (1 - of.gate);
  }
  slopes.controls[at.gate] += gate * of.gate * (1 - of.gate);

  softmax_gradient(of.content, content);
  float strength = 0;
  std::vector<float> key(index(sizes.width), 0.0f);
  for (std::size_t i = 0; i < rows; ++i) {
    strength += content[i] * of.similarities[i];
    const float similarity = content[i] * of.strength, scale = 1 / (of.key_norm * of.norms[i]);
    const float* row = memory + index(sizes.width) * i;
    float* to = slopes.memory + index(sizes.width) * i;
    const float to_key = of.similarities[i] / (of.key_norm * of.key_norm),
                to_row = of.similarities[i] / (of.norms[i] * of.norms[i]);
    for (std::size_t c = 0; c < key.size(); ++c) {
      key[c] += similarity * (row[c] * scale - of.key[c] * to_key);
      to[c] += similarity * (of.key[c] * scale - row[c] * to_row);
    }
  }
  slopes.controls[at.strength] += strength * sigmoid_of(controls[at.strength]);
  for (std::size_t c = 0; c < key.size(); ++c) slopes.controls[c] += key[c] * (1 - of.key[c] * of.key[c]);
}

}  // namespace gloss
