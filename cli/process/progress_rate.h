// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <chrono>

#include "base/listener.h"

namespace gloss {

/// How fast a job is, and when it will end.
struct Pace {
  double seconds = 0;            ///< since the job began
  double per_second = 0;         ///< units of the progress
  double tokens_per_second = 0;  ///< 0: unknown
  double seconds_left = -1;      ///< negative: unknown
};

/// Computes the pace of one job after the other from their progress.
class ProgressRate {
 public:
  /// True if this is the first progress of a job: it has no pace yet.
  bool begins(const Progress&);
  /// The pace from the first progress of the job to this one.
  Pace pace(const Progress&) const;

 private:
  Progress first_, last_;
  bool started_ = false;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace gloss
