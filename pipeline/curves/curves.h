#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "base/fields.h"
#include "pipeline/curves/run_log.h"

namespace gloss {

/// What is drawn of the runs, and how.
struct CurveSettings {
  CurveAxis x = CurveAxis::updates;
  double from = 0;
  double smooth = 0;
  std::vector<std::string> curves;
  std::string title = "Training curves";
};
Fields fields_of(CurveSettings&);

/// A point of a curve; where y is NaN, the curve has a gap.
struct CurvePoint {
  double x, y;
};
using CurvePoints = std::vector<CurvePoint>;

/// One field of one run, by x from left to right.
struct Curve {
  std::size_t run;
  bool validation;         ///< from the validations, else from the reports of the training
  CurvePoints points;      ///< smoothed, if that was asked for
  CurvePoints unsmoothed;  ///< empty without smoothing
};

/// The curves of one field.
struct CurvePanel {
  std::string field, title;
  double outlier;  ///< the axis is logarithmic if the largest value is more than so many medians
  std::vector<Curve> curves;
};

/// The curves of all runs, by field, with at most some hundred points each. Gaps are reported to the
/// listener. Throws UsageError if a field was asked for that no run has, InputError if there is nothing to
/// draw.
std::vector<CurvePanel> make_panels(std::span<const RunLog> runs, const CurveSettings&, Listener&);

/// Of the points of each of `buckets` equal parts from the first x to the last, those with the smallest and
/// the largest y; and the first and the last point. Few points are all kept.
CurvePoints decimated(const CurvePoints& points, std::size_t buckets);
/// The mean of each point and those before it, each weighing `weight` times as much as the next; between 0
/// and 1. The first points are means of few.
CurvePoints smoothed(const CurvePoints& points, double weight);

}  // namespace gloss
