#pragma once

#include <chrono>

#include "base/fields.h"

namespace gloss {

/// Where a command spends its time (--profile): counts operations from its making on, if that is wanted.
class ProfileTable {
 public:
  explicit ProfileTable(bool wanted);
  /// Writes what was counted to standard error, the longest first, and how much of the time of so many
  /// threads that is; nothing if it was not wanted.
  void print(int threads) const;

 private:
  bool wanted_;
  std::chrono::steady_clock::time_point start_;
};

/// The option that asks for it.
Field profile_field(bool& wanted);

}  // namespace gloss
