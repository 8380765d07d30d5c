// SPDX-License-Identifier: Apache-2.0

#include "model/layers/recurrent_layer.h"

#include <numeric>

#include "base/index.h"
#include "base/rounding.h"
#include "base/text.h"

namespace gloss {
namespace {

constexpr std::size_t kStepRows = 8;  // as in `recurrence`: a step's rows are rounded up with padding

/// True if the only step has the rows 0, 1, ...
bool is_plain_step(const RecurrentSteps& steps) {
  for (std::size_t i = 0; i < steps.rows.size(); ++i) {
    if (steps.rows[i] != static_cast<int>(i)) return false;
  }
  return steps.counts.size() == 1;
}

}  // namespace

RecurrentLayer::RecurrentLayer(Parameters& parameters, const std::string& name, const CellKind& kind,
                               std::int64_t in, std::int64_t width)
    : at_once_(kind.norm == ProductNorm::none && kind.transitions == 0),
      cell_(parameters, name, kind, in, width) {
  for (int i = 0; i < kind.transitions; ++i) {
    transitions_.emplace_back(parameters, concat(name, ".transition.", i), kind, 0, width);
  }
}

Tensor RecurrentLayer::step(const Tensor& projected, Tensor state) const {
  state = cell_.step(projected, state);
  for (const RecurrentCell& transition : transitions_) state = transition.step({}, state);
  return state;
}

Tensor RecurrentLayer::run(const Tensor& projected, const Tensor& initial,
                           std::shared_ptr<const RecurrentSteps> steps) const {
  if (at_once_) return cell_.run(projected, initial, std::move(steps));
  Tensor state = initial;
  if (!state) {
    const auto first = static_cast<std::int64_t>(round_up(index(steps->counts.front()), kStepRows));
    state = Tensor::zeros({first, cell_.state_width()}, projected.dtype());
  }
  if (is_plain_step(*steps) && state.rows() == projected.rows()) return step(projected, state);
  std::vector<Tensor> states;
  std::vector<std::vector<int>> places;
  auto place = steps->rows.begin();
  for (const int count : steps->counts) {
    places.emplace_back(place, place + count);
    place += count;
    std::vector<int> at = places.back();
    at.resize(round_up(at.size(), kStepRows), -1);
    if (static_cast<std::int64_t>(at.size()) != state.rows()) {
      std::vector<int> kept(at.size(), -1);
      std::iota(kept.begin(), kept.begin() + count, 0);
      state = take_rows(state, kept);
    }
    state = step(take_rows(projected, at), state);
    states.push_back(state);
  }
  return put_rows(states, std::move(places), projected.rows());
}

}  // namespace gloss
