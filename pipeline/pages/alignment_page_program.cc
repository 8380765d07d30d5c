// SPDX-License-Identifier: Apache-2.0

#include "pipeline/pages/alignment_page_program.h"

namespace gloss {

const char* const kAlignmentStyle = R"css(
#map table { width: auto; border-collapse: separate; border-spacing: 2px; }
#map th { font-weight: 400; padding: .2rem .4rem; border: 0; white-space: nowrap; min-width: 0; }
#map thead th { vertical-align: bottom; color: var(--ink); font-size: 1rem; }
#map thead th span { writing-mode: vertical-rl; transform: rotate(180deg); display: inline-block; max-height: 12rem; overflow: hidden; }
#map tbody th { text-align: right; position: sticky; left: 0; background: var(--card); }
#map td { padding: 0; border: 0; background: var(--page); min-width: 0; }
#map td div { width: 1.9rem; height: 1.9rem; background: var(--accent); }
#map td:hover, #map td:focus { outline: 2px solid var(--ink); }
#map th.here { font-weight: 700; }
#value { min-height: 1.5em; font-variant-numeric: tabular-nums; }
)css";

const char* const kAlignmentBody = R"html(<div class="scroll" id="map"></div>
</section>
<noscript><p>This page needs JavaScript to show its data.</p></noscript>
)html";

const char* const kAlignmentProgram = R"js(
// The weight of a target and a source word in the selected map, or the mean over the heads.
function weight(pair, target, source) {
  const place = target * pair.source.length + source, maps = chosenMaps();
  return maps.reduce((sum, map) => sum + pair.maps[map][place], 0) / maps.length / 1000;
}

function draw() {
  const pair = data.pairs[chosen("item")];
  byId("value").textContent = "";
  if (!pair) {
    byId("map").replaceChildren(make("p", {}, "There are no pairs with words."));
    return;
  }
  const columns = pair.source.map((word) => make("th", {scope: "col"}, make("span", {}, word)));
  const rows = pair.target.map((word, target) => {
    const name = make("th", {scope: "row"}, word);
    const cells = pair.source.map((from, source) => {
      const value = weight(pair, target, source);
      const cell = make("td", {tabindex: "0", "aria-label": `attention of ${word} to ${from}: ${value.toFixed(3)}`},
                        make("div", {style: `opacity: ${Math.min(1, value)}`}));
      const show = () => {
        byId("value").textContent = `${word} ← ${from}: ${value.toFixed(3)}`;
        for (const node of document.querySelectorAll("#map .here")) node.classList.remove("here");
        name.classList.add("here");
        columns[source].classList.add("here");
      };
      cell.addEventListener("mouseenter", show);
      cell.addEventListener("focus", show);
      return cell;
    });
    return make("tr", {}, name, ...cells);
  });
  byId("map").replaceChildren(make("table", {}, make("thead", {}, make("tr", {}, make("td", {}), ...columns)),
                                   make("tbody", {}, ...rows)));
}

offerMaps(data.pairs.map((pair) =>
    `${pair.line}: ${shortened(pair.name || pair.source.join(" "), pair.name ? 80 : 40)}`), draw);
)js";

}  // namespace gloss
