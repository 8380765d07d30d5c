// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <span>
#include <string>
#include <vector>

#include "pipeline/pages/axis.h"
#include "pipeline/pages/curves.h"
#include "pipeline/pages/logged_training.h"

namespace gloss {

/// Maximum number of runs that can be distinguished: seven colours with four line styles each.
constexpr std::size_t kMostRuns = 28;

/// The size of a panel and the margins around its curves, in SVG units.
struct PanelLayout {
  double width = 400, height = 264;
  double left = 50, top = 28, right = 12, bottom = 40;
  double plot_width() const { return width - left - right; }
  double plot_height() const { return height - top - bottom; }
};

/// All panels with their axes.
struct Chart {
  std::span<const LoggedTraining> runs;
  std::vector<CurvePanel> panels;
  ProgressAxis x;
  std::vector<Axis> y;  ///< by panel
  CurveSettings settings;
  PanelLayout layout;
};
Chart make_chart(std::span<const LoggedTraining> runs, const CurveSettings&, Listener&);

/// The content of a panel's SVG element: title, axes, curves, crosses for skipped updates.
std::string panel_markup(const Chart&, std::size_t panel);
/// A sample of the line of a run for legends, 28 by 12 SVG units.
std::string sample_markup(std::size_t run);
/// Notes below the title: the meaning of line styles, smoothing, skipped updates.
std::vector<std::string> chart_notes(const Chart&);

/// All panels as an SVG image with a legend.
std::string curves_svg(const Chart&);
/// All panels as an HTML page with a table of the runs, which shows the values at the pointer.
std::string curves_page(const Chart&);

}  // namespace gloss
