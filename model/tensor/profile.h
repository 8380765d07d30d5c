// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace gloss {

/// A kind of operation in profiles; one object with static storage for each kind.
class ProfiledOperation {
 public:
  explicit ProfiledOperation(const char* name);
  std::size_t number() const { return number_; }

 private:
  std::size_t number_;
};

/// Total cost of one kind of operation over all threads.
struct OperationProfile {
  std::string name;
  std::int64_t calls = 0;
  double seconds = 0;  ///< in the calling threads
  std::int64_t flops = 0;
  std::int64_t bytes = 0;  ///< read and written, by array sizes; caches are ignored
};

/// Turns profiling on or off for all threads; initially off. While off, a ProfiledTime costs one test.
void set_profiling(bool on);
/// Operations counted since the start or the last `clear_profile`, longest first; unused kinds are omitted.
/// Must not be called while profiled work is running.
std::vector<OperationProfile> profile();
void clear_profile();

/// Counts the time until the end of the scope, and the work. Scopes must not be nested, so that times add up.
class ProfiledTime {
 public:
  ProfiledTime(const ProfiledOperation&, std::int64_t flops, std::int64_t bytes);
  ~ProfiledTime();
  ProfiledTime(const ProfiledTime&) = delete;
  ProfiledTime& operator=(const ProfiledTime&) = delete;

 private:
  const ProfiledOperation& operation_;
  std::int64_t flops_, bytes_;
  bool counting_;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace gloss
