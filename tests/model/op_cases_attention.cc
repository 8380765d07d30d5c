// SPDX-License-Identifier: Apache-2.0
// The rows of the table of operations for attention and rotated positions.
#include "base/index.h"
#include "op_cases.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "model/tensor/ops_recurrent.h"

namespace gloss {
namespace {

const std::vector<AttentionSpan> kSelfSpans = {{0, 3, 0, 3}, {3, 5, 3, 5}, {8, 1, 8, 1}};
const std::vector<AttentionSpan> kCrossSpans = {{0, 3, 2, 7}, {3, 5, 9, 1}, {8, 1, 10, 20}};

std::vector<double> naive_attention(const Inputs& in, const AttentionHeads& sizes,
                                    const std::vector<AttentionSpan>& spans, bool causal,
                                    const Tensor& distances = {}, int window = 0, int columns = 0) {
  const Tensor &q = in.front(), &kv = in.back();
  const int heads = sizes.heads;
  const std::int64_t d = sizes.head_width, width = heads * d, key_width = sizes.key_value_heads * d,
                     keys = kv.columns() - 2 * key_width;
  std::vector<double> y(index(q.rows() * width), 0.0);
  for (const AttentionSpan& s : spans) {
    for (int h = 0; h < heads; ++h) {
      const int g = h / (heads / sizes.key_value_heads);
      for (int i = 0; i < s.query_count; ++i) {
        const int first = window > 0 ? std::max(0, i - window) : 0, after = causal ? i + 1 : s.key_count,
                  seen = window > 0 ? std::min(after, i + window + 1) : after;
        std::vector<double> weights;
        double total = 0;
        for (int j = first; j < seen; ++j) {
          double score = 0;
          for (std::int64_t c = 0; c < d; ++c) {
            score += at(q, s.query_start + i, h * d + c) * at(kv, s.key_start + j, keys + g * d + c);
          }
          score *= static_cast<double>(sizes.scale);
          if (distances) score += score_of_distance(distances, h, i, j, columns);
          weights.push_back(std::exp(score));
          total += weights.back();
        }
        for (int j = first; j < seen; ++j) {
          for (std::int64_t c = 0; c < d; ++c) {
            y[index((s.query_start + i) * width + h * d + c)] +=
                weights[index(j - first)] / total * at(kv, s.key_start + j, keys + key_width + g * d + c);
          }
        }
      }
    }
  }
  return y;
}

double made_up_angle(int place, std::int64_t i) { return 0.3 * place * static_cast<double>(i + 1); }

/// Angles of 6 positions for heads of width 10.
Tensor made_up_angles() {
  Tensor angles = Tensor::zeros({6, 10});
  for (int place = 0; place < 6; ++place) {
    for (int i = 0; i < 5; ++i) {
      angles.data()[place * 10 + i] = static_cast<float>(std::cos(made_up_angle(place, i)));
      angles.data()[place * 10 + 5 + i] = static_cast<float>(std::sin(made_up_angle(place, i)));
    }
  }
  return angles;
}

std::vector<double> naive_rotation(const Tensor& x, const std::vector<std::int32_t>& places, int heads) {
  std::vector<double> y;
  for (std::int64_t r = 0; r < x.rows(); ++r) {
    for (std::int64_t c = 0; c < x.columns(); ++c) {
      const std::int64_t head = c / 10, i = c % 5;
      if (head >= heads) {
        y.push_back(at(x, r, c));
        continue;
      }
      const double angle = made_up_angle(places[index(r)], i), first = at(x, r, head * 10 + i),
                   second = at(x, r, head * 10 + 5 + i);
      y.push_back(c % 10 < 5 ? first * std::cos(angle) - second * std::sin(angle)
                             : first * std::sin(angle) + second * std::cos(angle));
    }
  }
  return y;
}

/// Inputs: x and the gains of `queries` heads of queries and `keys` heads of keys, if there are any.
std::vector<double> naive_head_norm(const Inputs& in, int queries, int keys, double epsilon) {
  std::vector<double> y;
  const std::int64_t width = in[1].count();
  for (std::int64_t r = 0; r < in[0].rows(); ++r) {
    for (std::int64_t c = 0; c < in[0].columns(); ++c) {
      const std::int64_t head = c / width;
      if (head >= queries + keys) {
        y.push_back(at(in[0], r, c));
        continue;
      }
      double squares = 0;
      for (std::int64_t i = head * width; i < (head + 1) * width; ++i)
        squares += std::pow(at(in[0], r, i), 2) / static_cast<double>(width);
      const Tensor& gain = head < queries ? in[1] : in.back();
      y.push_back(at(in[0], r, c) / std::sqrt(squares + epsilon) * double{gain.data()[c % width]});
    }
  }
  return y;
}

}  // namespace

std::vector<OpCase> attention_op_cases() {
  const AttentionHeads two = AttentionHeads::of_width(32, 2), odd = AttentionHeads::of_width(10, 2),
                       grouped{6, 2, 5, 1.0f};
  const AttentionShape causal{two, true, {}}, open{two, false, {}}, dropped{two, true, kDrop};
  std::vector<OpCase> all = {
      {"self_attention",
       {{10, 96}},
       1,
       [=](const Inputs& in) { return attention(in[0], in[0], kSelfSpans, causal); },
       [=](const Inputs& in) { return naive_attention(in, two, kSelfSpans, true); }},
      {"cross_attention",
       {{10, 32}, {31, 64}},
       2,
       [=](const Inputs& in) { return attention(in[0], in[1], kCrossSpans, open); },
       [=](const Inputs& in) { return naive_attention(in, two, kCrossSpans, false); }},
      {"attention_of_odd_width",
       {{10, 10}, {31, 20}},
       2,
       [=](const Inputs& in) {
         return attention(in[0], in[1], kCrossSpans, {odd, false, {}});
       },
       [=](const Inputs& in) { return naive_attention(in, odd, kCrossSpans, false); }},
      {"self_attention_of_groups",
       {{10, 50}},
       1,
       [=](const Inputs& in) {
         return attention(in[0], in[0], kSelfSpans, {grouped, true, {}});
       },
       [=](const Inputs& in) { return naive_attention(in, grouped, kSelfSpans, true); }},
      {"cross_attention_of_groups",
       {{10, 30}, {31, 20}},
       2,
       [=](const Inputs& in) {
         return attention(in[0], in[1], kCrossSpans, {grouped, false, {}});
       },
       [=](const Inputs& in) { return naive_attention(in, grouped, kCrossSpans, false); }},
      {"attention_dropout",
       {{10, 96}},
       1,
       [=](const Inputs& in) { return attention(in[0], in[0], kSelfSpans, dropped); },
       nullptr},
  };
  // Longer than one block of queries, to test sums of gradients over several blocks.
  const std::vector<AttentionSpan> one{{0, 150, 0, 150}};
  all.push_back({"long_attention",
                 {{150, 24}},
                 1,
                 [=](const Inputs& in) {
                   return attention(in[0], in[0], one, {AttentionHeads::of_width(8, 1), true, kDrop});
                 },
                 nullptr});
  // Reaches shorter and longer than the sentences.
  for (const std::int64_t reach : {2, 9}) {
    for (const bool causal_too : {true, false}) {
      all.push_back(
          {concat("attention_by_distance_", reach, causal_too ? "_causal" : ""),
           {{10, 96}, {2, 2 * reach + 1}},
           1,
           [=](const Inputs& in) {
             return attention(in[0], in[0], kSelfSpans, {two, causal_too, {}, in[1]});
           },
           [=](const Inputs& in) { return naive_attention({in[0]}, two, kSelfSpans, causal_too, in[1]); }});
    }
  }
  // Windows shorter and longer than sentences, whose edges are inside and at the edges of vectors and blocks.
  const std::vector<AttentionSpan> long_spans{{0, 3, 0, 3}, {3, 145, 3, 145}};
  for (const int window : {1, 5, 16, 70, 200}) {
    for (const bool causal_too : {true, false}) {
      const std::string name = concat("local_attention_", window, causal_too ? "_causal" : "");
      const AttentionShape shape{AttentionHeads::of_width(8, 2), causal_too, {}, {}, window};
      all.push_back({name,
                     {{150, 24}},
                     1,
                     [=](const Inputs& in) { return attention(in[0], in[0], long_spans, shape); },
                     [=](const Inputs& in) {
                       return naive_attention(in, shape.heads, long_spans, causal_too, {}, window);
                     }});
      AttentionShape dropping = shape;
      dropping.dropout = kDrop;
      all.push_back({name + "_dropout",
                     {{150, 24}},
                     1,
                     [=](const Inputs& in) { return attention(in[0], in[0], long_spans, dropping); },
                     nullptr});
      all.push_back({name + "_by_distance",
                     {{150, 24}, {2, 2 * 7 + 1}},
                     1,
                     [=](const Inputs& in) {
                       AttentionShape by_distance = shape;
                       by_distance.distances = in[1];
                       return attention(in[0], in[0], long_spans, by_distance);
                     },
                     [=](const Inputs& in) {
                       return naive_attention({in[0]}, shape.heads, long_spans, causal_too, in[1], window);
                     }});
    }
  }
  // Grids of 2 and 10 columns, the last row of which may have fewer places.
  const std::vector<AttentionSpan> both{{0, 4, 0, 4}, {4, 5, 4, 5}};
  all.push_back({"attention_by_offset",
                 {{9, 96}, {2, 5 * 3}},
                 1,
                 [=](const Inputs& in) {
                   return attention(in[0], in[0], both,
                                    {.heads = two, .dropout = {}, .distances = in[1], .grid_columns = 2});
                 },
                 [=](const Inputs& in) { return naive_attention({in[0]}, two, both, false, in[1], 0, 2); }});
  for (const int window : {0, 13}) {
    const AttentionHeads narrow = AttentionHeads::of_width(8, 2);
    all.push_back(
        {concat("attention_by_offset_", window),
         {{150, 24}, {2, 29 * 19}},
         1,
         [=](const Inputs& in) {
           return attention(
               in[0], in[0], long_spans,
               {.heads = narrow, .dropout = {}, .distances = in[1], .window = window, .grid_columns = 10});
         },
         [=](const Inputs& in) {
           return naive_attention({in[0]}, narrow, long_spans, false, in[1], window, 10);
         }});
  }
  const std::vector<int> buckets{3, 3, 1, 0, 2, 0, 3};
  all.push_back(
      {"attention_by_bucket",
       {{10, 96}, {2, 4}},
       1,
       [=](const Inputs& in) {
         return attention(in[0], in[0], kSelfSpans, {two, false, {}, gather_columns(in[1], buckets)});
       },
       [=](const Inputs& in) {
         const Tensor distances = Tensor::zeros({2, 7});
         for (int head = 0; head < 2; ++head) {
           for (int i = 0; i < 7; ++i)
             distances.data()[head * 7 + i] = in[1].data()[head * 4 + buckets[index(i)]];
         }
         return naive_attention({in[0]}, two, kSelfSpans, false, distances);
       }});
  const std::vector<std::int32_t> places{0, 1, 2, 0, 5};
  all.push_back({"rotation_of_some_columns",
                 {{5, 35}},
                 1,
                 [=](const Inputs& in) { return rotate(in[0], made_up_angles(), places, 3); },
                 [=](const Inputs& in) { return naive_rotation(in[0], places, 3); }});
  all.push_back({"norm_of_queries_and_keys",
                 {{300, 95}, {19}, {19}},
                 1,
                 [=](const Inputs& in) {
                   return norm_heads(in[0], {in[1], in[2], 2, 1, 0.01f});
                 },
                 [=](const Inputs& in) { return naive_head_norm(in, 2, 1, 0.01f); }});
  all.push_back({"norm_of_queries",
                 {{5, 30}, {10}},
                 1,
                 [=](const Inputs& in) {
                   return norm_heads(in[0], {in[1], {}, 3, 0});
                 },
                 [=](const Inputs& in) { return naive_head_norm(in, 3, 0, 1e-5); }});
  all.push_back({"norm_of_keys_used_twice",
                 {{5, 40}, {10}},
                 1,
                 [=](const Inputs& in) {
                   return add_dropout(norm_heads(in[0], {{}, in[1], 0, 2}), in[0], {});
                 },
                 [=](const Inputs& in) {
                   std::vector<double> y = naive_head_norm(in, 0, 2, 1e-5);
                   for (std::size_t i = 0; i < y.size(); ++i) y[i] += double{in[0].data()[i]};
                   return y;
                 }});
  return all;
}

}  // namespace gloss
