// SPDX-License-Identifier: Apache-2.0

#include "pipeline/preparation/near_duplicates.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <string>

#include "base/letter_case.h"

namespace gloss {
namespace {

constexpr std::size_t kRun = 5;
constexpr double kSimilar = 0.7;

/// The bytes of letters and digits, ASCII letters in lower case, and all bytes of other characters.
std::string folded(std::string_view line) {
  std::string kept = lower_case(std::string(line));
  std::erase_if(kept, [](char byte) {
    const bool letter = (byte >= 'a' && byte <= 'z') || (byte >= '0' && byte <= '9');
    return !letter && static_cast<unsigned char>(byte) < 0x80;
  });
  return kept.empty() ? std::string(line) : kept;
}

std::uint64_t hash_of(std::string_view bytes) { return std::hash<std::string_view>{}(bytes); }

}  // namespace

std::uint64_t folded_hash(std::string_view line) { return hash_of(folded(line)); }

NearDuplicates::Runs NearDuplicates::runs_of(std::string_view line) {
  const std::string bytes = folded(line);
  Runs runs;
  if (bytes.size() <= kRun) {
    runs.push_back(hash_of(bytes));
  } else {
    for (std::size_t i = 0; i + kRun <= bytes.size(); ++i) {
      runs.push_back(hash_of(std::string_view(bytes).substr(i, kRun)));
    }
  }
  std::ranges::sort(runs);
  runs.erase(std::unique(runs.begin(), runs.end()), runs.end());
  return runs;
}

NearDuplicates::NearDuplicates(const std::vector<std::string_view>& known) {
  std::unordered_map<std::uint64_t, std::int64_t> count;
  for (const std::string_view line : known) {
    known_.push_back(runs_of(line));
    for (const std::uint64_t run : known_.back()) ++count[run];
  }
  for (std::size_t number = 0; number < known_.size(); ++number) {
    Runs rarest = known_[number];
    std::ranges::stable_sort(rarest, {}, [&](std::uint64_t run) { return count.at(run); });
    const auto others = static_cast<double>(rarest.size()) * (1 - kSimilar);
    rarest.resize(std::min(rarest.size(), static_cast<std::size_t>(others) + 1));
    for (const std::uint64_t run : rarest) by_rare_run_[run].push_back(number);
  }
}

void NearDuplicates::find(std::string_view line, std::vector<std::size_t>& found) {
  const Runs runs = runs_of(line);
  candidates_.clear();
  for (const std::uint64_t run : runs) {
    const auto known = by_rare_run_.find(run);
    if (known == by_rare_run_.end()) continue;
    std::erase_if(known->second, [&](std::size_t number) { return known_[number].empty(); });
    candidates_.insert(candidates_.end(), known->second.begin(), known->second.end());
  }
  std::ranges::sort(candidates_);
  candidates_.erase(std::unique(candidates_.begin(), candidates_.end()), candidates_.end());
  Runs common;
  for (const std::size_t number : candidates_) {
    common.clear();
    std::ranges::set_intersection(runs, known_[number], std::back_inserter(common));
    const std::size_t all = runs.size() + known_[number].size() - common.size();
    if (static_cast<double>(common.size()) >= kSimilar * static_cast<double>(all)) found.push_back(number);
  }
}

void NearDuplicates::forget(std::size_t number) { known_[number].clear(); }

}  // namespace gloss
