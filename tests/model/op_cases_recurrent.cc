// SPDX-License-Identifier: Apache-2.0
// Operations of recurrent networks.
#include <cmath>

#include "base/index.h"
#include "model/tensor/ops_recurrent.h"
#include "op_cases.h"

namespace gloss {
namespace {

using State = std::vector<double>;

/// One step of a cell, as in the papers.
State naive_cell(Cell cell, const State& x, const State& r, const State& before) {
  const std::size_t parts = cell == Cell::lstm ? 2 : 1, width = before.size() / parts;
  State after(before.size());
  for (std::size_t i = 0; i < width; ++i) {
    const auto sum = [&](std::size_t gate) { return x[gate * width + i] + r[gate * width + i]; };
    if (cell == Cell::lstm) {
      after[width + i] = logistic(sum(1)) * before[width + i] + logistic(sum(0)) * std::tanh(sum(2));
      after[i] = logistic(sum(3)) * std::tanh(after[width + i]);
    } else if (cell == Cell::gru) {
      const double reset = logistic(sum(0)), update = logistic(sum(1));
      const double now = std::tanh(x[2 * width + i] + reset * r[2 * width + i]);
      after[i] = (1 - update) * now + update * before[i];
    } else {
      after[i] = std::tanh(sum(0));
    }
  }
  return after;
}

// Three sequences of 4, 2 and 1 rows in packed rows 1 .. 4, 6 .. 7 (reversed), 8; rows 0, 5 and 9 belong to
// no sequence.
const std::vector<std::vector<int>> kSequences = {{1, 2, 3, 4}, {7, 6}, {8}};

std::shared_ptr<const RecurrentSteps> sequence_steps() {
  return std::make_shared<const RecurrentSteps>(RecurrentSteps{{3, 2, 1, 1}, {1, 7, 8, 2, 6, 3, 4}});
}

std::vector<double> naive_recurrence(Cell cell, const Inputs& in, const Tensor& bias, const Tensor& initial) {
  const auto width = index(in[1].columns()), gates = index(in[1].rows()),
             parts = index(cell == Cell::lstm ? 2 : 1);
  std::vector<double> y(index(in[0].rows()) * parts * width, 0.0);
  for (std::size_t s = 0; s < kSequences.size(); ++s) {
    State state(parts * width, 0.0);
    for (std::size_t i = 0; initial && i < state.size(); ++i) {
      state[i] = at(initial, static_cast<std::int64_t>(s), static_cast<std::int64_t>(i));
    }
    for (const int row : kSequences[s]) {
      State x, product;
      for (std::size_t g = 0; g < gates; ++g) {
        double sum = bias ? bias.data()[g] : 0;
        for (std::size_t i = 0; i < width; ++i) {
          sum += state[i] * at(in[1], static_cast<std::int64_t>(g), static_cast<std::int64_t>(i));
        }
        product.push_back(sum);
        x.push_back(at(in[0], row, static_cast<std::int64_t>(g)));
      }
      state = naive_cell(cell, x, product, state);
      std::copy(state.begin(), state.end(),
                y.begin() + static_cast<std::ptrdiff_t>(index(row) * state.size()));
    }
  }
  return y;
}

/// One step of each row with its inputs, or with the same ones for all.
std::vector<double> naive_step(Cell cell, const Tensor& inputs, const Tensor& products,
                               const Tensor& before) {
  std::vector<double> y;
  const auto row_of = [](const Tensor& x, std::int64_t row) {
    State values;
    for (std::int64_t c = 0; c < x.columns(); ++c) values.push_back(at(x, row, c));
    return values;
  };
  for (std::int64_t row = 0; row < products.rows(); ++row) {
    State x(inputs.values().begin(), inputs.values().end());
    if (inputs.shape().rank() > 1) x = row_of(inputs, row);
    const State after = naive_cell(cell, x, row_of(products, row), row_of(before, row));
    y.insert(y.end(), after.begin(), after.end());
  }
  return y;
}

/// A cell with all optional inputs, and with none.
void add_cell_cases(const std::string& name, Cell cell, std::vector<OpCase>& all) {
  constexpr std::int64_t kWidth = 19;
  const std::int64_t gates = gates_of(cell) * kWidth, state = state_parts(cell) * kWidth;
  all.push_back({name,
                 {{10, gates}, {gates, kWidth}},
                 1,
                 [=](const Inputs& in) { return recurrence(cell, in[0], in[1], {}, {}, sequence_steps()); },
                 [=](const Inputs& in) { return naive_recurrence(cell, in, {}, {}); },
                 4});
  // The initial state is an activation like the inputs.
  all.push_back(
      {name + "_with_bias_and_state",
       {{10, gates}, {3, state}, {gates, kWidth}, {gates}},
       2,
       [=](const Inputs& in) { return recurrence(cell, in[0], in[2], in[3], in[1], sequence_steps()); },
       [=](const Inputs& in) {
         return naive_recurrence(cell, {in[0], in[2]}, in[3], in[1]);
       },
       4});
  if (cell == Cell::tanh) return;  // its step does not need the state before
  all.push_back({name + "_step",
                 {{5, gates}, {5, gates}, {5, state}},
                 3,
                 [=](const Inputs& in) { return step_cells(cell, in[0], {}, in[1], in[2]); },
                 [=](const Inputs& in) { return naive_step(cell, in[0], in[1], in[2]); }});
  all.push_back({name + "_step_without_input",
                 {{5, gates}, {5, state}, {gates}},
                 2,
                 [=](const Inputs& in) { return step_cells(cell, {}, in[2], in[0], in[1]); },
                 [=](const Inputs& in) { return naive_step(cell, in[2], in[0], in[1]); }});
}

const std::vector<AttentionSpan> kAttendedSpans = {{0, 3, 2, 7}, {4, 1, 9, 1}, {5, 3, 10, 19}};

std::vector<double> naive_attend(const Inputs& in, const Tensor& vector, const ScoreShape& shape,
                                 const Tensor& predicted = {}, const KeyCoverage& coverage = {}) {
  const float* seen = coverage.seen ? coverage.seen.data() : nullptr;
  const Tensor &q = in[0], &k = in[1], &v = in[2];
  const std::int64_t d = k.columns() / shape.heads, e = v.columns() / shape.heads;
  std::vector<double> y(index(q.rows() * v.columns()), 0.0);
  for (const AttentionSpan& span : kAttendedSpans) {
    for (int h = 0; h < shape.heads; ++h) {
      for (int t = span.query_start; t < span.query_start + span.query_count; ++t) {
        std::vector<double> weights;
        double total = 0;
        for (int s = span.key_start; s < span.key_start + span.key_count; ++s) {
          double score = 0;
          if (shape.window.reach > 0) {
            const int last = span.key_count - 1;
            const double centre = predicted ? logistic(at(predicted, t, 0)) * last
                                            : std::min(shape.window.places[index(t)], last);
            const double distance = s - span.key_start - centre,
                         reach = static_cast<double>(shape.window.reach);
            if (std::abs(distance) > reach) {
              weights.push_back(0);
              continue;
            }
            if (predicted) score -= 2 * distance * distance / (reach * reach);
          }
          const double covered = seen != nullptr ? static_cast<double>(*seen++) : 0;
          for (std::int64_t c = h * d; c < (h + 1) * d; ++c) {
            double key = at(k, s, c);
            if (coverage.vector) key += covered * static_cast<double>(coverage.vector.data()[c]);
            score += vector ? static_cast<double>(vector.data()[c]) * std::tanh(at(q, t, c) + key)
                            : static_cast<double>(shape.scale) * at(q, t, c) * key;
          }
          weights.push_back(std::exp(score));
          total += weights.back();
        }
        for (int s = 0; s < span.key_count; ++s) {
          for (std::int64_t c = h * e; c < (h + 1) * e; ++c) {
            y[index(t * v.columns() + c)] += weights[index(s)] / total * at(v, span.key_start + s, c);
          }
        }
      }
    }
  }
  return y;
}

// Row 3 belongs to no sentence.
const std::vector<AttentionSpan> kSums = {{0, 3, 0, 0}, {4, 5, 0, 0}};

std::vector<double> naive_sums(const Tensor& x, const Tensor& kept) {
  std::vector<double> y(index(x.count()), 0.0);
  for (const AttentionSpan& span : kSums) {
    for (int place = 0; place < span.query_count; ++place) {
      const std::int64_t row = span.query_start + place;
      for (std::int64_t i = 0; i < x.columns(); ++i) {
        const double share = kept ? at(kept, row, i) : place / (place + 1.0);
        const double before = place == 0 ? 0.0 : y[index((row - 1) * x.columns() + i)];
        y[index(row * x.columns() + i)] = share * before + (1 - share) * at(x, row, i);
      }
    }
  }
  return y;
}

}  // namespace

std::vector<OpCase> recurrent_op_cases() {
  std::vector<OpCase> all;
  add_cell_cases("lstm", Cell::lstm, all);
  add_cell_cases("gru", Cell::gru, all);
  add_cell_cases("tanh_cell", Cell::tanh, all);
  all.push_back({"running_sums",
                 {{9, 21}, {9, 21}},
                 2,
                 [](const Inputs& in) { return running_sums(in[0], in[1], kSums); },
                 [](const Inputs& in) { return naive_sums(in[0], in[1]); }});
  all.push_back({"running_means",
                 {{9, 21}},
                 1,
                 [](const Inputs& in) { return running_sums(in[0], {}, kSums); },
                 [](const Inputs& in) { return naive_sums(in[0], {}); }});
  const ScoreShape two{2, 0.7f}, one{1, 1.0f};
  all.push_back(
      {"scores_by_products",
       {{9, 38}, {30, 38}, {30, 42}},
       3,
       [=](const Inputs& in) { return attend(in[0], in[1], in[2], {}, kAttendedSpans, two).context; },
       [=](const Inputs& in) { return naive_attend(in, {}, two); }});
  all.push_back(
      {"scores_of_keys_that_are_values",
       {{9, 21}, {30, 21}},
       2,
       [=](const Inputs& in) { return attend(in[0], in[1], in[1], {}, kAttendedSpans, one).context; },
       [=](const Inputs& in) {
         return naive_attend({in[0], in[1], in[1]}, {}, one);
       }});
  all.push_back(
      {"additive_scores",
       {{9, 38}, {30, 38}, {30, 42}, {38}},
       3,
       [=](const Inputs& in) { return attend(in[0], in[1], in[2], in[3], kAttendedSpans, two).context; },
       [=](const Inputs& in) { return naive_attend(in, in[3], two); }});
  const KeyWindow around{2, {0, 1, 2, 0, 5, 0, 9, 40, 0}, {}};
  all.push_back({"scores_in_a_window",
                 {{9, 38}, {30, 38}, {30, 42}},
                 3,
                 [=](const Inputs& in) {
                   return attend(in[0], in[1], in[2], {}, kAttendedSpans, {2, 0.7f, around}).context;
                 },
                 [=](const Inputs& in) {
                   return naive_attend(in, {}, {2, 0.7f, around});
                 }});
  all.push_back(
      {"scores_in_a_predicted_window",
       {{9, 38}, {30, 38}, {30, 42}, {9, 1}, {38}},
       4,
       [=](const Inputs& in) {
         return attend(in[0], in[1], in[2], in[4], kAttendedSpans, {2, 1.0f, {4, {}, in[3]}}).context;
       },
       [=](const Inputs& in) {
         return naive_attend(in, in[4], {2, 1.0f, {4, {}, {}}}, in[3]);
       }});
  // 79 pairs of a query and a key, for two heads, and padding.
  all.push_back(
      {"scores_with_coverage",
       {{9, 38}, {30, 38}, {30, 42}, {160}, {38}},
       3,
       [=](const Inputs& in) {
         return attend(in[0], in[1], in[2], {}, kAttendedSpans, {2, 0.7f, {}, {in[3], in[4]}}).context;
       },
       [=](const Inputs& in) {
         return naive_attend(in, {}, two, {}, {in[3], in[4]});
       }});
  all.push_back(
      {"additive_scores_with_coverage",
       {{9, 38}, {30, 38}, {30, 42}, {160}, {38}, {38}},
       3,
       [=](const Inputs& in) {
         return attend(in[0], in[1], in[2], in[5], kAttendedSpans, {2, 1.0f, {}, {in[3], in[4]}}).context;
       },
       [=](const Inputs& in) {
         return naive_attend(in, in[5], two, {}, {in[3], in[4]});
       }});
  all.push_back({"coverage_by_a_step_before",
                 {{9, 38}, {30, 38}, {30, 42}, {160}, {38}},
                 3,
                 [=](const Inputs& in) {
                   const Tensor weights = attend(in[0], in[1], in[2], {}, kAttendedSpans, two).weights;
                   return attend(in[0], in[1], in[2], {}, kAttendedSpans,
                                 {2, 0.7f, {}, {add_prefix(in[3], weights), in[4]}})
                       .context;
                 },
                 nullptr,
                 2});
  all.push_back({"tanh",
                 {{5, 37}},
                 1,
                 [](const Inputs& in) { return tanh(in[0]); },
                 [](const Inputs& in) {
                   std::vector<double> y;
                   for (const float v : in[0].values()) y.push_back(std::tanh(static_cast<double>(v)));
                   return y;
                 }});
  all.push_back({"dropout_of_rows",
                 {{4, 37}},
                 1,
                 [](const Inputs& in) {
                   return dropout(in[0], kDrop, {0, 1, 0, 7});
                 },
                 nullptr});
  all.push_back({"take_rows",
                 {{4, 13}},
                 1,
                 [](const Inputs& in) {
                   return take_rows(in[0], {3, -1, 0, 3, 2, 1});
                 },
                 [](const Inputs& in) {
                   std::vector<double> y;
                   for (const int row : {3, -1, 0, 3, 2, 1}) {
                     for (int c = 0; c < 13; ++c) y.push_back(row < 0 ? 0 : at(in[0], row, c));
                   }
                   return y;
                 }});
  all.push_back({"put_rows",
                 {{4, 13}, {2, 13}},
                 2,
                 [](const Inputs& in) {
                   return put_rows(in, {{6, -1, 0, 2}, {4, 3}}, 8);
                 },
                 [](const Inputs& in) {
                   std::vector<double> y(8 * 13, 0.0);
                   const auto put = [&](const Tensor& x, int from, int to) {
                     for (int c = 0; c < 13; ++c) y[index(to * 13 + c)] = at(x, from, c);
                   };
                   put(in[0], 0, 6);
                   put(in[0], 2, 0);
                   put(in[0], 3, 2);
                   put(in[1], 0, 4);
                   put(in[1], 1, 3);
                   return y;
                 }});
  all.push_back({"columns_side_by_side",
                 {{4, 13}, {4, 22}},
                 2,
                 [](const Inputs& in) {
                   const Tensor parts[] = {take_columns(in[1], 3, 17), in[0]};
                   return join_columns(parts);
                 },
                 [](const Inputs& in) {
                   std::vector<double> y;
                   for (int r = 0; r < 4; ++r) {
                     for (int c = 3; c < 20; ++c) y.push_back(at(in[1], r, c));
                     for (int c = 0; c < 13; ++c) y.push_back(at(in[0], r, c));
                   }
                   return y;
                 }});
  return all;
}

}  // namespace gloss
