// SPDX-License-Identifier: Apache-2.0
// Operations of memory networks: see ops_memory.h.
#include "model/tensor/ops_memory.h"

#include <cstring>

#include "base/error.h"
#include "base/index.h"
#include "model/kernels/kernels.h"
#include "model/tensor/operation_threads.h"
#include "model/tensor/profile.h"
#include "model/tensor/scored_spans.h"
#include "model/tensor/stored_matrix.h"

namespace gloss {
namespace {

const ProfiledOperation kSentences("embed sentences");
const ProfiledOperation kSentencesGradient("embed sentences: gradient");
const ProfiledOperation kLinearScores("linear attention: weights");

/// Minimum sentences per thread of a parallel loop.
constexpr std::int64_t kSentenceGrain = 32;

/// The factors of the elements of a word: first + step * (k + 1) for element k from 0.
struct WordFactors {
  float first = 1, step = 0;
};

/// Those of word `j` of `count`, counted from 0, in rows of `width` elements.
WordFactors word_factors(bool positions, int j, int count, std::int64_t width) {
  if (!positions) return {};
  const float place = static_cast<float>(j + 1) / static_cast<float>(count);
  return {1 - place, -(1 - 2 * place) / static_cast<float>(width)};
}

void add_scaled(const float* from, WordFactors factors, float* to, std::int64_t width) {
  const float first = factors.first + factors.step, step = factors.step;
  for (std::int64_t k = 0; k < width; ++k) to[k] += (first + step * static_cast<float>(k)) * from[k];
}

/// A row of any dtype in f32.
void widen_to(const Tensor& x, std::int64_t row, std::vector<float>& to) {
  widen_row(x.stored(), row, to.data());
}

void narrow_to(const std::vector<float>& from, const Tensor& x, std::int64_t row) {
  if (x.dtype() == DType::bf16) {
    kernels().narrow(from.data(), static_cast<Bf16*>(x.raw_row(row)), x.columns());
  } else {
    std::memcpy(x.raw_row(row), from.data(), from.size() * sizeof(float));
  }
}

float dot_product(const float* a, const float* b, std::int64_t count) {
  float sum = 0;
  for (std::int64_t i = 0; i < count; ++i) sum += a[i] * b[i];
  return sum;
}

void expect_sentences(const Tensor& table, std::span<const std::int32_t> tokens,
                      const std::vector<int>& starts, std::int64_t rows) {
  expects(!starts.empty() && index(starts.back()) <= tokens.size() &&
              static_cast<std::int64_t>(starts.size()) - 1 <= rows,
          "embed_sentences: ", starts.size(), " starts up to ", starts.back(), " of ", tokens.size(),
          " tokens for ", rows, " rows");
  for (const std::int32_t token : tokens) {
    expects(token >= 0 && token < table.rows(), "embed_sentences: token ", token, " of a table with ",
            table.rows());
  }
}

/// The products of queries and keys, laid out as ScoredSpans with one head, f32.
Tensor key_products(const Tensor& queries, const Tensor& keys, const ScoredSpans& spans) {
  expects(queries.columns() == keys.columns() && queries.dtype() == keys.dtype(), "attend_linearly: queries ",
          queries.shape().text(), ", keys ", keys.shape().text());
  Tensor weights = Tensor::uninitialised({spans.count});
  const std::int64_t width = queries.columns();
  {
    const ProfiledTime time(kLinearScores, 2 * spans.pairs() * width, 0);
    spans.each_head([&](std::size_t span, int head) {
      const AttentionSpan& s = spans.spans[span];
      float* to = weights.data() + spans.weights_of(span, head);
      std::vector<float> query(index(width)), key(index(width));
      for (int q = 0; q < s.query_count; ++q) {
        widen_to(queries, s.query_start + q, query);
        for (int k = 0; k < s.key_count; ++k) {
          widen_to(keys, s.key_start + k, key);
          *to++ = dot_product(query.data(), key.data(), width);
        }
      }
    });
  }
  return record(weights, {queries, keys},
                [spans, width, kept_queries = queries.without_gradient(),
                 kept_keys = keys.without_gradient()](const Tensor& dweights, std::span<const Tensor> of) {
                  const ProfiledTime time(kLinearScores, 4 * spans.pairs() * width, 0);
                  const Tensor to_queries = gradient_if_wanted(of[0]), to_keys = gradient_if_wanted(of[1]);
                  spans.each_head([&](std::size_t span, int head) {
                    const AttentionSpan& s = spans.spans[span];
                    const float* weight = dweights.data() + spans.weights_of(span, head);
                    const std::size_t columns = index(width);
                    std::vector<float> query(columns), key(columns), sum(columns);
                    std::vector<float> key_sums(index(s.key_count) * columns);
                    for (int q = 0; q < s.query_count; ++q) {
                      widen_to(kept_queries, s.query_start + q, query);
                      std::fill(sum.begin(), sum.end(), 0.0f);
                      for (int k = 0; k < s.key_count; ++k, ++weight) {
                        widen_to(kept_keys, s.key_start + k, key);
                        add_scaled(key.data(), {*weight, 0}, sum.data(), width);
                        add_scaled(query.data(), {*weight, 0}, key_sums.data() + index(k) * columns, width);
                      }
                      if (!to_queries) continue;
                      widen_to(to_queries, s.query_start + q, key);
                      add_scaled(key.data(), {}, sum.data(), width);
                      narrow_to(sum, to_queries, s.query_start + q);
                    }
                    if (!to_keys) return;
                    for (int k = 0; k < s.key_count; ++k) {
                      widen_to(to_keys, s.key_start + k, key);
                      add_scaled(key_sums.data() + index(k) * columns, {}, key.data(), width);
                      narrow_to(key, to_keys, s.key_start + k);
                    }
                  });
                });
}

}  // namespace

Tensor embed_sentences(const Tensor& table, std::span<const std::int32_t> tokens, std::vector<int> starts,
                       bool positions, std::int64_t rows) {
  expect_sentences(table, tokens, starts, rows);
  const auto sentences = static_cast<std::int64_t>(starts.size()) - 1;
  const std::int64_t width = table.columns(), work = 3 * static_cast<std::int64_t>(tokens.size()) * width;
  Tensor y = Tensor::zeros({rows, width}, table.working_type());
  {
    const ProfiledTime time(kSentences, work, y.bytes());
    const StoredMatrix stored = table.stored();
    parallel_ranges(sentences, kSentenceGrain, [&](std::int64_t first, std::int64_t last) {
      std::vector<float> sum(index(width)), word(index(width));
      for (std::int64_t s = first; s < last; ++s) {
        const int begin = starts[index(s)], count = starts[index(s) + 1] - begin;
        if (count == 0) continue;
        sum.assign(index(width), 0.0f);
        for (int j = 0; j < count; ++j) {
          widen_row_as(table.row_type(), stored, tokens[index(begin + j)], word.data());
          add_scaled(word.data(), word_factors(positions, j, count, width), sum.data(), width);
        }
        narrow_to(sum, y, s);
      }
    });
  }
  return record(y, {table},
                [=, ids = std::vector<std::int32_t>(tokens.begin(), tokens.end()),
                 starts = std::move(starts)](const Tensor& dy, std::span<const Tensor> of) {
                  // Sequential: several words may add to the same row of the table.
                  const ProfiledTime time(kSentencesGradient, work, dy.bytes());
                  float* const gradient = of[0].gradient().data();
                  std::vector<float> row(index(width));
                  for (std::int64_t s = 0; s < sentences; ++s) {
                    const int begin = starts[index(s)], count = starts[index(s) + 1] - begin;
                    if (count == 0) continue;
                    widen_to(dy, s, row);
                    for (int j = 0; j < count; ++j) {
                      add_scaled(row.data(), word_factors(positions, j, count, width),
                                 gradient + ids[index(begin + j)] * width, width);
                    }
                  }
                });
}

Attended attend_linearly(const Tensor& queries, const Tensor& keys, const Tensor& values,
                         std::vector<AttentionSpan> spans) {
  expects(keys.rows() == values.rows() && keys.dtype() == values.dtype(), "attend_linearly: keys ",
          keys.shape().text(), ", values ", values.shape().text());
  const ScoredSpans scored(std::move(spans), 1, queries.rows(), keys.rows());
  const Tensor weights = key_products(queries, keys, scored);
  return {mix_values(weights, values, scored, nullptr), weights};
}

}  // namespace gloss
