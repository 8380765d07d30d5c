// SPDX-License-Identifier: Apache-2.0

#include "pipeline/training/schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/error.h"

namespace gloss {

Fields fields_of(ScheduleSettings& settings) {
  return {
      {"learning_rate",
       &settings.learning_rate,
       "peak learning rate; reached at the end of the warm-up",
       {1e-12, 1e6}},
      {"warmup_updates",
       &settings.warmup_updates,
       "number of updates in which the learning rate rises from 0",
       {0, 1e9}},
      {"schedule", choice(settings.decay, {"inverse_sqrt", "linear", "cosine", "constant", "cooldown"}),
       "decay of the learning rate after the warm-up; linear, cosine and cooldown reach 0 at the first of "
       "--max-updates, --max-epochs, --max-tokens and the updates planned for --max-minutes; one of"},
      {"cooldown",
       &settings.cooldown,
       "--schedule cooldown: share of the training after the warm-up in which the rate falls to 0; it is "
       "constant before",
       {1e-6, 1}}};
}

bool needs_end(const ScheduleSettings& settings) {
  return settings.decay != Decay::inverse_sqrt && settings.decay != Decay::constant;
}

void check(const ScheduleSettings& settings, bool has_end, std::int64_t max_updates, const Given& given) {
  if (!needs_end(settings)) return;
  if (!has_end) {
    throw UsageError(
        "--schedule linear, cosine and cooldown need the end of the training: give --max-updates, "
        "--max-epochs, --max-tokens or --max-minutes");
  }
  if (max_updates > 0 && settings.warmup_updates >= max_updates) {
    if (!given(&settings.warmup_updates)) {
      throw UsageError(concat("--max-updates ", max_updates, " ends the training in its warm-up of ",
                              settings.warmup_updates,
                              " updates, before the learning rate falls; give more "
                              "updates, or a shorter warm-up with --warmup-updates"));
    }
    throw UsageError(concat("--warmup-updates ", settings.warmup_updates,
                            " leaves no update for the decay of the learning rate before --max-updates ",
                            max_updates, "; give fewer warm-up updates"));
  }
  const auto after_warmup = static_cast<double>(max_updates - settings.warmup_updates);
  if (max_updates > 0 && settings.decay == Decay::cooldown && settings.cooldown * after_warmup < 1) {
    if (!given(&settings.cooldown)) {
      throw UsageError(
          concat("--max-updates ", max_updates, " leaves ", after_warmup,
                 " updates after the warm-up, of which the cooldown has less than one; give more "
                 "updates, or a --cooldown of at least ",
                 1 / after_warmup));
    }
    throw UsageError(
        concat("--cooldown ", settings.cooldown, " is less than one of the ", after_warmup,
               " updates after the warm-up, so the learning rate would never fall; give at least ",
               1 / after_warmup));
  }
}

double learning_rate(const ScheduleSettings& settings, std::int64_t update, double fallen) {
  const auto u = static_cast<double>(update);
  const auto w = static_cast<double>(settings.warmup_updates);
  if (u <= w) return settings.learning_rate * u / w;
  switch (settings.decay) {
    case Decay::inverse_sqrt:
      return settings.learning_rate * std::sqrt(std::max(w, 1.0) / u);
    case Decay::linear:
      return settings.learning_rate * (1 - fallen);
    case Decay::cosine:
      return settings.learning_rate * (1 + std::cos(std::numbers::pi * fallen)) / 2;
    case Decay::cooldown:
      return settings.learning_rate * std::min(1.0, (1 - fallen) / settings.cooldown);
    case Decay::constant:
      break;
  }
  return settings.learning_rate;
}

}  // namespace gloss
