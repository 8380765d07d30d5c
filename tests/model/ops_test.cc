// Every operation against central differences (its gradient) and against a naive loop (its values).
#include "model/tensor/ops.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <ostream>

#include "base/random.h"

namespace gloss {
namespace {

using Inputs = std::vector<Tensor>;

struct OpCase {
  std::string name;
  std::vector<Shape> shapes;
  std::function<Tensor(const Inputs&)> operation;
  std::function<std::vector<double>(const Inputs&)> naive;  // null: only the gradient is checked
};

std::ostream& operator<<(std::ostream& out, const OpCase& c) { return out << c.name; }

Tensor random_tensor(const Shape& shape, Random& random) {
  Tensor t = Tensor::uninitialised(shape);
  for (float& v : t.values()) v = static_cast<float>(random.normal() * 0.7);
  return t;
}

/// A weighted sum of the output, with weights that differ from one number to the next, so that no mistake
/// cancels out.
double weighted_sum(const Tensor& y) {
  double total = 0;
  for (std::int64_t i = 0; i < y.count(); ++i)
    total += y.data()[i] * std::sin(1.7 * static_cast<double>(i) + 0.3);
  return total;
}

Tensor weighted_loss(const Tensor& y) {
  const auto value = static_cast<float>(weighted_sum(y));
  return record(Tensor::of({1}, std::span(&value, 1)), {y},
                [](const Tensor& result, std::span<const Tensor> of) {
                  const float scale = result.gradient().data()[0];
                  float* dy = of[0].gradient().data();
                  for (std::int64_t i = 0; i < of[0].count(); ++i) {
                    dy[i] += scale * static_cast<float>(std::sin(1.7 * static_cast<double>(i) + 0.3));
                  }
                });
}

double at(const Tensor& t, std::int64_t row, std::int64_t column) {
  return t.data()[row * t.columns() + column];
}

std::vector<double> naive_linear(const Inputs& in) {
  std::vector<double> y;
  for (std::int64_t r = 0; r < in[0].rows(); ++r) {
    for (std::int64_t o = 0; o < in[1].rows(); ++o) {
      double sum = in.size() > 2 ? in[2].data()[o] : 0;
      for (std::int64_t i = 0; i < in[0].columns(); ++i) sum += at(in[0], r, i) * at(in[1], o, i);
      y.push_back(sum);
    }
  }
  return y;
}

std::vector<double> naive_layer_norm(const Inputs& in) {
  std::vector<double> y;
  const std::int64_t width = in[0].columns();
  for (std::int64_t r = 0; r < in[0].rows(); ++r) {
    double mean = 0, variance = 0;
    for (std::int64_t i = 0; i < width; ++i) mean += at(in[0], r, i) / static_cast<double>(width);
    for (std::int64_t i = 0; i < width; ++i)
      variance += std::pow(at(in[0], r, i) - mean, 2) / static_cast<double>(width);
    for (std::int64_t i = 0; i < width; ++i) {
      y.push_back((at(in[0], r, i) - mean) / std::sqrt(variance + 1e-5) * in[1].data()[i] + in[2].data()[i]);
    }
  }
  return y;
}

const std::vector<AttentionSpan> kSpans = {{0, 3, 0, 3}, {3, 5, 3, 5}, {8, 1, 8, 1}};
const std::vector<AttentionSpan> kCrossSpans = {{0, 3, 2, 7}, {3, 5, 9, 1}, {8, 1, 10, 20}};

std::vector<double> naive_attention(const Inputs& in, std::int64_t width,
                                    const std::vector<AttentionSpan>& spans, int heads, bool causal) {
  const Tensor &q = in.front(), &kv = in.back();
  const std::int64_t d = width / heads, keys = kv.columns() - 2 * width;
  std::vector<double> y(static_cast<std::size_t>(q.rows() * width), 0.0);
  for (const AttentionSpan& s : spans) {
    for (int h = 0; h < heads; ++h) {
      for (int i = 0; i < s.query_count; ++i) {
        const int seen = causal ? i + 1 : s.key_count;
        std::vector<double> weights;
        double total = 0;
        for (int j = 0; j < seen; ++j) {
          double score = 0;
          for (std::int64_t c = 0; c < d; ++c) {
            score += at(q, s.query_start + i, h * d + c) * at(kv, s.key_start + j, keys + h * d + c);
          }
          weights.push_back(std::exp(score / std::sqrt(static_cast<double>(d))));
          total += weights.back();
        }
        for (int j = 0; j < seen; ++j) {
          for (std::int64_t c = 0; c < d; ++c) {
            y[static_cast<std::size_t>((s.query_start + i) * width + h * d + c)] +=
                weights[static_cast<std::size_t>(j)] / total *
                at(kv, s.key_start + j, keys + width + h * d + c);
          }
        }
      }
    }
  }
  return y;
}

std::vector<double> mapped(const Tensor& x, double (*f)(double)) {
  std::vector<double> y;
  for (const float v : x.values()) y.push_back(f(v));
  return y;
}

const DropoutMask kDrop{0x123456789abcdef0ULL, 0x50000000u, 1.5f};
const std::vector<std::int32_t> kTokens = {3, 0, 3, -1, 6}, kPlaces = {0, 1, 2, 0, 1};

std::vector<OpCase> cases() {
  const AttentionShape causal{2, true, {}}, open{2, false, {}}, dropped{2, true, kDrop}, odd{2, false, {}};
  std::vector<OpCase> all = {
      {"linear",
       {{5, 7}, {9, 7}, {9}},
       [](const Inputs& in) { return linear(in[0], in[1], in[2]); },
       naive_linear},
      {"linear_without_bias",
       {{5, 7}, {9, 7}},
       [](const Inputs& in) { return linear(in[0], in[1], {}); },
       naive_linear},
      {"relu",
       {{3, 37}},
       [](const Inputs& in) { return relu(in[0], {}); },
       [](const Inputs& in) { return mapped(in[0], [](double v) { return std::max(v, 0.0); }); }},
      {"relu_dropout", {{3, 37}}, [](const Inputs& in) { return relu(in[0], kDrop); }, nullptr},
      {"gelu",
       {{3, 37}},
       [](const Inputs& in) { return gelu(in[0], {}); },
       [](const Inputs& in) {
         return mapped(in[0], [](double v) {
           return 0.5 * v * (1 + std::tanh(0.7978845608028654 * (v + 0.044715 * v * v * v)));
         });
       }},
      {"gelu_dropout", {{3, 37}}, [](const Inputs& in) { return gelu(in[0], kDrop); }, nullptr},
      {"add_dropout",
       {{3, 20}, {3, 20}},
       [](const Inputs& in) { return add_dropout(in[0], in[1], kDrop); },
       nullptr},
      {"add",
       {{3, 20}, {3, 20}},
       [](const Inputs& in) { return add_dropout(in[0], in[1], {}); },
       [](const Inputs& in) {
         std::vector<double> y;
         for (std::int64_t i = 0; i < in[0].count(); ++i) y.push_back(in[0].data()[i] + in[1].data()[i]);
         return y;
       }},
      {"one_tensor_twice",
       {{3, 20}},
       [](const Inputs& in) { return add_dropout(in[0], in[0], kDrop); },
       nullptr},
      {"layer_norm",
       {{300, 21}, {21}, {21}},
       [](const Inputs& in) { return layer_norm(in[0], in[1], in[2]); },
       naive_layer_norm},
      {"embed",
       {{7, 18}, {4, 18}},
       [](const Inputs& in) { return embed(in[0], in[1], kTokens, kPlaces, 2.0f, {}); },
       [](const Inputs& in) {
         std::vector<double> y;
         for (std::size_t r = 0; r < kTokens.size(); ++r) {
           for (int c = 0; c < 18; ++c) {
             y.push_back(kTokens[r] < 0 ? 0 : 2 * at(in[0], kTokens[r], c) + at(in[1], kPlaces[r], c));
           }
         }
         return y;
       }},
      {"embed_dropout",
       {{7, 18}},
       [](const Inputs& in) { return embed(in[0], {}, kTokens, kPlaces, 2.0f, kDrop); },
       nullptr},
      {"self_attention",
       {{10, 96}},
       [=](const Inputs& in) { return attention(in[0], in[0], 32, kSpans, causal); },
       [](const Inputs& in) { return naive_attention(in, 32, kSpans, 2, true); }},
      {"cross_attention",
       {{10, 32}, {31, 64}},
       [=](const Inputs& in) { return attention(in[0], in[1], 32, kCrossSpans, open); },
       [](const Inputs& in) { return naive_attention(in, 32, kCrossSpans, 2, false); }},
      {"attention_of_odd_width",
       {{10, 10}, {31, 20}},
       [=](const Inputs& in) { return attention(in[0], in[1], 10, kCrossSpans, odd); },
       [](const Inputs& in) { return naive_attention(in, 10, kCrossSpans, 2, false); }},
      {"attention_dropout",
       {{10, 96}},
       [=](const Inputs& in) { return attention(in[0], in[0], 32, kSpans, dropped); },
       nullptr},
      {"cross_entropy",
       {{6, 8}, {70, 8}, {70}},
       [](const Inputs& in) {
         const std::vector<std::int32_t> targets = {3, 69, -1, 0, 12, 12};
         return softmax_cross_entropy(in[0], in[1], in[2], targets, {}, 0.1).sum;
       },
       nullptr},
      {"weighted_cross_entropy",
       {{6, 8}, {70, 8}, {70}},
       [](const Inputs& in) {
         const std::vector<std::int32_t> targets = {3, 69, -1, 0, 12, 12};
         const std::vector<float> weights = {0.5f, 2, 7, 0, 1.5f, 0.25f};
         return softmax_cross_entropy(in[0], in[1], in[2], targets, weights, 0.1).sum;
       },
       nullptr},
  };
  // Longer than one block of queries, so that gradients of several blocks add up.
  const std::vector<AttentionSpan> one{{0, 150, 0, 150}};
  all.push_back({"long_attention",
                 {{150, 24}},
                 [=](const Inputs& in) {
                   return attention(in[0], in[0], 8, one, {1, true, kDrop});
                 },
                 nullptr});
  return all;
}

std::vector<OpCase> cases_with_naive_loops() {
  std::vector<OpCase> all = cases();
  std::erase_if(all, [](const OpCase& c) { return !c.naive; });
  return all;
}

class OperationValues : public testing::TestWithParam<OpCase> {};
class OperationGradient : public testing::TestWithParam<OpCase> {};

TEST_P(OperationValues, EqualANaiveLoop) {
  Random random(7);
  Inputs inputs;
  for (const Shape& shape : GetParam().shapes) inputs.push_back(random_tensor(shape, random));
  const Tensor y = GetParam().operation(inputs);
  const std::vector<double> expected = GetParam().naive(inputs);
  ASSERT_EQ(y.count(), static_cast<std::int64_t>(expected.size()));
  for (std::size_t i = 0; i < expected.size(); ++i) {
    ASSERT_NEAR(y.values()[i], expected[i], 2e-5 * (1 + std::abs(expected[i]))) << "at " << i;
  }
}

TEST_P(OperationGradient, EqualsCentralDifferences) {
  Random random(11);
  Inputs inputs;
  for (const Shape& shape : GetParam().shapes) {
    inputs.push_back(random_tensor(shape, random));
    inputs.back().want_gradient(Tensor::zeros(shape));
  }
  backward(weighted_loss(GetParam().operation(inputs)));
  constexpr float kStep = 0.01f;
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    const Tensor& x = inputs[k];
    double squares = 0;
    const Tensor gradient = x.gradient();
    for (const float g : gradient.values()) squares += static_cast<double>(g) * g;
    const double typical = std::sqrt(squares / static_cast<double>(x.count()));
    EXPECT_GT(typical, 0) << "input " << k << " gets no gradient";
    const std::int64_t stride = std::max<std::int64_t>(1, x.count() / 150);
    for (std::int64_t i = 0; i < x.count(); i += stride) {
      const float before = x.data()[i];
      x.data()[i] = before + kStep;
      const double more = weighted_sum(GetParam().operation(inputs));
      x.data()[i] = before - kStep;
      const double less = weighted_sum(GetParam().operation(inputs));
      x.data()[i] = before;
      if (GetParam().name.starts_with("relu") && std::abs(before) < 2 * kStep) continue;  // its kink
      ASSERT_NEAR(x.gradient().data()[i], (more - less) / (2 * kStep), 0.02 * typical + 2e-3)
          << "input " << k << " number " << i;
    }
  }
}

constexpr auto kNameOfCase = [](const auto& test) { return test.param.name; };
INSTANTIATE_TEST_SUITE_P(All, OperationValues, testing::ValuesIn(cases_with_naive_loops()), kNameOfCase);
INSTANTIATE_TEST_SUITE_P(All, OperationGradient, testing::ValuesIn(cases()), kNameOfCase);

TEST(CrossEntropy, EqualsItsDefinition) {
  Random random(3);
  const Tensor hidden = random_tensor({4, 8}, random), weight = random_tensor({37, 8}, random);
  const std::vector<std::int32_t> targets = {5, -1, 36, 0};
  const std::vector<float> weights = {3, 1, 0.5f, 0.25f};
  const double smoothing = 0.2;
  double plain = 0, smooth = 0, weighted_plain = 0, weighted_smooth = 0;
  for (std::int64_t r = 0; r < 4; ++r) {
    if (targets[static_cast<std::size_t>(r)] < 0) continue;
    std::vector<double> logits(37, 0.0);
    double total = 0;
    for (std::int64_t v = 0; v < 37; ++v) {
      for (std::int64_t c = 0; c < 8; ++c)
        logits[static_cast<std::size_t>(v)] += at(hidden, r, c) * at(weight, v, c);
      total += std::exp(logits[static_cast<std::size_t>(v)]);
    }
    for (std::size_t v = 0; v < 37; ++v) {
      const double surprise = std::log(total) - logits[v];
      const bool is_target = static_cast<std::int32_t>(v) == targets[static_cast<std::size_t>(r)];
      const double counts = static_cast<double>(weights[static_cast<std::size_t>(r)]);
      const double part = surprise * ((is_target ? 1 - smoothing : 0) + smoothing / 37);
      if (is_target) plain += surprise;
      if (is_target) weighted_plain += counts * surprise;
      smooth += part;
      weighted_smooth += counts * part;
    }
  }
  const CrossEntropy made = softmax_cross_entropy(hidden, weight, {}, targets, {}, smoothing);
  EXPECT_NEAR(made.cross_entropy, plain, 1e-4);
  EXPECT_NEAR(made.sum.data()[0], smooth, 1e-4);
  const CrossEntropy weighted = softmax_cross_entropy(hidden, weight, {}, targets, weights, smoothing);
  EXPECT_NEAR(weighted.cross_entropy, weighted_plain, 1e-4);
  EXPECT_NEAR(weighted.sum.data()[0], weighted_smooth, 1e-4);
  double from_tokens = 0;
  for (const float p : target_log_probabilities(hidden, weight, {}, targets)) from_tokens -= p;
  EXPECT_NEAR(from_tokens, plain, 1e-4);
}

TEST(Dropout, KeepsTheRightShareAndScalesIt) {
  Random random(5);
  Tensor ones = Tensor::uninitialised({100, 1000});
  for (float& v : ones.values()) v = 1;
  const Tensor y = add_dropout(Tensor::zeros({100, 1000}), ones, dropout_mask(0.3, &random));
  std::int64_t kept = 0;
  for (const float v : y.values()) {
    if (v != 0) {
      ASSERT_FLOAT_EQ(v, 1.0f / 0.7f);
      ++kept;
    }
  }
  EXPECT_NEAR(static_cast<double>(kept) / 100000, 0.7, 0.01);
  const Tensor other = add_dropout(Tensor::zeros({100, 1000}), ones, dropout_mask(0.3, &random));
  std::int64_t both = 0;
  for (std::size_t i = 0; i < 100000; ++i) both += y.values()[i] != 0 && other.values()[i] != 0;
  EXPECT_NEAR(static_cast<double>(both) / 100000, 0.49, 0.01) << "masks of two keys must be independent";
}

TEST(AttendRows, EqualsAttentionOverTheSameRows) {
  Random random(9);
  const Tensor q = random_tensor({4, 32}, random), kv = random_tensor({9, 64}, random);
  const std::vector<AttentionSpan> spans = {{0, 1, 0, 9}, {1, 1, 2, 3}, {2, 1, 5, 1}, {3, 1, 1, 8}};
  const Tensor expected = attention(q, kv, 32, spans, {2, false, {}});
  KeyRows rows;
  for (const AttentionSpan& s : spans) {
    for (int j = 0; j < s.key_count; ++j) rows.keys.push_back(kv.data() + (s.key_start + j) * 64);
    rows.starts.push_back(static_cast<int>(rows.keys.size()));
  }
  const Tensor y = attend_rows(q, rows, 32, 2);
  for (std::size_t i = 0; i < 4 * 32; ++i) EXPECT_NEAR(y.values()[i], expected.values()[i], 1e-5);
}

TEST(TopTokens, AreTheLikeliestWithEqualOnesByLowerId) {
  Random random(13);
  for (const std::int64_t vocabulary : {3, 16, 100, 1003}) {
    std::vector<float> logits(static_cast<std::size_t>(vocabulary));
    for (float& v : logits) v = static_cast<float>(random.below(12));
    double total = 0;
    for (const float v : logits) total += std::exp(static_cast<double>(v));
    std::vector<std::int32_t> order(logits.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::int32_t>(i);
    std::stable_sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
      return logits[static_cast<std::size_t>(a)] > logits[static_cast<std::size_t>(b)];
    });
    const std::int64_t count = std::min<std::int64_t>(vocabulary, 12);
    std::vector<ScoredToken> best(static_cast<std::size_t>(count));
    EXPECT_NEAR(kernels().top_tokens(logits.data(), vocabulary, count, best.data()), std::log(total), 1e-4);
    for (std::size_t i = 0; i < best.size(); ++i) {
      EXPECT_EQ(best[i].token, order[i]);
      EXPECT_EQ(best[i].score, logits[static_cast<std::size_t>(order[i])]);
    }
  }
}

}  // namespace
}  // namespace gloss
