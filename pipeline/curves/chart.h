#pragma once

#include <span>
#include <string>
#include <vector>

#include "pipeline/curves/axis.h"
#include "pipeline/curves/curves.h"
#include "pipeline/curves/run_log.h"

namespace gloss {

/// How many runs have looks of their own: seven colours, each with four kinds of line.
constexpr std::size_t kMostRuns = 28;

/// The size of a panel and where its curves lie in it, in units of SVG.
struct PanelLayout {
  double width = 400, height = 264;
  double left = 50, top = 28, right = 12, bottom = 40;
  double plot_width() const { return width - left - right; }
  double plot_height() const { return height - top - bottom; }
};

/// All panels with the axes they share.
struct Chart {
  std::span<const RunLog> runs;
  std::vector<CurvePanel> panels;
  ProgressAxis x;
  std::vector<Axis> y;  ///< by panel
  CurveSettings settings;
  PanelLayout layout;
};
Chart make_chart(std::span<const RunLog> runs, const CurveSettings&, Listener&);

/// What lies in the SVG element of a panel: title, axes, curves, marks of skipped updates.
std::string panel_markup(const Chart&, std::size_t panel);
/// A piece of the line that the curves of a run have, 28 by 12 units.
std::string sample_markup(std::size_t run);
/// What stands under the title: what lines mean, how curves are smoothed.
std::vector<std::string> chart_notes(const Chart&);

/// All panels as one SVG picture with a legend.
std::string curves_svg(const Chart&);
/// All panels as one HTML page that shows values under the pointer, with a table of the runs.
std::string curves_page(const Chart&);

/// Colours and lines of the panels, for light and dark.
extern const char* const kCurveStyle;
/// What the page's program is and how it looks beyond that.
extern const char* const kCurvePageStyle;
extern const char* const kCurvePageProgram;

}  // namespace gloss
