// SPDX-License-Identifier: Apache-2.0

#include "pipeline/pages/chart.h"

namespace gloss {

// Seven colours with a contrast of at least 3 to the background, which people with protanopia, deuteranopia
// or tritanopia can distinguish (found by a search that maximises distances in OKLab, simulated as in Machado
// 2009). No CSS variables, since some SVG viewers do not support them.
const char* const kCurveStyle = R"css(
.card { fill: #ffffff; }
.tick, .heading, .label, .title, .note { fill: #1d2126; font-family: system-ui, "Segoe UI", Roboto, Arial, sans-serif; }
.tick, .note { fill: #5b6470; }
.tick { font-size: 11px; }
.heading { font-size: 13px; font-weight: 600; }
.label, .note { font-size: 13px; }
.title { font-size: 20px; font-weight: 600; }
.of-x { text-anchor: middle; }
.of-y { text-anchor: end; }
.grid, .axis { fill: none; stroke: #dcdfe3; stroke-width: 1; }
.axis { stroke: #5b6470; }
.curve { fill: none; stroke-linejoin: round; stroke-linecap: round; stroke-width: 1.5; }
.curve.thin { stroke-width: 1; stroke-opacity: .6; }
.curve.faint { stroke-width: 1; stroke-opacity: .25; }
.curve.line { stroke-width: 1.25; }
.curve.strong { stroke-width: 2; }
.dash-1.curve { stroke-dasharray: 6 4; }
.dash-2.curve { stroke-dasharray: 1 4; }
.dash-3.curve { stroke-dasharray: 8 3 1 3; }
.skipped.curve { stroke-width: 1.5; stroke-dasharray: none; }
.colour-0.curve { stroke: #3a92fe; } .colour-0.dot { fill: #3a92fe; }
.colour-1.curve { stroke: #550408; } .colour-1.dot { fill: #550408; }
.colour-2.curve { stroke: #8d8c03; } .colour-2.dot { fill: #8d8c03; }
.colour-3.curve { stroke: #781eb2; } .colour-3.dot { fill: #781eb2; }
.colour-4.curve { stroke: #da59a1; } .colour-4.dot { fill: #da59a1; }
.colour-5.curve { stroke: #1d5e4c; } .colour-5.dot { fill: #1d5e4c; }
.colour-6.curve { stroke: #061e6a; } .colour-6.dot { fill: #061e6a; }
@media (prefers-color-scheme: dark) {
  .card { fill: #1c2026; }
  .heading, .label, .title { fill: #e6e9ed; }
  .tick, .note { fill: #9aa4b0; }
  .grid { stroke: #343b44; }
  .axis { stroke: #9aa4b0; }
  .colour-0.curve { stroke: #59f4f8; } .colour-0.dot { fill: #59f4f8; }
  .colour-1.curve { stroke: #f69d4d; } .colour-1.dot { fill: #f69d4d; }
  .colour-2.curve { stroke: #f4f72e; } .colour-2.dot { fill: #f4f72e; }
  .colour-3.curve { stroke: #b29fed; } .colour-3.dot { fill: #b29fed; }
  .colour-4.curve { stroke: #c52f9c; } .colour-4.dot { fill: #c52f9c; }
  .colour-5.curve { stroke: #837219; } .colour-5.dot { fill: #837219; }
  .colour-6.curve { stroke: #276bfe; } .colour-6.dot { fill: #276bfe; }
}
)css";

}  // namespace gloss
