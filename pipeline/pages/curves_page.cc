// SPDX-License-Identifier: Apache-2.0

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/index.h"
#include "base/text.h"
#include "pipeline/pages/chart.h"
#include "pipeline/pages/page.h"
#include "pipeline/pages/training_table.h"
#include "pipeline/pages/web_files.h"

namespace gloss {
namespace {

using nlohmann::json;

/// Rounds to six digits; more would not be visible.
json short_number(double value) {
  if (value == 0 || std::isnan(value)) return std::isnan(value) ? json(nullptr) : json(0);
  const double unit = std::pow(10, 5 - std::floor(std::log10(std::abs(value))));
  const double rounded = std::round(value * unit) / unit;
  return rounded;
}

json curve_data(const Curve& curve) {
  json x = json::array(), y = json::array();
  for (const CurvePoint& point : curve.points) {
    x.push_back(point.x);
    y.push_back(short_number(point.y));
  }
  return {{"run", curve.run}, {"validation", curve.validation}, {"x", std::move(x)}, {"y", std::move(y)}};
}

json chart_data(const Chart& chart) {
  const char* const kinds[kCurveAxes] = {"updates", "tokens", "epochs", "time"};
  const PanelLayout& layout = chart.layout;
  json data{{"x",
             {{"kind", kinds[static_cast<std::size_t>(chart.settings.x)]},
              {"low", chart.x.axis.low},
              {"high", chart.x.axis.high}}},
            {"layout",
             {{"left", layout.left},
              {"top", layout.top},
              {"width", layout.plot_width()},
              {"height", layout.plot_height()},
              {"whole", layout.width}}}};
  data["runs"] = json::array();
  for (const LoggedTraining& run : chart.runs) data["runs"].push_back(printable_text(run.label));
  data["panels"] = json::array();
  for (std::size_t i = 0; i < chart.panels.size(); ++i) {
    json curves = json::array();
    for (const Curve& curve : chart.panels[i].curves) curves.push_back(curve_data(curve));
    data["panels"].push_back({{"low", chart.y[i].low},
                              {"high", chart.y[i].high},
                              {"logarithmic", chart.y[i].logarithmic},
                              {"curves", std::move(curves)}});
  }
  return data;
}

std::string table_row(const std::string& first, const std::vector<std::string>& cells, const char* element) {
  std::string row = "<tr>" + first;
  for (std::size_t i = 1; i < cells.size(); ++i) {
    row += concat("<", element, ">", markup_text(cells[i]), "</", element, ">");
  }
  return row + "</tr>\n";
}

std::string runs_table(const Chart& chart) {
  const TrainingTable summary = summarize(chart.runs);
  std::string table = "<table><thead>" + table_row("<th scope=\"col\">Run</th>", summary.headings, "th") +
                      "</thead><tbody>\n";
  for (std::size_t i = 0; i < summary.rows.size(); ++i) {
    table += table_row(
        concat("<th scope=\"row\"><label><svg class=\"sample\" viewBox=\"0 0 28 12\" "
               "aria-hidden=\"true\">",
               sample_markup(i), "</svg> <bdi>", markup_text(summary.rows[i][0]), "</bdi></label></th>"),
        summary.rows[i], "td");
  }
  return table + "</tbody></table>";
}

}  // namespace

std::string curves_page(const Chart& chart) {
  std::string body = concat("<header>\n<h1>", markup_text(chart.settings.title), "</h1>\n<p class=\"soft\">",
                            markup_text(join(chart_notes(chart), " ")), "</p>\n</header>\n<main>\n",
                            "<section aria-label=\"Runs\"><div class=\"scroll\">", runs_table(chart),
                            "</div></section>\n<div class=\"panels\">\n");
  for (std::size_t i = 0; i < chart.panels.size(); ++i) {
    body += concat("<figure><svg viewBox=\"0 0 ", chart.layout.width, " ", chart.layout.height,
                   "\" role=\"img\" tabindex=\"0\" aria-label=\"", markup_text(chart.panels[i].title),
                   "\">\n", panel_markup(chart, i), "</svg></figure>\n");
  }
  body += "</div>\n</main>\n";
  return self_contained_page({chart.settings.title, std::string(kCurveStyle) + kCurvePageStyle, body,
                              chart_data(chart), kCurvePageProgram});
}

}  // namespace gloss
