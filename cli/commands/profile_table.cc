// SPDX-License-Identifier: Apache-2.0

#include "cli/commands/profile_table.h"

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <string>

#include "base/text.h"
#include "model/tensor/profile.h"

namespace gloss {
namespace {

constexpr std::size_t kNameWidth = 34;

std::string right(const std::string& text, std::size_t width) {
  return std::string(width - std::min(width, text.size()), ' ') + text;
}

std::string row(const std::string& name, const std::string& calls, const std::string& seconds,
                const std::string& share, const std::string& flops, const std::string& bytes) {
  return name + std::string(kNameWidth - std::min(kNameWidth, name.size()), ' ') + right(calls, 12) +
         right(seconds, 11) + right(share, 9) + right(flops, 11) + right(bytes, 11) + "\n";
}

/// Billions a second.
std::string rate_text(std::int64_t count, double seconds) {
  return seconds > 0 && count > 0 ? fixed_text(static_cast<double>(count) / seconds / 1e9, 1) : "-";
}

std::string percent_text(double part, double whole) {
  return whole > 0 ? fixed_text(100 * part / whole, 1) + "%" : "-";
}

}  // namespace

ProfileTable::ProfileTable(bool wanted) : wanted_(wanted), start_(std::chrono::steady_clock::now()) {
  if (wanted_) set_profiling(true);
}

void ProfileTable::print(int threads) const {
  if (!wanted_) return;
  const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  OperationProfile sum;
  const std::vector<OperationProfile> operations = profile();
  for (const OperationProfile& one : operations) {
    sum.calls += one.calls;
    sum.seconds += one.seconds;
    sum.flops += one.flops;
    sum.bytes += one.bytes;
  }
  const auto line = [&](const std::string& name, const OperationProfile& one) {
    return row(name, concat(one.calls), fixed_text(one.seconds, 3), percent_text(one.seconds, sum.seconds),
               rate_text(one.flops, one.seconds), rate_text(one.bytes, one.seconds));
  };
  std::string table = row("operation", "calls", "seconds", "share", "GFLOP/s", "GB/s");
  for (const OperationProfile& one : operations) table += line(one.name, one);
  table += line("all operations", sum);
  table += concat("operations take ", percent_text(sum.seconds, wall * threads), " of ", fixed_text(wall, 2),
                  " s on ", threads, threads == 1 ? " thread\n" : " threads\n");
  std::cerr << table << std::flush;
}

Field profile_field(bool& wanted) {
  return {"profile",    &wanted, "print the time of each kind of operation at the end, summed over threads",
          {},           0,       "",
          kFreeOnResume};
}

}  // namespace gloss
