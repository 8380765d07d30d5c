// SPDX-License-Identifier: Apache-2.0
// Operations of memory networks.
#include "base/index.h"
#include "model/tensor/ops_memory.h"
#include "op_cases.h"

namespace gloss {
namespace {

// Sentences of 3, 0, 1 and 5 words; a word may occur twice. The result has two further rows.
const std::vector<std::int32_t> kWords{4, 1, 4, 0, 6, 2, 2, 5, 3};
const std::vector<int> kSentenceStarts{0, 3, 3, 4, 9};
constexpr std::int64_t kSentenceRows = 6;

std::vector<double> naive_sentences(const Tensor& table, bool positions) {
  const std::int64_t width = table.columns();
  std::vector<double> y;
  for (std::int64_t s = 0; s < kSentenceRows; ++s) {
    const bool has_words = index(s) + 1 < kSentenceStarts.size();
    const int begin = has_words ? kSentenceStarts[index(s)] : 0,
              words = has_words ? kSentenceStarts[index(s) + 1] - begin : 0;
    for (std::int64_t k = 1; k <= width; ++k) {
      double sum = 0;
      for (int j = 1; j <= words; ++j) {
        const double place = static_cast<double>(j) / words,
                     part = static_cast<double>(k) / static_cast<double>(width);
        const double factor = positions ? (1 - place) - part * (1 - 2 * place) : 1;
        sum += factor * at(table, kWords[index(begin + j - 1)], k - 1);
      }
      y.push_back(sum);
    }
  }
  return y;
}

// Rows 0 and 4 .. 6 of the queries and rows 0 and 10 .. 12 of the keys belong to no span.
const std::vector<AttentionSpan> kReads{{1, 1, 1, 4}, {2, 2, 5, 5}};

std::vector<double> naive_linear_reads(const Inputs& in) {
  std::vector<double> y(index(in[0].rows() * in[2].columns()), 0.0);
  for (const AttentionSpan& s : kReads) {
    for (int q = s.query_start; q < s.query_start + s.query_count; ++q) {
      for (int k = s.key_start; k < s.key_start + s.key_count; ++k) {
        double weight = 0;
        for (std::int64_t c = 0; c < in[0].columns(); ++c) weight += at(in[0], q, c) * at(in[1], k, c);
        for (std::int64_t c = 0; c < in[2].columns(); ++c) {
          y[index(q * in[2].columns() + c)] += weight * at(in[2], k, c);
        }
      }
    }
  }
  return y;
}

}  // namespace

std::vector<OpCase> memory_op_cases() {
  std::vector<OpCase> all;
  for (const bool positions : {false, true}) {
    all.push_back({positions ? "sentences_with_positions" : "sentences_as_bags",
                   {{7, 21}},
                   0,
                   [=](const Inputs& in) {
                     return embed_sentences(in[0], kWords, kSentenceStarts, positions, kSentenceRows);
                   },
                   [=](const Inputs& in) { return naive_sentences(in[0], positions); }});
  }
  all.push_back({"linear_attention",
                 {{7, 13}, {13, 13}, {13, 9}},
                 3,
                 [](const Inputs& in) { return attend_linearly(in[0], in[1], in[2], kReads).context; },
                 naive_linear_reads});
  return all;
}

}  // namespace gloss
