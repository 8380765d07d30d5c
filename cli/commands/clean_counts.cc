// SPDX-License-Identifier: Apache-2.0

#include "cli/commands/clean_counts.h"

#include <algorithm>
#include <numeric>

#include "base/index.h"
#include "base/text.h"

namespace gloss {
namespace {

std::string count_line(std::string_view kind, std::string_view name, std::int64_t count, std::int64_t all) {
  constexpr std::size_t kNameWidth = 50, kCountWidth = 8;
  std::string line = concat("  ", kind, " ", name);
  line.resize(std::max(line.size(), kNameWidth), ' ');
  const std::string number = std::to_string(count);
  line.append(kCountWidth - std::min(kCountWidth, number.size()), ' ');
  const double share = all > 0 ? 100 * static_cast<double>(count) / static_cast<double>(all) : 0;
  return concat(line, number, "  ", fixed_text(share, 2), " %");
}

}  // namespace

CleanCounts::CleanCounts(const CleaningPlan& plan)
    : plan_(plan), by_check_(plan.checks.size()), by_repair_(plan.repairs.size()) {}

void CleanCounts::add(const Verdict& verdict) {
  if (verdict.replaced > 0) ++invalid_;
  if (verdict.check == Verdict::kKept) ++kept_;
  if (verdict.check == Verdict::kBroken) ++broken_;
  if (verdict.check == Verdict::kCut) ++cut_;
  if (verdict.check >= 0) ++by_check_[index(verdict.check)];
  if (verdict.repairs != 0) ++repaired_;
  for (std::size_t i = 0; i < by_repair_.size(); ++i) by_repair_[i] += verdict.repairs >> i & 1;
}

std::vector<std::int64_t*> CleanCounts::numbers() {
  std::vector<std::int64_t*> all{&kept_, &repaired_, &broken_, &cut_, &invalid_};
  for (std::int64_t& count : by_check_) all.push_back(&count);
  for (std::int64_t& count : by_repair_) all.push_back(&count);
  return all;
}

std::int64_t CleanCounts::rejected() const {
  return std::accumulate(by_check_.begin(), by_check_.end(), broken_ + cut_);
}

std::vector<std::string> CleanCounts::table() const {
  const std::int64_t all = kept_ + rejected();
  std::vector<std::string> lines;
  const auto add = [&](std::string_view kind, std::string_view name, std::int64_t count) {
    if (count > 0) lines.push_back(count_line(kind, name, count, all));
  };
  add("invalid UTF-8", "", invalid_);
  for (std::size_t i = 0; i < by_repair_.size(); ++i) add("repaired", plan_.repairs[i]->name, by_repair_[i]);
  add("rejected", "broken", broken_);
  add("rejected", "too_long", cut_);
  for (std::size_t i = 0; i < by_check_.size(); ++i) {
    const Check& check = plan_.checks[i];
    add("rejected", concat(check.rule->name, " (not ", check.bounds.text(), ")"), by_check_[i]);
  }
  return lines;
}

}  // namespace gloss
