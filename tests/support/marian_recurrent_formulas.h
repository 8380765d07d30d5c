// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tests/support/marian_recurrent.h"

namespace gloss {

/// What Marian computes with a recurrent network, written out.
class MarianRecurrentFormulas {
 public:
  explicit MarianRecurrentFormulas(const MarianRecurrent& network)
      : network_(network), kind_(network.kind()) {}
  /// The natural logarithm of the probability of a target; both end with the end token, 0.
  double log_probability(const std::vector<int>& source, const std::vector<int>& target) const;

 private:
  static constexpr int kEmbedding = MarianRecurrent::kEmbedding, kWidth = MarianRecurrent::kWidth;
  using Row = std::vector<double>;
  using Rows = std::vector<Row>;
  struct State {
    Row hidden, cell;
  };

  Row vector(const std::string& name) const {
    const std::vector<float>& values = network_.array(name).values;
    return {values.begin(), values.end()};
  }
  static Row plus(Row a, const Row& b) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
    return a;
  }
  Row times(const Row& x, const std::string& name) const {
    const MarianModel::Array& matrix = network_.array(name);
    const std::size_t out = index(matrix.shape[1]);
    Row y(out, 0.0);
    for (std::size_t i = 0; i < x.size(); ++i) {
      for (std::size_t o = 0; o < out; ++o) y[o] += x[i] * static_cast<double>(matrix.values[i * out + o]);
    }
    return y;
  }
  static Row joined(Row a, const Row& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
  }
  static Row normalised(Row x, const Row& gain, const Row& offset, double epsilon) {
    double mean = 0, variance = 0;
    for (const double value : x) mean += value / static_cast<double>(x.size());
    for (const double value : x) variance += (value - mean) * (value - mean) / static_cast<double>(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] = (x[i] - mean) / std::sqrt(variance + epsilon) * gain[i] + (offset.empty() ? 0 : offset[i]);
    }
    return x;
  }
  static double logistic(double x) { return 1 / (1 + std::exp(-x)); }

  /// A GRU's product for gates and candidate: of the input (W) or the state (U).
  Row gru_product(const std::string& name, const std::string& part, const Row& x, bool has_bias) const {
    if (kind_.norm && network_.nematus()) {
      Row all;
      for (const std::string end : {"", "x"}) {
        const std::string block = concat(name, "_", part, end);
        Row y = times(x, block);
        if (has_bias) y = plus(y, vector(name + "_b" + end));
        all = joined(all, normalised(y, vector(block + "_lns"), vector(block + "_lnb"), 1e-5));
      }
      return all;
    }
    const Row y = joined(times(x, concat(name, "_", part)), times(x, concat(name, "_", part, "x")));
    return kind_.norm ? normalised(y, vector(name + (part == "W" ? "_gamma1" : "_gamma2")), {}, 1e-9) : y;
  }
  State gru(const std::string& name, const Row& x, const State& before, bool final) const {
    const bool bias_in_norm = kind_.norm && network_.nematus(), bias_of_state = final || x.empty();
    Row in(3 * kWidth, 0.0), bias = joined(vector(name + "_b"), vector(name + "_bx"));
    if (!x.empty()) in = gru_product(name, "W", x, bias_in_norm && !bias_of_state);
    const Row state = gru_product(name, "U", before.hidden, bias_in_norm && bias_of_state);
    if (bias_in_norm) std::ranges::fill(bias, 0.0);
    State after{Row(kWidth), {}};
    for (std::size_t i = 0; i < kWidth; ++i) {
      const std::size_t z = kWidth + i, c = 2 * kWidth + i;
      const double reset = logistic(in[i] + state[i] + bias[i]),
                   update = logistic(in[z] + state[z] + bias[z]);
      const double candidate = final ? std::tanh(in[c] + reset * (state[c] + bias[c]))
                                     : std::tanh(in[c] + reset * state[c] + bias[c]);
      after.hidden[i] = (1 - update) * candidate + update * before.hidden[i];
    }
    return after;
  }
  /// Blocks: forget, input, candidate, output.
  State lstm(const std::string& name, const Row& x, const State& before) const {
    Row sum = times(before.hidden, name + "_U");
    if (kind_.norm) sum = normalised(sum, vector(name + "_gamma2"), {}, 1e-9);
    if (!x.empty()) {
      const Row in = times(x, name + "_W");
      sum = plus(sum, kind_.norm ? normalised(in, vector(name + "_gamma1"), {}, 1e-9) : in);
    }
    sum = plus(sum, vector(name + "_b"));
    State after{Row(kWidth), Row(kWidth)};
    for (std::size_t i = 0; i < kWidth; ++i) {
      after.cell[i] =
          logistic(sum[i]) * before.cell[i] + logistic(sum[kWidth + i]) * std::tanh(sum[2 * kWidth + i]);
      after.hidden[i] = logistic(sum[3 * kWidth + i]) * std::tanh(after.cell[i]);
    }
    return after;
  }
  State step(const std::string& name, const Row& x, const State& before, bool final) const {
    return network_.lstm() ? lstm(name, x, before) : gru(name, x, before, final);
  }

  /// One layer of the encoder in one direction.
  Rows encode_layer(const Rows& x, int layer, bool backwards, bool from_the_end) const {
    Rows y(x.size());
    State state{Row(kWidth, 0.0), Row(kWidth, 0.0)};
    for (std::size_t i = 0; i < x.size(); ++i) {
      const std::size_t place = from_the_end ? x.size() - 1 - i : i;
      for (int cell = 0; cell < kind_.encoder_cells; ++cell) {
        state =
            step(network_.encoder_cell(layer, backwards, cell), cell == 0 ? x[place] : Row(), state, false);
      }
      y[place] = state.hidden;
    }
    return y;
  }
  Rows encode_stack(const Rows& embedded, bool backwards, int first, int last) const {
    Rows x = embedded;
    for (int layer = first; layer < last; ++layer) {
      const bool turned = kind_.encoder == "alternating" && layer % 2 == 1;
      Rows y = encode_layer(x, layer, backwards, backwards != turned);
      for (std::size_t i = 0; kind_.skip && layer > first && i < x.size(); ++i) y[i] = plus(y[i], x[i]);
      x = y;
    }
    return x;
  }
  Rows encode(const std::vector<int>& source) const {
    Rows embedded;
    for (const int token : source) embedded.push_back(row("encoder_Wemb", token));
    const int both = network_.split() ? kind_.encoder_depth : 1;
    Rows x = encode_stack(embedded, false, 0, both);
    const Rows y = encode_stack(embedded, true, 0, both);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = joined(x[i], y[i]);
    return encode_stack(x, false, both, kind_.encoder_depth);
  }
  Row row(const std::string& table, int number) const {
    const auto from = network_.array(table).values.begin() + static_cast<std::ptrdiff_t>(number * kEmbedding);
    return {from, from + kEmbedding};
  }
  Row dense(const Row& x, const std::string& name, const std::string& end) const {
    const Row y = times(x, concat(name, "_W", end)), bias = vector(concat(name, "_b", end));
    if (!kind_.norm) return plus(y, bias);
    if (!network_.nematus()) return normalised(y, vector(concat(name, "_gamma", end)), bias, 1e-9);
    return normalised(plus(y, bias), vector(concat(name, "_ln_s", end)), vector(concat(name, "_ln_b", end)),
                      1e-5);
  }
  static Row tanh_of(Row x) {
    for (double& value : x) value = std::tanh(value);
    return x;
  }
  Rows keys(const Rows& contexts) const {
    Rows all;
    for (const Row& context : contexts) {
      const Row y = times(context, "decoder_Wc_att"), bias = vector("decoder_b_att");
      if (!kind_.norm) {
        all.push_back(plus(y, bias));
      } else if (network_.nematus()) {
        all.push_back(
            normalised(plus(y, bias), vector("decoder_Wc_att_lns"), vector("decoder_Wc_att_lnb"), 1e-5));
      } else {
        all.push_back(normalised(y, vector("decoder_att_gamma1"), bias, 1e-9));
      }
    }
    return all;
  }
  Row attend(const Row& state, const Rows& keys, const Rows& contexts) const {
    Row query = times(state, "decoder_W_comb_att");
    if (kind_.norm) {
      query = network_.nematus() ? normalised(query, vector("decoder_W_comb_att_lns"),
                                              vector("decoder_W_comb_att_lnb"), 1e-5)
                                 : normalised(query, vector("decoder_att_gamma2"), {}, 1e-9);
    }
    Row mean(contexts.front().size(), 0.0);
    double total = 0;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const double weight = std::exp(times(tanh_of(plus(keys[i], query)), "decoder_U_att").front());
      total += weight;
      for (std::size_t c = 0; c < mean.size(); ++c) mean[c] += weight * contexts[i][c];
    }
    for (double& value : mean) value /= total;
    return mean;
  }

  const MarianRecurrent& network_;
  const MarianRecurrent::Kind& kind_;
};

