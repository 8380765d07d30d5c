// SPDX-License-Identifier: Apache-2.0

#include <algorithm>

#include "base/index.h"
#include "base/rounding.h"
#include "base/text.h"
#include "base/utf8.h"
#include "pipeline/pages/chart.h"
#include "pipeline/pages/page.h"
#include "pipeline/pages/web_files.h"

namespace gloss {
namespace {

constexpr double kMargin = 16;
constexpr double kLegendRow = 20;
constexpr double kLegendColumn = 256;
constexpr std::size_t kLabelCharacters = 30;

/// Shortens long names in the middle, since they usually differ at the start or end.
std::string fitted(const std::string& label, std::size_t most) {
  const std::string text = printable_text(label);
  std::vector<std::string_view> characters;
  for (std::string_view rest = text; !rest.empty(); rest.remove_prefix(characters.back().size())) {
    characters.push_back(rest.substr(0, character_size(rest)));
  }
  if (characters.size() <= most) return text;
  const std::size_t head = (most - 1) / 2, tail = most - 1 - head;
  std::string out;
  for (std::size_t i = 0; i < head; ++i) out += characters[i];
  out += "\u2026";
  for (std::size_t i = characters.size() - tail; i < characters.size(); ++i) out += characters[i];
  return out;
}

std::string text_element(const char* kind, double x, double y, const std::string& words) {
  return concat("<text class=\"", kind, "\" x=\"", x, "\" y=\"", y, "\">", markup_text(words), "</text>\n");
}

}  // namespace

std::string curves_svg(const Chart& chart) {
  const PanelLayout& layout = chart.layout;
  const std::size_t columns = std::min<std::size_t>(2, chart.panels.size());
  const std::size_t rows = ceil_div(chart.panels.size(), columns);
  const double width =
      2 * kMargin + static_cast<double>(columns) * layout.width + static_cast<double>(columns - 1) * kMargin;
  const auto legend_columns = static_cast<std::size_t>((width - 2 * kMargin) / kLegendColumn);
  const std::size_t legend_rows = ceil_div(chart.runs.size(), legend_columns);
  const auto character_limit = static_cast<std::size_t>(width / 12);

  std::string body = text_element("title", kMargin, 32, fitted(chart.settings.title, character_limit));
  double top = 42;
  for (std::size_t i = 0; i < chart.runs.size(); ++i) {
    const double x = kMargin + static_cast<double>(i % legend_columns) * kLegendColumn;
    const double y = top + static_cast<double>(i / legend_columns) * kLegendRow;
    body += concat("<g transform=\"translate(", x, " ", y + 4, ")\">", sample_markup(i), "<title>",
                   markup_text(chart.runs[i].label), "</title>",
                   text_element("label", 34, 10.5, fitted(chart.runs[i].label, kLabelCharacters)), "</g>\n");
  }
  top += static_cast<double>(legend_rows) * kLegendRow;
  std::vector<std::string> notes = chart_notes(chart);
  if (columns > 1) notes = {join(notes, " ")};
  for (const std::string& note : notes) {
    top += kLegendRow;
    body += text_element("note", kMargin, top - 5, note);
  }
  top += 6;
  for (std::size_t i = 0; i < chart.panels.size(); ++i) {
    const double x = kMargin + static_cast<double>(i % columns) * (layout.width + kMargin);
    const double y = top + static_cast<double>(i / columns) * (layout.height + kMargin);
    body += concat("<g transform=\"translate(", x, " ", y, ")\">\n", panel_markup(chart, i), "</g>\n");
  }
  const double height = top + static_cast<double>(rows) * (layout.height + kMargin);
  return concat("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"", width, "\" height=\"", height,
                "\" viewBox=\"0 0 ", width, " ", height, "\" role=\"img\">\n<title>",
                markup_text(chart.settings.title), "</title>\n<style>", kCurveStyle,
                "</style>\n<rect class=\"card\" width=\"", width, "\" height=\"", height, "\"/>\n", body,
                "</svg>\n");
}

}  // namespace gloss
