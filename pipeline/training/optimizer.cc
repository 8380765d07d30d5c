// SPDX-License-Identifier: Apache-2.0

#include "pipeline/training/optimizer.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>

#include "base/error.h"
#include "base/index.h"
#include "model/tensor/operation_threads.h"
#include "pipeline/training/flat_arrays.h"

namespace gloss {

Fields fields_of(OptimizerSettings& settings) {
  constexpr double kBelowOne = 0.9999999;
  return {
      {"optimizer", choice(settings.update, {"adam", "muon"}),
       "how weights are updated; muon: the steps of the matrices in encoder and decoder are orthogonalised, "
       "all others are Adam's"},
      {"muon_momentum", &settings.muon_momentum, "Muon: decay of the mean of the gradients", {0, kBelowOne}},
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

Optimizer::Optimizer(const OptimizerSettings& settings, std::vector<WeightRange> learned, DType products)
    : settings_(settings), products_(products), learned_(std::move(learned)) {
  const std::vector<double> rates = learning_rate_factors(learned_, settings.learning_rates);
  std::size_t count = 0;
  for (std::size_t i = 0; i < learned_.size(); ++i) {
    const WeightRange& range = learned_[i];
    const std::vector<MuonMatrix> matrices =
        settings.update == Update::muon ? muon_matrices(range) : std::vector<MuonMatrix>();
    const bool muon = !matrices.empty();
    if (segments_.empty() || segments_.back().end != range.begin || segments_.back().rate != rates[i] ||
        segments_.back().muon != muon) {
      segments_.push_back({range.begin, range.begin, count, rates[i], muon});
    }
    for (const MuonMatrix& matrix : matrices) {
      matrices_.push_back({matrix, count + matrix.begin - range.begin, rates[i]});
    }
    segments_.back().end = range.end;
    count += range.end - range.begin;
  }
  std::ranges::stable_sort(matrices_, std::greater(),
                           [](const LearnedMatrix& of) { return of.matrix.rows * of.matrix.columns; });
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
  for (const Segment& segment : segments_) {
    if (segment.muon) continue;
    update_by_adam(segment, values, gradients, scale, figures.learning_rate * segment.rate, workers);
  }
  update_by_muon(values, gradients, scale, figures.learning_rate, workers);
}

void Optimizer::update_by_adam(const Segment& segment, std::span<float> values,
                               std::span<const float> gradients, double scale, double learning_rate,
                               WorkerThreads& workers) {
  const auto t = static_cast<double>(steps_);
  const double first_correction = 1 - std::pow(settings_.beta1, t);
  const double second_correction = 1 - std::pow(settings_.beta2, t);
  const AdamStep step{.gradient_scale = static_cast<float>(scale),
                      .beta1 = static_cast<float>(settings_.beta1),
                      .beta2 = static_cast<float>(settings_.beta2),
                      .rate = static_cast<float>(learning_rate / first_correction),
                      .second_correction = static_cast<float>(1 / second_correction),
                      .epsilon = static_cast<float>(settings_.epsilon),
                      .decay = static_cast<float>(learning_rate * settings_.weight_decay)};
  const std::size_t size = segment.end - segment.begin;
  adam_update(values.subspan(segment.begin, size), gradients.subspan(segment.begin, size),
              std::span(first_moments_).subspan(segment.moments, size),
              std::span(second_moments_).subspan(segment.moments, size), step, workers);
}

void Optimizer::update_by_muon(std::span<float> values, std::span<const float> gradients, double scale,
                               double learning_rate, WorkerThreads& workers) {
  if (matrices_.empty()) return;
  const auto momentum = static_cast<float>(settings_.muon_momentum);
  const int count = static_cast<int>(matrices_.size()), parts = std::min(workers.count(), count);
  std::atomic<int> next{0};
  workers.run(parts, [&](int) {
    set_threads_per_operation(workers.count() / parts);
    for (int number = next++; number < count; number = next++) {
      const auto& [matrix, moments, factor] = matrices_[index(number)];
      const double rate = learning_rate * factor;
      const std::size_t size = index(matrix.rows * matrix.columns);
      muon_update(values.subspan(matrix.begin, size), gradients.subspan(matrix.begin, size),
                  std::span(first_moments_).subspan(moments, size), matrix,
                  {.gradient_scale = static_cast<float>(scale),
                   .momentum = momentum,
                   .rate = static_cast<float>(rate),
                   .decay = static_cast<float>(rate * settings_.weight_decay),
                   .type = products_});
    }
  });
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
