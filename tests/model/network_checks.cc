// SPDX-License-Identifier: Apache-2.0

#include "network_checks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/index.h"

namespace gloss {

namespace {

std::vector<TokenId> random_row(int length, int vocabulary, TokenId end, Random& random) {
  std::vector<TokenId> row;
  for (int i = 1; i < length; ++i)
    row.push_back(static_cast<TokenId>(3 + random.below(static_cast<std::uint64_t>(vocabulary - 3))));
  row.push_back(end);
  return row;
}

}  // namespace

Batch random_batch(const NetworkSettings& s, std::span<const int> lengths, std::uint64_t seed) {
  Random random(seed);
  Batch batch;
  for (const int length : lengths) {
    if (s.source.is_text()) {
      batch.source.add(random_row(length, s.source_vocabulary, s.end_token, random));
    } else {
      add_random_item(s, length, random, batch.source);
    }
    batch.target.add(random_row(length % 7 + 2, s.target_vocabulary, s.end_token, random));
  }
  return batch;
}

void add_random_item(const NetworkSettings& s, int length, Random& random, TokenRows& to) {
  const bool image = s.source.type == SourceType::image;
  std::vector<TokenId> row(index(image ? row_length(s) : length));
  std::iota(row.begin(), row.end(), 0);
  std::vector<float> numbers(
      index(image ? item_bytes(s.source)
                  : std::int64_t{length} * windows_of_vector(s.source) * numbers_of_window(s.source)));
  for (float& number : numbers)
    number = image ? static_cast<float>(random.below(256)) : static_cast<float>(random.normal());
  to.add_item(row, numbers);
}

Fresh::Fresh(const NetworkSettings& settings, std::uint64_t seed)
    : network(make_network(settings, parameters)) {
  Random random(seed);
  parameters.initialise(random);
  // Biases start as zeros and gains as ones; with other values a test sees whether they are used.
  for (const Parameters::Entry& entry : parameters.entries()) {
    if (entry.tensor.shape().rank() > 1) continue;
    for (float& value : entry.tensor.values()) value += static_cast<float>(0.1 * random.normal());
  }
}

namespace {

/// log p of `token` under a row of scores.
double log_probability(const Tensor& scores, int row, TokenId token) {
  const float* s = scores.data() + row * scores.columns();
  double total = 0;
  for (std::int64_t v = 0; v < scores.columns(); ++v) total += std::exp(static_cast<double>(s[v]));
  return s[token] - std::log(total);
}

}  // namespace

void expect_gradients_of_differences(Fresh& fresh, const Batch& batch, float step,
                                     const std::function<bool(const std::string& parameter)>& tested,
                                     const LossTerms* terms) {
  fresh.parameters.keep_gradients();
  const auto loss = [&] {
    Random unused(1);
    const Regularization regularization{unused, terms != nullptr ? *terms : LossTerms()};
    return fresh.network->loss(batch, terms != nullptr ? &regularization : nullptr);
  };
  backward(loss().sum);
  Random random(4);
  for (const Parameters::Entry& entry : fresh.parameters.entries()) {
    if (!tested(entry.name)) continue;
    const std::span<float> values = entry.tensor.values();
    const std::span<const float> gradient = fresh.parameters.gradient_part(entry.tensor);
    double squares = 0;
    for (const float g : gradient) squares += static_cast<double>(g) * static_cast<double>(g);
    const double typical = std::sqrt(squares / static_cast<double>(gradient.size()));
    for (int sample = 0; sample < 4; ++sample) {
      const auto i = index(random.below(values.size()));
      const float before = values[i];
      const auto loss_at = [&](float value) {
        values[i] = value;
        const Loss found = loss();
        return terms != nullptr ? static_cast<double>(found.sum.data()[0]) : found.cross_entropy;
      };
      const double slope =
          (loss_at(before + step) - loss_at(before - step)) / (2 * static_cast<double>(step));
      values[i] = before;
      EXPECT_NEAR(static_cast<double>(gradient[i]), slope, 0.05 * std::max(typical, std::abs(slope)) + 5e-3)
          << entry.name << " number " << i;
    }
  }
}

std::vector<std::vector<double>> step_by_step(const Network& network, const Batch& batch, bool shuffles) {
  std::unique_ptr<DecoderState> state = network.start(batch.source);
  std::vector<int> rows(index(batch.target.rows()));
  std::iota(rows.begin(), rows.end(), 0);
  std::vector<std::vector<double>> all(rows.size());
  Random random(3);
  for (int step = 0; !rows.empty(); ++step) {
    std::vector<TokenId> latest;
    for (const int row : rows) {
      latest.push_back(step == 0 ? network.begin() : batch.target.row(row)[index(step) - 1]);
    }
    const Tensor scores = network.step(latest, *state);
    std::vector<int> kept;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto target = batch.target.row(rows[i]);
      all[index(rows[i])].push_back(log_probability(scores, static_cast<int>(i), target[index(step)]));
      if (step + 1 < static_cast<int>(target.size())) kept.push_back(static_cast<int>(i));
    }
    if (shuffles) random.shuffle(kept);
    std::vector<int> next;
    for (const int i : kept) next.push_back(rows[index(i)]);
    state->select(kept);
    rows = next;
  }
  return all;
}

}  // namespace gloss
