#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "pipeline/metrics/metric.h"

namespace gloss {

/// A metric's figures of one system: a row of numbers for each segment.
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
  /// One row for each group, the sum of its segments; groups[i] is the group of segment i, counted from 0
  /// without gaps.
  Figures grouped(std::span<const std::size_t> groups) const;

 private:
  std::size_t width_;
  std::vector<double> values_;
};

/// References of each segment: any number, from segment to segment.
using References = std::vector<std::vector<std::string>>;

/// Compares every system with the references by every metric, on `threads` threads. Each segment's references
/// are prepared once for all systems. All text is valid UTF-8; every system has as many lines as there are
/// segments. Result by metric, then by system.
std::vector<std::vector<Figures>> compare_all(std::span<const std::unique_ptr<Metric>> metrics,
                                              const std::vector<std::vector<std::string>>& systems,
                                              const References& references, int threads);

}  // namespace gloss
