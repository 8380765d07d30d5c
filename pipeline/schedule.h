#pragma once

#include <cstdint>

#include "base/fields.h"

namespace gloss {

/// How the learning rate falls after the warm-up.
enum class Decay { inverse_sqrt, linear, cosine, constant };

/// The learning rate over the updates: it climbs in a straight line from 0 to `learning_rate` during the
/// warm-up, then falls.
struct ScheduleSettings {
  double learning_rate = 0.0005;
  int warmup_updates = 4000;
  Decay decay = Decay::inverse_sqrt;
};
Fields fields_of(ScheduleSettings&);

/// True if the rate depends on when the training ends, so that the end must not be moved later.
bool needs_end(const ScheduleSettings&);
/// Throws UsageError if the schedule needs an end (`max_updates` > 0) and has none, or ends within its
/// warm-up.
void check(const ScheduleSettings&, std::int64_t max_updates);

/// The learning rate of `update`, counted from 1. With w = warmup_updates and n = max_updates, for update
/// u > w: inverse_sqrt (Vaswani et al. 2017) rate * sqrt(max(w, 1) / u); linear rate * (n + 1 - u) / (n + 1 -
/// w); cosine (Loshchilov and Hutter 2017) rate * (1 + cos(pi * (u - w) / (n + 1 - w))) / 2; constant rate.
double learning_rate(const ScheduleSettings&, std::int64_t update, std::int64_t max_updates);

}  // namespace gloss
