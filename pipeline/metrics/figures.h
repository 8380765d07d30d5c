// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "pipeline/metrics/metric.h"

namespace gloss {

/// A metric's figures for one system: `width` numbers for each segment.
class Figures {
 public:
  Figures(std::size_t segments, std::size_t width) : width_(width), values_(segments * width) {}

  std::size_t segments() const { return width_ == 0 ? 0 : values_.size() / width_; }
  std::size_t width() const { return width_; }
  std::span<double> row(std::size_t segment) { return std::span(values_).subspan(segment * width_, width_); }
  std::span<const double> row(std::size_t segment) const {
    return std::span(values_).subspan(segment * width_, width_);
  }
  /// The sums over all segments.
  std::vector<double> sums() const;
  /// The sums over the segments of each group; groups[i] is the group of segment i, numbered from 0 without
  /// gaps.
  Figures grouped(std::span<const std::size_t> groups) const;

 private:
  std::size_t width_;
  std::vector<double> values_;
};

/// The references of each segment; their number may vary.
using References = std::vector<std::vector<std::string>>;

/// Compares all systems with the references by all metrics, on `threads` threads. The references of a segment
/// are prepared once for all systems. All text must be valid UTF-8, and each system must have one line per
/// segment. Returns figures by metric, then by system.
std::vector<std::vector<Figures>> compare_all(std::span<const std::unique_ptr<Metric>> metrics,
                                              const std::vector<std::vector<std::string>>& systems,
                                              const References& references, int threads);

}  // namespace gloss
