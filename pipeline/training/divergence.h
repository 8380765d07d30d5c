// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/fields.h"
#include "pipeline/text_models/training_record.h"

namespace gloss {

/// What happens if an update diverges: skip it, or stop the training.
enum class OnDivergence { skip, stop };

/// Which updates diverge: those with a gradient or loss that is not finite, and those whose loss or gradient
/// norm spikes above its recent mean.
struct DivergenceSettings {
  OnDivergence on_divergence = OnDivergence::skip;
  double spike_deviations = 10;
  int spike_horizon = 100;
};
Fields fields_of(DivergenceSettings&);

/// The figures of an update that are known before its step.
struct UpdateFigures {
  double loss = 0;           ///< mean over the target tokens
  double gradient_norm = 0;  ///< of the mean gradient, before clipping
};

/// Updates the recent means with an accepted step.
void add_step(DivergenceState&, const DivergenceSettings&, const UpdateFigures&);

/// The reason why an update diverges, such as "its loss is not a finite number"; nothing if it does not.
/// A spike is a gradient norm or loss whose logarithm lies `spike_deviations` standard deviations above its
/// recent mean, and which is at least 5 (norm) or 1.5 (loss) times that mean. In the first
/// `spike_horizon` steps only a loss is a spike, if it is at least 30 and 10 times the mean.
std::optional<std::string> divergence(const DivergenceSettings&, const DivergenceState&,
                                      const UpdateFigures&);

/// Advice for error messages: the settings to change after a training diverged.
std::string divergence_advice(const DivergenceSettings&);

}  // namespace gloss
