#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace gloss {

/// A kind of work that profiles count; one object with static storage for each kind.
class ProfiledOperation {
 public:
  explicit ProfiledOperation(const char* name);
  std::size_t number() const { return number_; }

 private:
  std::size_t number_;
};

/// What one kind of work cost, all threads together.
struct OperationProfile {
  std::string name;
  std::int64_t calls = 0;
  double seconds = 0;  ///< of the threads that called
  std::int64_t flops = 0;
  std::int64_t bytes = 0;  ///< read and written by the arrays' sizes, wherever they lie
};

/// Turns counting on or off for all threads; off at first. While off, a ProfiledTime costs one test.
void set_profiling(bool on);
/// What was counted since the start or the last `clear_profile`, the longest first; kinds never called are
/// left out. To be called while no counted work is going on.
std::vector<OperationProfile> profile();
void clear_profile();

/// Counts the time from here to the end of the scope, with the work that is done. Scopes are not nested, so
/// that times add up.
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
