#include "model/layers/recurrent.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace gloss {
namespace {

/// Zeros, but ones for the LSTM's forget gate, so that it remembers at first (Jozefowicz et al. 2015).
Initialiser input_bias(Cell cell, std::int64_t width) {
  if (cell != Cell::lstm) return constant_values(0);
  return [width](std::span<float> values, Random&) {
    std::fill(values.begin(), values.end(), 0.0f);
    std::fill_n(values.begin() + width, width, 1.0f);
  };
}

}  // namespace

SequenceOrder::SequenceOrder(std::vector<int> starts) : starts_(std::move(starts)) {
  sequences_.resize(starts_.size() - 1);
  std::iota(sequences_.begin(), sequences_.end(), 0);
  const auto length = [&](int sequence) {
    return starts_[static_cast<std::size_t>(sequence) + 1] - starts_[static_cast<std::size_t>(sequence)];
  };
  std::ranges::stable_sort(sequences_, std::greater<>(), length);
}

std::shared_ptr<const RecurrentSteps> SequenceOrder::steps(bool backwards) const {
  auto made = std::make_shared<RecurrentSteps>();
  for (int step = 0;; ++step) {
    int count = 0;
    for (const int sequence : sequences_) {
      const int start = starts_[static_cast<std::size_t>(sequence)],
                end = starts_[static_cast<std::size_t>(sequence) + 1];
      if (end - start <= step) break;
      made->rows.push_back(backwards ? end - 1 - step : start + step);
      ++count;
    }
    if (count == 0) return made;
    made->counts.push_back(count);
  }
}

RecurrentLayer::RecurrentLayer(Parameters& parameters, const std::string& name, Cell cell, std::int64_t in,
                               std::int64_t width)
    : cell_(cell) {
  const std::int64_t gates = gates_of(cell) * width;
  // Each gate's part starts as a matrix of its own would.
  input_weight_ =
      parameters.declare(name + ".input.weight", {gates, in}, xavier_uniform(in, width), Role::matrix);
  input_bias_ = parameters.declare(name + ".input.bias", {gates}, input_bias(cell, width));
  recurrent_weight_ = parameters.declare(name + ".recurrent.weight", {gates, width},
                                         orthogonal_matrices(width), Role::matrix);
  if (cell == Cell::gru) {
    recurrent_bias_ = parameters.declare(name + ".recurrent.bias", {gates}, constant_values(0));
  }
}

}  // namespace gloss
