// SPDX-License-Identifier: Apache-2.0

#include "cli/process/progress_rate.h"

#include <algorithm>

namespace gloss {
namespace {

/// What the rate so far and the job's own projection say, whichever is less; negative: unknown.
double seconds_left(const Progress& progress, double rate) {
  if (progress.total <= progress.done || rate <= 0) return progress.seconds_left;
  const double to_total = static_cast<double>(progress.total - progress.done) / rate;
  return progress.seconds_left < 0 ? to_total : std::min(to_total, progress.seconds_left);
}

}  // namespace

bool ProgressRate::begins(const Progress& progress) {
  const bool other_job = !started_ || progress.unit != last_.unit || progress.done < last_.done;
  last_ = progress;
  if (!other_job) return false;
  started_ = true;
  first_ = progress;
  start_ = std::chrono::steady_clock::now();
  return true;
}

Pace ProgressRate::pace(const Progress& progress) const {
  Pace pace;
  pace.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  if (pace.seconds > 0) {
    pace.per_second = static_cast<double>(progress.done - first_.done) / pace.seconds;
    if (progress.done > 0) {
      pace.tokens_per_second =
          pace.per_second * static_cast<double>(progress.tokens) / static_cast<double>(progress.done);
    }
  }
  const bool finished = progress.total > 0 && progress.done >= progress.total;
  if (!finished) pace.seconds_left = seconds_left(progress, pace.per_second);
  return pace;
}

}  // namespace gloss
