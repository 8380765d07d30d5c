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

const char* const kAlignmentBody = R"html(<section>
<div class="controls">
<label>Pair <select id="pair"></select></label>
<button type="button" id="previous">Previous</button>
<button type="button" id="next">Next</button>
<label>Layer <select id="layer"></select></label>
<label>Head <select id="head"></select></label>
</div>
<p id="value" aria-live="polite"></p>
<div class="scroll" id="map"></div>
</section>
<noscript><p>This page needs JavaScript to show its data.</p></noscript>
)html";

const char* const kAlignmentProgram = R"js(
const chosen = (id) => Number(byId(id).value);

// The weight of a target and a source word in the selected map, or the mean over the heads.
function weight(pair, target, source) {
  const place = target * pair.source.length + source;
  const first = chosen("layer") * data.heads;
  if (chosen("head") >= 0) return pair.maps[first + chosen("head")][place] / 1000;
  let sum = 0;
  for (let head = 0; head < data.heads; ++head) sum += pair.maps[first + head][place];
  return sum / data.heads / 1000;
}

function draw() {
  const pair = data.pairs[chosen("pair")];
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

function move(by) {
  const pair = chosen("pair") + by;
  if (pair < 0 || pair >= data.pairs.length) return;
  byId("pair").value = pair;
  draw();
}

data.pairs.forEach((pair, i) => {
  const words = pair.name || pair.source.join(" ");
  const most = pair.name ? 80 : 40;
  byId("pair").append(make("option", {value: i}, `${pair.line}: ${words.length > most ? words.slice(0, most) + "…" : words}`));
});
for (let layer = 0; layer < (data.layers || 0); ++layer) byId("layer").append(make("option", {value: layer}, `${layer + 1}`));
byId("head").append(make("option", {value: -1}, "mean"));
for (let head = 0; head < (data.heads || 0); ++head) byId("head").append(make("option", {value: head}, `${head + 1}`));
byId("layer").value = data.layer;
byId("head").value = data.head;
if ((data.layers || 0) * (data.heads || 0) <= 1) {
  for (const id of ["layer", "head"]) byId(id).parentElement.hidden = true;
}
for (const id of ["pair", "layer", "head"]) byId(id).addEventListener("change", draw);
byId("previous").addEventListener("click", () => move(-1));
byId("next").addEventListener("click", () => move(1));
draw();
)js";

}  // namespace gloss
