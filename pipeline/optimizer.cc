#include "pipeline/optimizer.h"

#include <cmath>

#include "base/error.h"
#include "pipeline/flat_arrays.h"

namespace gloss {

Fields fields_of(OptimizerSettings& settings) {
  constexpr double kBelowOne = 0.9999999;
  return {{"beta1", &settings.beta1, "Adam: share of the past in the mean of gradients", {0, kBelowOne}},
          {"beta2", &settings.beta2, "Adam: share of the past in the mean of their squares", {0, kBelowOne}},
          {"epsilon", &settings.epsilon, "Adam: added to the root of that mean", {1e-30, 1}},
          {"weight_decay",
           &settings.weight_decay,
           "share of every weight taken off per unit of learning rate (AdamW)",
           {0, 1e6}},
          {"clip_norm",
           &settings.clip_norm,
           "gradients with a larger norm are scaled down to it; 0: never",
           {0, 1e9}}};
}

Optimizer::Optimizer(const OptimizerSettings& settings, std::size_t size)
    : settings_(settings), first_moments_(size), second_moments_(size) {}

StepFigures Optimizer::step(std::span<float> values, std::span<const float> gradients, double scale,
                            double learning_rate, WorkerThreads& workers) {
  expects(values.size() == first_moments_.size() && gradients.size() == values.size(),
          "the optimizer was made for ", first_moments_.size(), " weights, found ", values.size(), " and ",
          gradients.size(), " gradients");
  StepFigures figures;
  figures.gradient_norm = std::sqrt(sum_of_squares(gradients, workers)) * scale;
  if (!std::isfinite(figures.gradient_norm)) {
    figures.skipped = true;
    return figures;
  }
  if (settings_.clip_norm > 0 && figures.gradient_norm > settings_.clip_norm) {
    scale *= settings_.clip_norm / figures.gradient_norm;
  }
  ++steps_;
  const auto t = static_cast<double>(steps_);
  const double first_correction = 1 - std::pow(settings_.beta1, t);
  const double second_correction = 1 - std::pow(settings_.beta2, t);
  adam_update(values, gradients, first_moments_, second_moments_,
              {.gradient_scale = static_cast<float>(scale),
               .beta1 = static_cast<float>(settings_.beta1),
               .beta2 = static_cast<float>(settings_.beta2),
               .rate = static_cast<float>(learning_rate / first_correction),
               .second_correction = static_cast<float>(1 / second_correction),
               .epsilon = static_cast<float>(settings_.epsilon),
               .decay = static_cast<float>(learning_rate * settings_.weight_decay)},
              workers);
  return figures;
}

}  // namespace gloss
