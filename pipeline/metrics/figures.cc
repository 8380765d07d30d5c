// SPDX-License-Identifier: Apache-2.0

#include "pipeline/metrics/figures.h"

#include <algorithm>
#include <atomic>

#include "base/error.h"
#include "base/threads.h"

namespace gloss {
namespace {

/// Throws InputError with the number of the line if the line cannot be compared.
void compare_line(Comparer& comparer, const std::string& hypothesis, std::size_t segment, Figures& results) {
  try {
    comparer.compare(hypothesis, results.row(segment));
  } catch (const InputError& error) {
    throw InputError(concat("line ", segment + 1, ": ", error.what()));
  }
}

}  // namespace

std::vector<double> Figures::sums() const {
  std::vector<double> result(width_, 0);
  for (std::size_t segment = 0; segment < segments(); ++segment) {
    for (std::size_t k = 0; k < width_; ++k) result[k] += values_[segment * width_ + k];
  }
  return result;
}

Figures Figures::grouped(std::span<const std::size_t> groups) const {
  expects(groups.size() == segments(), "grouped: ", groups.size(), " groups for ", segments(), " segments");
  const std::size_t count = groups.empty() ? 0 : 1 + *std::max_element(groups.begin(), groups.end());
  Figures result(count, width_);
  for (std::size_t segment = 0; segment < groups.size(); ++segment) {
    for (std::size_t k = 0; k < width_; ++k) result.row(groups[segment])[k] += row(segment)[k];
  }
  return result;
}

std::vector<std::vector<Figures>> compare_all(std::span<const std::unique_ptr<Metric>> metrics,
                                              const std::vector<std::vector<std::string>>& systems,
                                              const References& references, int threads) {
  const std::size_t segments = references.size();
  std::vector<std::vector<Figures>> results;
  for (const auto& metric : metrics)
    results.emplace_back(systems.size(), Figures(segments, metric->figures()));
  for (const auto& lines : systems) {
    expects(lines.size() == segments, "compare_all: ", lines.size(), " lines for ", segments, " segments");
  }
  constexpr std::size_t kBlock = 64;
  std::atomic<std::size_t> next = 0;
  const int useful = static_cast<int>(std::min<std::size_t>(segments / kBlock + 1, 1024));
  run_workers(std::max(1, std::min(threads, useful)), [&](int) {
    std::vector<std::unique_ptr<Comparer>> comparers;
    for (const auto& metric : metrics) comparers.push_back(metric->comparer());
    for (std::size_t begin = next.fetch_add(kBlock); begin < segments; begin = next.fetch_add(kBlock)) {
      const std::size_t end = std::min(segments, begin + kBlock);
      for (std::size_t m = 0; m < comparers.size(); ++m) {
        for (std::size_t segment = begin; segment < end; ++segment) {
          comparers[m]->set_references(references[segment]);
          for (std::size_t system = 0; system < systems.size(); ++system) {
            compare_line(*comparers[m], systems[system][segment], segment, results[m][system]);
          }
        }
      }
    }
  });
  return results;
}

}  // namespace gloss
