#include "pipeline/divergence.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"

namespace gloss {
namespace {

// The logarithm makes of a factor a distance, since norms and losses vary by factors; its mean and deviation
// are moved little by a single large value.
double logarithm(double value) { return std::log(std::max(value, 1e-30)); }

// A training that hardly varies - large batches, few sentences - has small deviations; what is not at least
// this many times the mean is no spike there.
constexpr double kLeastNormFactor = 5;
constexpr double kLeastLossFactor = 1.5;

std::optional<std::string> spike(const std::string& name, double value, const RecentLogarithms& recent,
                                 double deviations, double least_factor) {
  const double above = logarithm(value) - recent.mean;
  const double deviation = std::sqrt(recent.variance);
  if (above < std::max(deviations * deviation, std::log(least_factor))) return std::nullopt;
  return concat("its ", name, " of ", fixed_text(value, 4), " is ", fixed_text(std::exp(above), 1),
                " times what it was of late");
}

}  // namespace

Fields fields_of(DivergenceSettings& settings) {
  return {
      {"on_divergence", choice(settings.on_divergence, {"skip", "stop"}),
       "a step whose gradient or loss is not finite, or spikes: leaves it out, or ends the training"},
      {"spike_deviations",
       &settings.spike_deviations,
       "a spike is a gradient norm or loss so many standard deviations above what it was of late; 0: none "
       "is",
       {0, 1e6}},
      {"spike_horizon",
       &settings.spike_horizon,
       "'of late' is about so many updates; in the first of them no spike is found",
       {2, 1e9}}};
}

void RecentLogarithms::add(double value, double share) {
  const double off = logarithm(value) - mean;
  mean += share * off;
  variance = (1 - share) * (variance + share * off * off);
}

void DivergenceState::add(const DivergenceSettings& settings, const UpdateFigures& figures) {
  ++steps;
  const double share = 1 / static_cast<double>(std::min<std::int64_t>(steps, settings.spike_horizon));
  loss.add(figures.loss, share);
  gradient_norm.add(figures.gradient_norm, share);
}

Fields fields_of(DivergenceState& state) {
  constexpr Range kVariance{0, 1e6};
  return {
      {"recent_steps", &state.steps, "steps that the following were made from", {0, 9e15}},
      {"recent_loss_mean", &state.loss.mean, "of the loss's logarithm", {-1e3, 1e3}},
      {"recent_loss_variance", &state.loss.variance, "of the loss's logarithm", kVariance},
      {"recent_norm_mean", &state.gradient_norm.mean, "of the gradient norm's logarithm", {-1e3, 1e3}},
      {"recent_norm_variance", &state.gradient_norm.variance, "of the gradient norm's logarithm", kVariance}};
}

std::optional<std::string> divergence(const DivergenceSettings& settings, const DivergenceState& state,
                                      const UpdateFigures& figures) {
  if (!std::isfinite(figures.loss)) return "its loss is not a finite number";
  if (!std::isfinite(figures.gradient_norm)) return "its gradient is not a finite number";
  const double deviations = settings.spike_deviations;
  if (deviations == 0 || state.steps < settings.spike_horizon) return std::nullopt;
  if (auto found =
          spike("gradient norm", figures.gradient_norm, state.gradient_norm, deviations, kLeastNormFactor)) {
    return found;
  }
  return spike("loss", figures.loss, state.loss, deviations, kLeastLossFactor);
}

}  // namespace gloss
