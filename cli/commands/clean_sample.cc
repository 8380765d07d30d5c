// SPDX-License-Identifier: Apache-2.0

#include "cli/commands/clean_sample.h"

#include "base/index.h"
#include "base/random.h"
#include "base/text.h"

namespace gloss {

void CleanSample::add(const Verdict& verdict, const PairRecord& record) {
  if (verdict.check == Verdict::kKept || most_ == 0) return;
  Rejected& rejected = by_check_[verdict.check];
  ++rejected.count;
  const std::uint64_t rank = Random(static_cast<std::uint64_t>(record.line)).bits();
  if (std::ssize(rejected.lines) >= most_ && rank >= rejected.lines.rbegin()->first) return;
  const char* const side = verdict.side < 0 ? "" : verdict.side == 0 ? "source" : "target";
  rejected.lines.emplace(
      rank, SampledLine{record.line, side, number_text(verdict.value), record.source, record.target});
  if (std::ssize(rejected.lines) > most_) rejected.lines.erase(std::prev(rejected.lines.end()));
}

std::vector<RuleSample> CleanSample::samples() const {
  std::vector<RuleSample> all;
  for (const auto& [number, rejected] : by_check_) {
    Verdict verdict;
    verdict.check = number;
    RuleSample sample{std::string(cleaner_.reason(verdict)), "the line has no pair", "", rejected.count};
    if (number >= 0) {
      const Check& check = cleaner_.plan().checks[index(number)];
      sample.meaning = check.rule->meaning;
      sample.bounds = check.bounds.text();
    }
    std::map<std::int64_t, SampledLine> by_line;
    for (const auto& [rank, line] : rejected.lines) by_line.emplace(line.line, line);
    for (const auto& [line, sampled] : by_line) sample.lines.push_back(sampled);
    all.push_back(std::move(sample));
  }
  return all;
}

}  // namespace gloss
