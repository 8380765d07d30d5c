// SPDX-License-Identifier: Apache-2.0

#include "pipeline/pages/sample_page.h"

#include <nlohmann/json.hpp>

#include "base/text.h"
#include "pipeline/pages/page.h"
#include "pipeline/pages/web_files.h"

namespace gloss {
namespace {

std::string rows_of(const RuleSample& sample) {
  std::string rows;
  for (const SampledLine& line : sample.lines) {
    rows += concat("<tr><td>", line.line, "</td><td>", markup_text(line.side), "</td><td>",
                   markup_text(line.value), "</td><td class=\"text\">", markup_text(line.source),
                   "</td><td class=\"text\">", markup_text(line.target), "</td></tr>\n");
  }
  return rows;
}

}  // namespace

std::string sample_page(std::span<const RuleSample> samples, const std::string& title,
                        const std::string& summary) {
  std::string body =
      concat("<h1>", markup_text(title), "</h1>\n<p class=\"soft\">", markup_text(summary), "</p>\n");
  for (const RuleSample& sample : samples) {
    body +=
        concat("<section id=\"", markup_text(sample.name), "\"><h2>", markup_text(sample.name), " ",
               markup_text(sample.bounds), "</h2>\n<p class=\"soft\">", markup_text(sample.meaning),
               ". Rejected: ", sample.count, ", shown: ", sample.lines.size(),
               "</p>\n<div "
               "class=\"scroll\"><table><thead><tr><th>Line</th><th>Side</th><th>Value</th><th>Source</th>"
               "<th>Target</th></tr></thead><tbody>\n",
               rows_of(sample), "</tbody></table></div></section>\n");
  }
  return self_contained_page({title, kSampleStyle, body, nlohmann::json::object(), ""});
}

}  // namespace gloss
