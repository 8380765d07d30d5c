// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "base/fields.h"
#include "pipeline/pages/logged_training.h"

namespace gloss {

/// Settings of the training curves.
struct CurveSettings {
  CurveAxis x = CurveAxis::updates;
  double from = 0;
  double smooth = 0;
  std::vector<std::string> curves;
  std::string title = "Training curves";
};
Fields fields_of(CurveSettings&);

/// A point of a curve; NaN in y is a gap in the curve.
struct CurvePoint {
  double x, y;
};
using CurvePoints = std::vector<CurvePoint>;

/// The values of one field in one run, by ascending x.
struct Curve {
  std::size_t run;
  bool validation;         ///< true for validations, false for training reports
  CurvePoints points;      ///< smoothed if requested
  CurvePoints unsmoothed;  ///< empty without smoothing
};

/// The curves of one field.
struct CurvePanel {
  std::string field, title;
  double outlier;  ///< the axis is logarithmic if the largest value exceeds the median times `outlier`
  std::vector<Curve> curves;
};

/// The curves of all runs by field, with at most some hundred points each. Warns about gaps. Throws
/// UsageError for a requested field that no run has, InputError if there is nothing to draw.
std::vector<CurvePanel> make_panels(std::span<const LoggedTraining> runs, const CurveSettings&, Listener&);

/// Reduces a curve with many points: splits the range of x into `buckets` equal parts and keeps the points
/// with the smallest and the largest y of each, and the first and last point.
CurvePoints decimated(const CurvePoints& points, std::size_t buckets);
/// Exponential moving average: each point becomes the mean of itself and all earlier points, whose weights
/// decrease by the factor `weight` per point, between 0 and 1.
CurvePoints smoothed(const CurvePoints& points, double weight);

}  // namespace gloss
