#pragma once

#include <string>
#include <vector>

#include "pipeline/curves/curves.h"

namespace gloss {

/// A mark of an axis.
struct AxisTick {
  double value;
  std::string label;
};

/// A range of numbers with marks at round ones.
struct Axis {
  double low = 0, high = 1;
  bool logarithmic = false;
  std::vector<AxisTick> ticks;
  /// Where a value stands between the ends, from 0 to 1.
  double share(double value) const;
};

/// An axis over all values, about `ticks` marks. One value alone gets room on both sides.
Axis linear_axis(double smallest, double largest, int ticks);
/// The same for positive values, with marks at powers of ten, or at 1, 2 and 5 times these if they are few.
Axis logarithmic_axis(double smallest, double largest);

/// The x axis of all panels. Values are as in the logs, marks may be in larger units, such as hours.
struct ProgressAxis {
  Axis axis;
  std::string title;
};
ProgressAxis progress_axis(const std::vector<CurvePanel>&, std::span<const RunLog>, const CurveSettings&);
/// The y axis of a panel. Logarithmic if some values are so far above the others that these would lie flat.
Axis value_axis(const CurvePanel&);

}  // namespace gloss
