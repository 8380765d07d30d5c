// SPDX-License-Identifier: Apache-2.0

#include "model/tensor/profile.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>

namespace gloss {
namespace {

using Clock = std::chrono::steady_clock;

std::atomic<bool> counting{false};

/// Counts of one thread, by operation number.
using Counts = std::vector<OperationProfile>;

struct Registry {
  std::mutex guard;
  std::vector<std::string> names;
  std::vector<std::unique_ptr<Counts>> counts;  // one per counting thread; they outlive it
};

Registry& registry() {
  static Registry all;
  return all;
}

Counts& own_counts() {
  thread_local Counts* own = nullptr;
  if (own == nullptr) {
    const std::lock_guard lock(registry().guard);
    registry().counts.push_back(std::make_unique<Counts>(registry().names.size()));
    own = registry().counts.back().get();
  }
  return *own;
}

}  // namespace

ProfiledOperation::ProfiledOperation(const char* name) {
  const std::lock_guard lock(registry().guard);
  number_ = registry().names.size();
  registry().names.emplace_back(name);
}

void set_profiling(bool on) { counting = on; }

std::vector<OperationProfile> profile() {
  const std::lock_guard lock(registry().guard);
  Counts sums(registry().names.size());
  for (const auto& counts : registry().counts) {
    for (std::size_t i = 0; i < counts->size(); ++i) {
      sums[i].calls += (*counts)[i].calls;
      sums[i].seconds += (*counts)[i].seconds;
      sums[i].flops += (*counts)[i].flops;
      sums[i].bytes += (*counts)[i].bytes;
    }
  }
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i].name = registry().names[i];
  std::erase_if(sums, [](const OperationProfile& sum) { return sum.calls == 0; });
  std::sort(sums.begin(), sums.end(), [](const OperationProfile& a, const OperationProfile& b) {
    return a.seconds != b.seconds ? a.seconds > b.seconds : a.name < b.name;
  });
  return sums;
}

void clear_profile() {
  const std::lock_guard lock(registry().guard);
  for (const auto& counts : registry().counts) counts->assign(counts->size(), {});
}

ProfiledTime::ProfiledTime(const ProfiledOperation& operation, std::int64_t flops, std::int64_t bytes)
    : operation_(operation),
      flops_(flops),
      bytes_(bytes),
      counting_(counting.load(std::memory_order_relaxed)) {
  if (counting_) start_ = Clock::now();
}

ProfiledTime::~ProfiledTime() {
  if (!counting_) return;
  OperationProfile& count = own_counts()[operation_.number()];
  ++count.calls;
  count.seconds += std::chrono::duration<double>(Clock::now() - start_).count();
  count.flops += flops_;
  count.bytes += bytes_;
}

}  // namespace gloss
