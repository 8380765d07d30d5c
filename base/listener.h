// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <string>

namespace gloss {

/// Progress of a long job. `total` is 0 if unknown.
struct Progress {
  std::int64_t done = 0;
  std::int64_t total = 0;
  std::string unit;     ///< unit of the counts, such as "lines" or "updates"
  std::string details;  ///< figures to show next to the counts, such as "loss 3.21"
  /// Projected time until the job ends for a reason other than `total`; negative: unknown.
  double seconds_left = -1;
  double share = -1;        ///< of the job, 0 to 1; negative: unknown
  std::int64_t tokens = 0;  ///< in what is done, about; 0: unknown
};

/// Receives messages for the user from the libraries, which never print themselves. Any thread may call it,
/// but only one at a time.
class Listener {
 public:
  virtual ~Listener() = default;
  /// Receives information: one line without a newline.
  virtual void note(const std::string&) {}
  /// Receives a warning: one line without a newline.
  virtual void warn(const std::string&) {}
  /// Receives the progress of the job.
  virtual void progress(const Progress&) {}
};

}  // namespace gloss
