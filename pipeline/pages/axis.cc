// SPDX-License-Identifier: Apache-2.0

#include "pipeline/pages/axis.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"

namespace gloss {
namespace {

/// Rounds up to 1, 2, 2.5, 5 or 10 times a power of ten.
double round_step(double step) {
  const double power = std::pow(10, std::floor(std::log10(step)));
  for (const double multiple : {1.0, 2.0, 2.5, 5.0}) {
    if (step <= multiple * power * (1 + 1e-9)) return multiple * power;
  }
  return 10 * power;
}

/// The number of decimals that multiples of `step` need.
int digits_of(double step) {
  int digits = 0;
  for (; digits < 9 && std::abs(step - std::round(step)) > 1e-6 * step; step *= 10) ++digits;
  return digits;
}

/// The label of a tick, with as few digits as steps of `step` need. Depending on `size`, the largest absolute
/// value of the axis, uses k for thousands and M for millions, or an exponent for long numbers.
std::string tick_label(double value, double step, double size) {
  if (value == 0) return "0";
  if (size >= 1e13 || (size < 1 && digits_of(step) > 4)) {
    const double power = std::floor(std::log10(size) + 1e-9), unit = std::pow(10, power);
    return concat(fixed_text(value / unit, digits_of(step / unit)), "e", fixed_text(power, 0));
  }
  const auto [unit, suffix] = size >= 1e9   ? std::pair(1e9, "G")
                              : size >= 1e6 ? std::pair(1e6, "M")
                              : size >= 1e4 ? std::pair(1e3, "k")
                                            : std::pair(1.0, "");
  return fixed_text(value / unit, digits_of(step / unit)) + suffix;
}

/// Sets the ends of an axis to the given values; equal values get space on both sides.
void set_range(Axis& axis, double smallest, double largest) {
  const double size = std::max(std::abs(smallest), std::abs(largest));
  const bool one = largest - smallest <= 1e-9 * size;
  const double room = one ? (size > 0 ? 0.05 * size : 1) : 0;
  axis.low = smallest - room;
  axis.high = largest + room;
}

void add_ticks(Axis& axis, int ticks, double unit) {
  const double low = axis.low / unit, high = axis.high / unit;
  const double step = round_step((high - low) / ticks);
  const double first = std::ceil(low / step - 1e-9), size = std::max(std::abs(low), std::abs(high));
  for (int i = 0; i <= 2 * ticks; ++i) {
    const double value = (first + i) * step;
    if (value > high + 1e-9 * step) break;
    axis.ticks.push_back({value * unit, tick_label(value, step, size)});
  }
}

template <class Visit>
void for_each_value(const CurvePanel& panel, Visit visit) {
  for (const Curve& curve : panel.curves) {
    for (const CurvePoints* points : {&curve.points, &curve.unsmoothed}) {
      for (const CurvePoint& point : *points) {
        if (!std::isnan(point.y)) visit(point);
      }
    }
  }
}

}  // namespace

double Axis::share(double value) const {
  if (logarithmic) return (std::log10(value) - std::log10(low)) / (std::log10(high) - std::log10(low));
  return (value - low) / (high - low);
}

Axis linear_axis(double smallest, double largest, int ticks) {
  Axis axis;
  set_range(axis, smallest, largest);
  add_ticks(axis, ticks, 1);
  return axis;
}

Axis logarithmic_axis(double smallest, double largest) {
  Axis axis;
  axis.logarithmic = true;
  axis.low = smallest / 1.1;
  axis.high = largest * 1.1;
  const int first = static_cast<int>(std::floor(std::log10(axis.low)));
  const int last = static_cast<int>(std::ceil(std::log10(axis.high)));
  const int stride = 1 + (last - first) / 8;
  for (int power = first; power <= last; power += stride) {
    for (const int multiple : {1, 2, 5}) {
      const double value = multiple * std::pow(10, power);
      if ((multiple == 1 || last - first <= 3) && value >= axis.low && value <= axis.high) {
        axis.ticks.push_back({value, tick_label(value, value, value)});
      }
    }
  }
  return axis;
}

ProgressAxis progress_axis(const std::vector<CurvePanel>& panels, std::span<const LoggedTraining> runs,
                           const CurveSettings& settings) {
  double smallest = 1e300, largest = -1e300;
  const auto include = [&](double x) {
    smallest = std::min(smallest, x);
    largest = std::max(largest, x);
  };
  for (const CurvePanel& panel : panels) {
    for_each_value(panel, [&](const CurvePoint& point) { include(point.x); });
  }
  for (const LoggedTraining& run : runs) {
    for (const LogEntry& entry : run.skipped) {
      if (entry.at(settings.x) >= settings.from) include(entry.at(settings.x));
    }
  }
  if (smallest > 0 && smallest < 0.25 * largest) smallest = 0;
  constexpr int kTicks = 5;
  if (settings.x != CurveAxis::time) {
    const char* const names[] = {"updates", "tokens", "epochs"};
    return {linear_axis(smallest, largest, kTicks), names[static_cast<int>(settings.x)]};
  }
  const auto [unit, title] = largest > 2 * 86400  ? std::pair(86400.0, "days")
                             : largest > 2 * 3600 ? std::pair(3600.0, "hours")
                             : largest > 2 * 60   ? std::pair(60.0, "minutes")
                                                  : std::pair(1.0, "seconds");
  ProgressAxis progress{{}, title};
  set_range(progress.axis, smallest, largest);
  add_ticks(progress.axis, kTicks, unit);
  return progress;
}

Axis value_axis(const CurvePanel& panel) {
  std::vector<double> values;
  for_each_value(panel, [&](const CurvePoint& point) { values.push_back(point.y); });
  std::sort(values.begin(), values.end());
  const double smallest = values.front(), largest = values.back(), median = values[values.size() / 2];
  if (smallest > 0 && largest > panel.outlier * median) return logarithmic_axis(smallest, largest);
  const double room = 0.04 * (largest - smallest);
  const bool from_zero = smallest >= 0 && smallest < 0.25 * largest;
  return linear_axis(from_zero ? 0 : smallest - room, largest + room, 5);
}

}  // namespace gloss