inline double MarianRecurrentFormulas::log_probability(const std::vector<int>& source,
                                                       const std::vector<int>& target) const {
  const Rows contexts = encode(source), keys_of_contexts = keys(contexts);
  Row mean(contexts.front().size(), 0.0);
  for (const Row& context : contexts) {
    for (std::size_t c = 0; c < mean.size(); ++c)
      mean[c] += context[c] / static_cast<double>(contexts.size());
  }
  const Row first = tanh_of(dense(mean, "decoder_ff_state", ""));
  std::vector<State> states(index(kind_.decoder_depth), State{first, first});
  Row embedded(kEmbedding, 0.0);
  double sum = 0;
  for (const int token : target) {
    State& base = states.front();
    base = step(network_.decoder_cell(0, 0), embedded, base, false);
    const Row context = attend(base.hidden, keys_of_contexts, contexts);
    for (int cell = 1; cell < kind_.base_cells; ++cell) {
      base = step(network_.decoder_cell(0, cell), cell == 1 ? context : Row(), base, true);
    }
    Row top = base.hidden;
    for (int layer = 1; layer < kind_.decoder_depth; ++layer) {
      State& state = states[index(layer)];
      for (int cell = 0; cell < kind_.high_cells; ++cell) {
        state = step(network_.decoder_cell(layer, cell), cell == 0 ? top : Row(), state, false);
      }
      top = kind_.skip ? plus(state.hidden, top) : state.hidden;
    }
    const std::string dense_name = "decoder_ff_logit_l1";
    const Row hidden = tanh_of(plus(plus(dense(embedded, dense_name, "0"), dense(top, dense_name, "1")),
                                    dense(context, dense_name, "2")));
    double total = 0, score = 0;
    for (int word = 0; word < 8; ++word) {
      double logit = vector("decoder_ff_logit_l2_b")[index(word)];
      const Row weights = row("decoder_Wemb", word);
      for (std::size_t i = 0; i < kEmbedding; ++i) logit += hidden[i] * weights[i];
      total += std::exp(logit);
      if (word == token) score = logit;
    }
    sum += score - std::log(total);
    embedded = row("decoder_Wemb", token);
  }
  return sum;
}

}  // namespace gloss
