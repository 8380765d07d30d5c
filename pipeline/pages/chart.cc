// SPDX-License-Identifier: Apache-2.0

#include "pipeline/pages/chart.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/text.h"
#include "pipeline/pages/page.h"

namespace gloss {
namespace {

constexpr std::size_t kColours = 7;
constexpr std::size_t kMostDots = 40;  // more dots would merge with the line
constexpr double kCrossWidth = 4;

std::string place(double value) {
  std::string text = fixed_text(value, 1);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text;
}

/// Draws one panel.
class PanelDrawing {
 public:
  PanelDrawing(const Chart& chart, std::size_t panel)
      : chart_(chart), layout_(chart.layout), panel_(chart.panels[panel]), y_(chart.y[panel]) {}

  std::string markup() {
    text("heading", layout_.left - 42, 17, panel_.title + (y_.logarithmic ? " (logarithmic)" : ""));
    axes();
    const bool both = std::any_of(panel_.curves.begin(), panel_.curves.end(), is_validation);
    for (const Curve& curve : panel_.curves) {
      if (!curve.unsmoothed.empty()) lines(curve, curve.unsmoothed, "faint");
    }
    for (const Curve& curve : panel_.curves) {
      if (curve.validation) continue;
      lines(curve, curve.points, both ? "thin" : "line");
      skipped(curve.run);
    }
    for (const Curve& curve : panel_.curves) {  // drawn on top of the noisy training curves
      if (!curve.validation) continue;
      lines(curve, curve.points, "strong");
      if (curve.points.size() <= kMostDots) dots(curve);
    }
    return std::move(out_);
  }

 private:
  static bool is_validation(const Curve& curve) { return curve.validation; }
  double x_of(double value) const { return layout_.left + layout_.plot_width() * chart_.x.axis.share(value); }
  double y_of(double value) const { return layout_.top + layout_.plot_height() * (1 - y_.share(value)); }

  void text(const std::string& kind, double x, double y, const std::string& words) {
    out_ += concat("<text class=\"", kind, "\" x=\"", place(x), "\" y=\"", place(y), "\">",
                   markup_text(words), "</text>\n");
  }
  void rule(const char* kind, double x1, double y1, double x2, double y2) {
    out_ += concat("<path class=\"", kind, "\" d=\"M", place(x1), " ", place(y1), "L", place(x2), " ",
                   place(y2), "\"/>\n");
  }

  void axes() {
    const double right = layout_.width - layout_.right, bottom = layout_.height - layout_.bottom;
    for (const AxisTick& tick : y_.ticks) {
      rule("grid", layout_.left, y_of(tick.value), right, y_of(tick.value));
      text("tick of-y", layout_.left - 6, y_of(tick.value) + 4, tick.label);
    }
    for (const AxisTick& tick : chart_.x.axis.ticks) {
      rule("grid", x_of(tick.value), bottom, x_of(tick.value), bottom + 4);
      text("tick of-x", x_of(tick.value), bottom + 16, tick.label);
    }
    rule("axis", layout_.left, bottom, right, bottom);
    text("tick of-x", layout_.left + layout_.plot_width() / 2, layout_.height - 8, chart_.x.title);
  }

  std::string look(std::size_t run) const {
    return concat("run-", run, " colour-", run % kColours, " dash-", run / kColours);
  }

  /// Draws a curve as one path; a point between two gaps becomes a line of length 0, which looks like a dot.
  void lines(const Curve& curve, const CurvePoints& points, const char* kind) {
    std::string path;
    bool gap = true;
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (std::isnan(points[i].y)) {
        gap = true;
        continue;
      }
      const std::string at = concat(place(x_of(points[i].x)), " ", place(y_of(points[i].y)));
      path += (gap ? "M" : "L") + at;
      const bool alone = gap && (i + 1 == points.size() || std::isnan(points[i + 1].y));
      if (alone) path += "h0";
      if (alone && points.size() == 1) dot(curve, points[i]);
      gap = false;
    }
    out_ += concat("<path class=\"curve ", kind, " ", look(curve.run), "\" d=\"", path, "\"/>\n");
  }

  void dot(const Curve& curve, const CurvePoint& point) {
    out_ += concat("<circle class=\"dot ", look(curve.run), "\" cx=\"", place(x_of(point.x)), "\" cy=\"",
                   place(y_of(point.y)), "\" r=\"2.5\"/>\n");
  }
  void dots(const Curve& curve) {
    if (curve.points.size() == 1) return;  // drawn by lines()
    for (const CurvePoint& point : curve.points) {
      if (!std::isnan(point.y)) dot(curve, point);
    }
  }

  /// Draws a cross at the bottom for each skipped update; crosses that would overlap are merged.
  void skipped(std::size_t run) {
    std::set<double> places;
    for (const LogEntry& entry : chart_.runs[run].skipped) {
      const double share = chart_.x.axis.share(entry.at(chart_.settings.x));
      if (!(share >= 0 && share <= 1)) continue;
      places.insert(kCrossWidth * std::round((layout_.left + layout_.plot_width() * share) / kCrossWidth));
    }
    const double y = layout_.height - layout_.bottom - 5;
    for (const double x : places) {
      out_ += concat("<path class=\"curve skipped ", look(run), "\" d=\"M", x, " ", place(y),
                     "m-3 -3l6 6m0 -6l-6 6\"><title>",
                     markup_text("skipped update of " + chart_.runs[run].label), "</title></path>\n");
    }
  }

  const Chart& chart_;
  const PanelLayout& layout_;
  const CurvePanel& panel_;
  const Axis& y_;
  std::string out_;
};

bool any_curve(const Chart& chart, bool (*has)(const Curve&)) {
  return std::any_of(chart.panels.begin(), chart.panels.end(), [&](const CurvePanel& panel) {
    return std::any_of(panel.curves.begin(), panel.curves.end(), has);
  });
}

}  // namespace

Chart make_chart(std::span<const LoggedTraining> runs, const CurveSettings& settings, Listener& listener) {
  Chart chart{runs, make_panels(runs, settings, listener), {}, {}, settings, {}};
  chart.x = progress_axis(chart.panels, runs, settings);
  for (const CurvePanel& panel : chart.panels) chart.y.push_back(value_axis(panel));
  return chart;
}

std::string panel_markup(const Chart& chart, std::size_t panel) {
  return PanelDrawing(chart, panel).markup();
}

std::string sample_markup(std::size_t run) {
  return concat("<path class=\"curve strong colour-", run % kColours, " dash-", run / kColours,
                "\" d=\"M1 6L27 6\"/>");
}

std::vector<std::string> chart_notes(const Chart& chart) {
  std::vector<std::string> words;
  const bool validations = any_curve(chart, [](const Curve& curve) { return curve.validation; });
  const bool trainings = any_curve(chart, [](const Curve& curve) { return !curve.validation; });
  if (validations && trainings) words.emplace_back("Thin: training. Thick: validation.");
  if (any_curve(chart, [](const Curve& curve) { return !curve.unsmoothed.empty(); })) {
    words.push_back(concat("Training smoothed (", chart.settings.smooth, "); faint: as logged."));
  }
  const auto skips = [](const LoggedTraining& run) { return !run.skipped.empty(); };
  if (std::any_of(chart.runs.begin(), chart.runs.end(), skips)) {
    words.emplace_back("\u00d7 at the bottom: skipped updates.");
  }
  return words;
}

}  // namespace gloss
