// SPDX-License-Identifier: Apache-2.0
// The rows of the table of operations for connectionist temporal classification.
#include <cmath>

#include "base/index.h"
#include "model/tensor/ops_ctc.h"
#include "op_cases.h"

namespace gloss {
namespace {

/// The text that a path of predictions stands for.
std::vector<std::int32_t> text_of(const std::vector<std::int32_t>& path, std::int32_t blank) {
  std::vector<std::int32_t> text;
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (path[i] != blank && (i == 0 || path[i] != path[i - 1])) text.push_back(path[i]);
  }
  return text;
}

/// -log of the sum over all paths of the vectors from `first` on that stand for `labels`; 0 if there is none.
double definition(const Tensor& scores, int first, int count, const std::vector<std::int32_t>& labels,
                  std::int32_t blank) {
  const std::int64_t vocabulary = scores.columns();
  std::vector<double> log_sums;
  for (int t = 0; t < count; ++t) {
    double sum = 0;
    for (std::int64_t v = 0; v < vocabulary; ++v) sum += std::exp(at(scores, first + t, v));
    log_sums.push_back(std::log(sum));
  }
  double all = 0;
  std::vector<std::int32_t> path(index(count), 0);
  while (true) {
    if (text_of(path, blank) == labels) {
      double log_p = 0;
      for (int t = 0; t < count; ++t) log_p += at(scores, first + t, path[index(t)]) - log_sums[index(t)];
      all += std::exp(log_p);
    }
    std::size_t place = 0;
    while (place < path.size() && ++path[place] == vocabulary) path[place++] = 0;
    if (place == path.size()) break;
  }
  return all > 0 ? -std::log(all) : 0;
}

}  // namespace

std::vector<OpCase> ctc_op_cases() {
  struct Row {
    int vectors;
    std::vector<std::int32_t> labels;
    float weight;
  };
  struct Kind {
    const char* name;
    std::int32_t blank;
    std::vector<Row> rows;
  };
  std::vector<OpCase> all;
  for (const Kind& kind : std::vector<Kind>{
           {"ctc_loss", 1, {{4, {2, 0}, 1}, {5, {3}, 1}, {3, {}, 1}, {1, {2}, 1}}},
           {"ctc_loss_repeated", 0, {{5, {2, 2, 3}, 0.5f}, {3, {1, 1}, 2}, {4, {3, 1, 3, 1}, 1}}},
           {"ctc_loss_without_room", 3, {{2, {1, 1}, 1}, {4, {0, 1}, 1}, {2, {0, 1, 2}, 1}, {0, {1}, 1}}}}) {
    CtcLabels labels{.starts = {0}, .blank = kind.blank};
    for (const Row& row : kind.rows) {
      labels.starts.push_back(labels.starts.back() + row.vectors);
      labels.labels.insert(labels.labels.end(), row.labels.begin(), row.labels.end());
      labels.label_starts.push_back(static_cast<int>(labels.labels.size()));
      labels.weights.push_back(row.weight);
    }
    all.push_back({kind.name,
                   {{labels.starts.back() + 3, 4}},
                   1,
                   [=](const Inputs& in) { return ctc_loss(in[0], labels); },
                   [=](const Inputs& in) {
                     double sum = 0;
                     for (std::size_t row = 0; row < kind.rows.size(); ++row) {
                       const Row& of = kind.rows[row];
                       sum += static_cast<double>(of.weight) *
                              definition(in[0], labels.starts[row], of.vectors, of.labels, kind.blank);
                     }
                     return std::vector<double>{sum};
                   }});
  }
  return all;
}

}  // namespace gloss
