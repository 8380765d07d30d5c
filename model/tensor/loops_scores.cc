// Attention whose keys and values may differ in width, with scores by a product or by a small network, and
// its gradient. One head of one sentence; sums are f32.
//
// Letters: q, k rows of queries and keys [d], v rows of values [e], u the vector of additive scores [d],
// w weights. Score: scale * (q · k), or u · tanh(q + k) if there is a u; less the square of the distance from
// the centre of the window, if that counts.
#include "model/tensor/loops_vector.h"

namespace gloss::GLOSS_LOOPS {
namespace {

template <class Number>
inline float score(const ScoredHead<Number>& head, const Number* q, const Number* k) {
  Vector total{};
  if (head.vector == nullptr) {
    vectors(head.key_width,
            [&](std::int64_t i, std::int64_t n) { total += take(q + i, n) * take(k + i, n); });
    return sum(total) * head.scale;
  }
  vectors(head.key_width, [&](std::int64_t i, std::int64_t n) {
    total += take(head.vector + i, n) * hyperbolic_tangent(take(q + i, n) + take(k + i, n));
  });
  return sum(total);
}

inline void softmax(float* row, std::int64_t count) {
  float top = row[0];
  for (std::int64_t i = 1; i < count; ++i) top = row[i] > top ? row[i] : top;
  float total = 0;
  for (std::int64_t i = 0; i < count; i += kLanes) {
    const std::int64_t n = count - i < kLanes ? count - i : kLanes;
    const Vector e = exponential(load_part(row + i, n, -3.0e38f) - top);
    give(row + i, e, n);
    total += sum(e);
  }
  for (std::int64_t i = 0; i < count; ++i) row[i] /= total;
}

/// The keys first .. last - 1 that a query sees, and how far each is from the centre in spreads.
struct Window {
  std::int64_t first, last;
  float centre, inverse_spread;

  float distance(std::int64_t s) const { return (static_cast<float>(s) - centre) * inverse_spread; }
};

template <class Number>
inline Window window_of(const ScoredHead<Number>& head, std::int64_t t) {
  if (head.centres == nullptr) return {0, head.key_count, 0, 0};
  Window window{0, head.key_count, head.centres[t], head.inverse_spread};
  // The centre lies among the keys, and the reach is at least 1: one key is always seen.
  while (static_cast<float>(window.first) < window.centre - head.reach) ++window.first;
  while (static_cast<float>(window.last - 1) > window.centre + head.reach) --window.last;
  return window;
}

template <class Number>
void attend(const ScoredHead<Number>& head, float* weights, Number* context, std::int64_t context_stride) {
  for (std::int64_t t = 0; t < head.query_count; ++t, weights += head.key_count, context += context_stride) {
    const Number* q = head.queries + t * head.query_stride;
    const Window window = window_of(head, t);
    for (std::int64_t s = 0; s < head.key_count; ++s) weights[s] = 0;
    for (std::int64_t s = window.first; s < window.last; ++s) {
      const float distance = window.distance(s);
      weights[s] = score(head, q, head.keys + s * head.key_stride) - 0.5f * distance * distance;
    }
    softmax(weights + window.first, window.last - window.first);
    vectors(head.value_width, [&](std::int64_t i, std::int64_t n) {
      Vector total{};
      for (std::int64_t s = window.first; s < window.last; ++s) {
        total += take(head.values + s * head.value_stride + i, n) * weights[s];
      }
      give(context + i, total, n);
    });
  }
}

template <class Number>
void attend_gradient(const ScoredHead<Number>& head, const float* weights, const Number* dcontext,
                     std::int64_t context_stride, const ScoredHeadGradient& to) {
  const std::int64_t d = head.key_width, e = head.value_width;
  for (std::int64_t t = 0; t < head.query_count; ++t, weights += head.key_count, dcontext += context_stride) {
    const Number* q = head.queries + t * head.query_stride;
    const Window window = window_of(head, t);
    float* dq = to.queries + t * d;
    float mean = 0;
    const auto put_slope = [&](std::int64_t s, float slope) {
      to.slopes[s] = slope;
      mean += slope * weights[s];
    };
    if (head.drawn != nullptr) {
      // The gradient of -gain * log(weight of the key drawn), as REINFORCE asks (Williams 1992).
      const std::int64_t drawn = head.drawn[t];
      for (std::int64_t s = window.first; s < window.last; ++s) put_slope(s, 0);
      put_slope(drawn, -head.gains[t] / weights[drawn]);
      vectors(e, [&](std::int64_t i, std::int64_t n) {
        float* dv = to.values + drawn * e + i;
        give(dv, take(dv, n) + take(dcontext + i, n), n);
      });
    }
    for (std::int64_t s = window.first; head.drawn == nullptr && s < window.last; ++s) {
      const Number* v = head.values + s * head.value_stride;
      Vector product{};
      vectors(e, [&](std::int64_t i, std::int64_t n) {
        const Vector dy = take(dcontext + i, n);
        product += dy * take(v + i, n);
        give(to.values + s * e + i, take(to.values + s * e + i, n) + dy * weights[s], n);
      });
      put_slope(s, sum(product));
    }
    for (std::int64_t s = window.first; s < window.last; ++s) {
      const Number* k = head.keys + s * head.key_stride;
      float* dk = to.keys + s * d;
      const float slope = weights[s] * (to.slopes[s] - mean);
      if (to.centres != nullptr) to.centres[t] += slope * window.distance(s) * head.inverse_spread;
      vectors(d, [&](std::int64_t i, std::int64_t n) {
        const Vector query = take(q + i, n), key = take(k + i, n);
        if (head.vector == nullptr) {
          give(dq + i, take(dq + i, n) + key * (slope * head.scale), n);
          give(dk + i, take(dk + i, n) + query * (slope * head.scale), n);
          return;
        }
        const Vector squashed = hyperbolic_tangent(query + key);
        const Vector inner = take(head.vector + i, n) * (1.0f - squashed * squashed) * slope;
        give(dq + i, take(dq + i, n) + inner, n);
        give(dk + i, take(dk + i, n) + inner, n);
        give(to.vector + i, take(to.vector + i, n) + squashed * slope, n);
      });
    }
  }
}

template <class Number>
void add_loops(ActivationKernels<Number>& k) {
  k.attend = attend;
  k.attend_gradient = attend_gradient;
}

}  // namespace

void add_score_loops(Kernels& k) {
  add_loops(k.f32);
  add_loops(k.bf16);
}

}  // namespace gloss::GLOSS_LOOPS
