// SPDX-License-Identifier: Apache-2.0

#include "pipeline/training/divergence.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"

namespace gloss {
namespace {

// A training that hardly varies (large batches, few sentences) has small deviations; there, a spike must also
// be at least this many times the mean.
constexpr double kLeastNormFactor = 5;
constexpr double kLeastLossFactor = 1.5;
// In the first steps there is no recent mean yet, and losses fall quickly. A loss that is worse than that of
// uniform probabilities over any vocabulary, and far above all before, has diverged nevertheless.
constexpr double kFirstLossFactor = 10;
constexpr double kFirstLeastLoss = 30;

std::optional<std::string> spike(const std::string& name, double value, const RecentLogarithms& recent,
                                 double deviations, double least_factor) {
  const double above = floored_logarithm(value) - recent.mean;
  const double deviation = std::sqrt(recent.variance);
  if (above < std::max(deviations * deviation, std::log(least_factor))) return std::nullopt;
  return concat("its ", name, " of ", fixed_text(value, 4), " is ", fixed_text(std::exp(above), 1),
                " times its recent mean");
}

}  // namespace

Fields fields_of(DivergenceSettings& settings) {
  Fields fields{
      {"on_divergence", choice(settings.on_divergence, {"skip", "stop"}),
       "action if the loss or gradient of an update is not finite or spikes; skip the update, or stop the "
       "training"},
      {"spike_deviations",
       &settings.spike_deviations,
       "spike threshold for loss and gradient norm, in standard deviations above the recent mean; 0: spikes "
       "are ignored",
       {0, 1e6}},
      {"spike_horizon",
       &settings.spike_horizon,
       "number of updates in the recent mean for --spike-deviations; of the first N updates, only those with "
       "a "
       "loss above 30 and 10 times the mean are spikes",
       {2, 1e9}}};
  add_traits(fields, kFreeOnResume, settings.on_divergence, settings.spike_deviations,
             settings.spike_horizon);
  return fields;
}

void add_step(DivergenceState& state, const DivergenceSettings& settings, const UpdateFigures& figures) {
  ++state.steps;
  const double share = 1 / static_cast<double>(std::min<std::int64_t>(state.steps, settings.spike_horizon));
  state.loss.add(figures.loss, share);
  state.gradient_norm.add(figures.gradient_norm, share);
}

std::optional<std::string> divergence(const DivergenceSettings& settings, const DivergenceState& state,
                                      const UpdateFigures& figures) {
  if (!std::isfinite(figures.loss)) return "its loss is not a finite number";
  if (!std::isfinite(figures.gradient_norm)) return "its gradient is not a finite number";
  const double deviations = settings.spike_deviations;
  if (deviations == 0) return std::nullopt;
  if (state.steps < settings.spike_horizon) {
    if (state.steps == 0 || figures.loss < kFirstLeastLoss) return std::nullopt;
    return spike("loss", figures.loss, state.loss, 0, kFirstLossFactor);
  }
  if (auto found =
          spike("gradient norm", figures.gradient_norm, state.gradient_norm, deviations, kLeastNormFactor)) {
    return found;
  }
  return spike("loss", figures.loss, state.loss, deviations, kLeastLossFactor);
}

std::string divergence_advice(const DivergenceSettings& settings) {
  const std::string renewed =
      "to make divergence less likely, start over (--fresh) with a lower --learning-rate, more "
      "--warmup-updates or a smaller --clip-norm";
  if (settings.spike_deviations == 0) return renewed;
  return concat("if these are only spikes, continue from the last checkpoint with --spike-deviations above ",
                settings.spike_deviations, " (0: spikes are ignored); ", renewed);
}

}  // namespace gloss
