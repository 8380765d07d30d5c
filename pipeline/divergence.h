#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/fields.h"

namespace gloss {

/// What becomes of a step that would do harm: it is left out, or the training ends.
enum class OnDivergence { skip, stop };

/// Which steps would do harm. A gradient or loss that is no finite number always does. Besides, loss and
/// gradient norm are compared with what they were of late.
struct DivergenceSettings {
  OnDivergence on_divergence = OnDivergence::skip;
  double spike_deviations = 10;
  int spike_horizon = 100;
};
Fields fields_of(DivergenceSettings&);

/// What is known of an update before its step.
struct UpdateFigures {
  double loss = 0;           ///< mean over the target tokens
  double gradient_norm = 0;  ///< of the mean gradient, before clipping
};

/// Exponentially weighted mean and variance of a positive quantity's logarithm.
struct RecentLogarithms {
  double mean = 0, variance = 0;
  /// `share` is the new value's weight; with 1/n for the n-th value, mean and variance are the plain ones.
  void add(double value, double share);
};

/// The running statistics of the steps taken: part of a training's state.
struct DivergenceState {
  std::int64_t steps = 0;
  RecentLogarithms loss, gradient_norm;
  void add(const DivergenceSettings&, const UpdateFigures&);
};
/// Prefixed with "recent_".
Fields fields_of(DivergenceState&);

/// Says why an update's step would do harm, as in "its loss is not a finite number"; nothing if it would not.
/// A spike is a gradient norm or loss whose logarithm lies `spike_deviations` standard deviations above the
/// recent mean, the norm besides at least 5 and the loss at least 1.5 times it; none is found in the first
/// `spike_horizon` steps.
std::optional<std::string> divergence(const DivergenceSettings&, const DivergenceState&,
                                      const UpdateFigures&);

}  // namespace gloss
