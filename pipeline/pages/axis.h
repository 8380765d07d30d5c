// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

#include "pipeline/pages/curves.h"

namespace gloss {

/// A tick of an axis.
struct AxisTick {
  double value;
  std::string label;
};

/// A range of numbers with ticks at round values.
struct Axis {
  double low = 0, high = 1;
  bool logarithmic = false;
  std::vector<AxisTick> ticks;
  /// The position of a value between the ends, from 0 to 1.
  double share(double value) const;
};

/// An axis over all values with about `ticks` ticks. A single value gets space on both sides.
Axis linear_axis(double smallest, double largest, int ticks);
/// A logarithmic axis for positive values, with ticks at powers of ten or, over few of them, also at their
/// multiples by 2 and 5.
Axis logarithmic_axis(double smallest, double largest);

/// The x axis of all panels. Values have the units of the logs; ticks may have larger ones, such as hours.
struct ProgressAxis {
  Axis axis;
  std::string title;
};
ProgressAxis progress_axis(const std::vector<CurvePanel>&, std::span<const LoggedTraining>,
                           const CurveSettings&);
/// The y axis of a panel; logarithmic if outliers would flatten the other values.
Axis value_axis(const CurvePanel&);

}  // namespace gloss
