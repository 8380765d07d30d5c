// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>

#include "base/fields.h"

namespace gloss {

/// How the learning rate decays after the warm-up.
enum class Decay { inverse_sqrt, linear, cosine, constant, cooldown };

/// The learning rate over the updates: it rises linearly from 0 to `learning_rate` during the warm-up, then
/// decays.
struct ScheduleSettings {
  double learning_rate = 0.0005;
  int warmup_updates = 4000;
  Decay decay = Decay::inverse_sqrt;
  double cooldown = 0.2;  ///< share of the training after the warm-up in which the rate falls
};
Fields fields_of(ScheduleSettings&);

/// True if the rate depends on the end of the training, so that the end must not be moved later.
bool needs_end(const ScheduleSettings&);
/// Throws UsageError if the schedule needs the end of the training and there is none, or if the training ends
/// within the warm-up (`max_updates`; 0: no limit). The message begins with a setting that was given.
void check(const ScheduleSettings&, bool has_end, std::int64_t max_updates, const Given& given);

/// The learning rate of `update`, counted from 1. With w = warmup_updates, for update u > w: inverse_sqrt
/// (Vaswani et al. 2017) rate * sqrt(max(w, 1) / u); linear rate * (1 - f); cosine (Loshchilov and Hutter
/// 2017) rate * (1 + cos(pi * f)) / 2; constant rate; cooldown (Hägele et al. 2024) rate * min(1, (1 - f) /
/// c) with c = cooldown. f is `fallen`, the share of the training after the warm-up that is done: 0 to 1.
double learning_rate(const ScheduleSettings&, std::int64_t update, double fallen);

}  // namespace gloss
