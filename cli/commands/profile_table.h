// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <chrono>

#include "base/fields.h"

namespace gloss {

/// The time that a command spends in each operation (--profile), counted from construction on if enabled.
class ProfileTable {
 public:
  explicit ProfileTable(bool wanted);
  /// Writes the operations to standard error, the longest first, and their share of the time of this number
  /// of threads; nothing if profiling is disabled.
  void print(int threads) const;

 private:
  bool wanted_;
  std::chrono::steady_clock::time_point start_;
};

/// The option that asks for it.
Field profile_field(bool& wanted);

}  // namespace gloss
