// SPDX-License-Identifier: Apache-2.0

#include "pipeline/training/optimizer.h"

#include <cmath>

#include "base/error.h"
#include "base/index.h"
#include "pipeline/training/flat_arrays.h"

namespace gloss {

Fields fields_of(OptimizerSettings& settings) {
  constexpr double kBelowOne = 0.9999999;
  return {
      {"beta1", &settings.beta1, "Adam beta1: decay of the mean of the gradients", {0, kBelowOne}},
      {"beta2", &settings.beta2, "Adam beta2: decay of the mean of the squared gradients", {0, kBelowOne}},
      {"epsilon",
       &settings.epsilon,
       "Adam epsilon: added to the root of the mean of the squares",
       {1e-30, 1}},
      {"weight_decay",
       &settings.weight_decay,
       "AdamW weight decay: share of each weight subtracted per unit of learning rate",
       {0, 1e6}},
      {"clip_norm",
       &settings.clip_norm,
       "largest gradient norm; larger gradients are scaled down to it; 0: no clipping",
       {0, 1e9}},
      {"freeze",
       &settings.freeze,
       "parameters not to update; names in model.safetensors or their first parts, such as encoder or "
       "decoder.0",
       {},
       0,
       "NAME"},
      {"learning_rates",
       &settings.learning_rates,
       "factors on the learning rate of single parts, such as encoder=0.1 embedding=0.5; names as for "
       "--freeze",
       {},
       0,
       "NAME=X"}};
}

Optimizer::Optimizer(const OptimizerSettings& settings, std::vector<WeightRange> learned)
    : settings_(settings), learned_(std::move(learned)) {
  const std::vector<double> rates = learning_rate_factors(learned_, settings.learning_rates);
  std::size_t count = 0;
  for (std::size_t i = 0; i < learned_.size(); ++i) {
    const WeightRange& range = learned_[i];
    if (segments_.empty() || segments_.back().end != range.begin || segments_.back().rate != rates[i]) {
      segments_.push_back({range.begin, range.begin, count, rates[i]});
    }
    segments_.back().end = range.end;
    count += range.end - range.begin;
  }
  first_moments_.resize(count);
  second_moments_.resize(count);
}

double Optimizer::gradient_norm(std::span<const float> gradients, double scale,
                                WorkerThreads& workers) const {
  double squares = 0;
  for (const Segment& segment : segments_) {
    squares += sum_of_squares(gradients.subspan(segment.begin, segment.end - segment.begin), workers);
  }
  return std::sqrt(squares) * scale;
}

void Optimizer::step(std::span<float> values, std::span<const float> gradients, const StepFigures& figures,
                     WorkerThreads& workers) {
  expects(values.size() == gradients.size() && (segments_.empty() || segments_.back().end <= values.size()),
          "the optimizer was given ", values.size(), " weights and ", gradients.size(), " gradients");
  expects(std::isfinite(figures.gradient_norm), "a step needs a finite gradient");
  double scale = figures.scale;
  if (settings_.clip_norm > 0 && figures.gradient_norm > settings_.clip_norm) {
    scale *= settings_.clip_norm / figures.gradient_norm;
  }
  ++steps_;
  const auto t = static_cast<double>(steps_);
  const double first_correction = 1 - std::pow(settings_.beta1, t);
  const double second_correction = 1 - std::pow(settings_.beta2, t);
  for (const Segment& segment : segments_) {
    const double rate = figures.learning_rate * segment.rate;
    const AdamStep step{.gradient_scale = static_cast<float>(scale),
                        .beta1 = static_cast<float>(settings_.beta1),
                        .beta2 = static_cast<float>(settings_.beta2),
                        .rate = static_cast<float>(rate / first_correction),
                        .second_correction = static_cast<float>(1 / second_correction),
                        .epsilon = static_cast<float>(settings_.epsilon),
                        .decay = static_cast<float>(rate * settings_.weight_decay)};
    const std::size_t size = segment.end - segment.begin;
    adam_update(values.subspan(segment.begin, size), gradients.subspan(segment.begin, size),
                std::span(first_moments_).subspan(segment.moments, size),
                std::span(second_moments_).subspan(segment.moments, size), step, workers);
  }
}

std::vector<Optimizer::Moments> Optimizer::moments() {
  std::vector<Moments> all;
  std::size_t begin = 0;
  for (const WeightRange& range : learned_) {
    const auto count = index(range.shape.count());
    all.push_back({range, std::span(first_moments_).subspan(begin, count),
                   std::span(second_moments_).subspan(begin, count)});
    begin += range.end - range.begin;
  }
  return all;
}

}  // namespace gloss
