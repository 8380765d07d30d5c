// SPDX-License-Identifier: Apache-2.0
// Attention of recurrent networks with its gradient: keys and values may differ in width, scores are dot
// products or come from a small network. One head of one sentence; sums are f32.
//
// Letters: q, k rows of queries and keys [d], v rows of values [e], u the vector of additive scores [d], w
// weights. Score: scale * (q · k), or u · tanh(q + k) if there is a u; with a predicted window minus the
// squared distance from its centre (scaled). With coverage, k + c * (coverage of k) replaces k, where c is
// the coverage vector [d].
#include "model/kernels/loops_softmax_row.h"

namespace gloss::GLOSS_LOOPS {
namespace {

/// A key, coverage included, for one query.
template <class Number>
struct MetKey {
  const Number* k;
  const float* c;
  float seen;

  MetKey(const ScoredHead<Number>& head, std::int64_t t, std::int64_t s)
      : k(head.keys + s * head.key_stride),
        c(head.coverage),
        seen(head.seen != nullptr ? head.seen[t * head.key_count + s] : 0) {}
  Vector part(std::int64_t i, std::int64_t n) const {
    const Vector key = take(k + i, n);
    return c == nullptr ? key : key + take(c + i, n) * seen;
  }
};

template <class Number>
inline float score(const ScoredHead<Number>& head, const Number* q, const MetKey<Number>& key) {
  if (head.vector == nullptr) {
    return head.scale * sum_over(head.key_width, [&](std::int64_t i, std::int64_t n) {
             return take(q + i, n) * key.part(i, n);
           });
  }
  return sum_over(head.key_width, [&](std::int64_t i, std::int64_t n) {
    return take(head.vector + i, n) * hyperbolic_tangent(take(q + i, n) + key.part(i, n));
  });
}

/// The window of a query: keys first .. last - 1, and its centre and spread.
struct Window {
  std::int64_t first, last;
  float centre, inverse_spread;

  float distance(std::int64_t s) const { return (static_cast<float>(s) - centre) * inverse_spread; }
};

template <class Number>
inline Window window_of(const ScoredHead<Number>& head, std::int64_t t) {
  if (head.centres == nullptr) return {0, head.key_count, 0, 0};
  Window window{0, head.key_count, head.centres[t], head.inverse_spread};
  // The centre lies among the keys and the reach is at least 1, so at least one key is in the window.
  while (static_cast<float>(window.first) < window.centre - head.reach) ++window.first;
  while (static_cast<float>(window.last - 1) > window.centre + head.reach) --window.last;
  return window;
}

template <class Number>
void score_keys(const ScoredHead<Number>& head, float* weights, float* scratch) {
  for (std::int64_t t = 0; t < head.query_count; ++t, weights += head.key_count) {
    const Number* q = head.queries + t * head.query_stride;
    const Window window = window_of(head, t);
    const std::int64_t count = window.last - window.first;
    for (std::int64_t s = window.first; s < window.last; ++s) {
      const float distance = window.distance(s);
      scratch[s - window.first] =
          fused(-0.5f * distance, distance, score(head, q, MetKey<Number>(head, t, s)));
    }
    softmax_row(scratch, count, padded(count), 1.0f);
    for (std::int64_t s = 0; s < head.key_count; ++s) {
      weights[s] = s >= window.first && s < window.last ? scratch[s - window.first] : 0;
    }
  }
}

template <class Number>
void score_keys_gradient(const ScoredHead<Number>& head, const float* weights, const float* dweights,
                         const ScoredHeadGradient& to) {
  const std::int64_t d = head.key_width;
  for (std::int64_t t = 0; t < head.query_count; ++t, weights += head.key_count, dweights += head.key_count) {
    const Number* q = head.queries + t * head.query_stride;
    const Window window = window_of(head, t);
    float* dq = to.queries + t * d;
    float mean = 0;
    for (std::int64_t s = window.first; s < window.last; ++s) mean = fused(dweights[s], weights[s], mean);
    for (std::int64_t s = window.first; s < window.last; ++s) {
      const MetKey<Number> key(head, t, s);
      float* dk = to.keys + s * d;
      const float slope = weights[s] * (dweights[s] - mean);
      if (to.centres != nullptr)
        to.centres[t] = fused(slope * window.distance(s), head.inverse_spread, to.centres[t]);
      Sums<> dseen{};
      by_lanes(d, [&](int part, std::int64_t i, std::int64_t n) {
        const Vector query = take(q + i, n), met = key.part(i, n);
        Vector of_query, of_key;
        if (head.vector == nullptr) {
          of_query = met * (slope * head.scale);
          of_key = query * (slope * head.scale);
        } else {
          const Vector squashed = hyperbolic_tangent(query + met);
          of_query = of_key = take(head.vector + i, n) * (1.0f - squashed * squashed) * slope;
          give(to.vector + i, take(to.vector + i, n) + squashed * slope, n);
        }
        give(dq + i, take(dq + i, n) + of_query, n);
        give(dk + i, take(dk + i, n) + of_key, n);
        if (key.c == nullptr) return;
        give(to.coverage + i, take(to.coverage + i, n) + of_key * key.seen, n);
        dseen.parts[part] += of_key * take(key.c + i, n);
      });
      if (to.seen != nullptr) to.seen[t * head.key_count + s] += sum(dseen);
    }
  }
}

template <class Number>
void mix_values(const MixedHead<Number>& head, Number* context, std::int64_t context_stride) {
  const float* weights = head.weights;
  for (std::int64_t t = 0; t < head.query_count; ++t, weights += head.key_count, context += context_stride) {
    vectors(head.width, [&](std::int64_t i, std::int64_t n) {
      Vector total{};
      for (std::int64_t s = 0; s < head.key_count; ++s) {
        total += take(head.values + s * head.stride + i, n) * weights[s];
      }
      give(context + i, total, n);
    });
  }
}

template <class Number>
void mix_values_gradient(const MixedHead<Number>& head, const Number* dcontext, std::int64_t context_stride,
                         float* dvalues, float* dweights) {
  const std::int64_t e = head.width;
  const float* weights = head.weights;
  for (std::int64_t t = 0; t < head.query_count; ++t, weights += head.key_count, dcontext += context_stride) {
    for (std::int64_t s = 0; s < head.key_count; ++s) {
      const Number* v = head.values + s * head.stride;
      float* dv = dvalues + s * e;
      const float product = sum_over(e, [&](std::int64_t i, std::int64_t n) {
        const Vector dy = take(dcontext + i, n);
        give(dv + i, take(dv + i, n) + dy * weights[s], n);
        return dy * take(v + i, n);
      });
      if (dweights != nullptr) dweights[t * head.key_count + s] += product;
    }
  }
}

template <class Number>
void add_loops(ActivationKernels<Number>& k) {
  k.score_keys = score_keys;
  k.score_scratch = padded;
  k.score_keys_gradient = score_keys_gradient;
  k.mix_values = mix_values;
  k.mix_values_gradient = mix_values_gradient;
}

}  // namespace

void add_score_loops(Kernels& k) {
  add_loops(k.f32);
  add_loops(k.bf16);
}

}  // namespace gloss::GLOSS_LOOPS
