const layout = data.layout, span = data.x.high - data.x.low;
const shown = data.runs.map(() => true);
const svgNode = (tag, attributes) => {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  return node;
};
const number = (value) => Math.abs(value) >= 1000 ? Math.round(value).toLocaleString("en") : String(Number(value.toPrecision(5)));
const two = (value) => String(Math.floor(value)).padStart(2, "0");
const placeText = {
  updates: (x) => `update ${Math.round(x).toLocaleString("en")}`,
  tokens: (x) => `${Math.round(x).toLocaleString("en")} tokens`,
  epochs: (x) => `epoch ${x.toFixed(2)}`,
  time: (x) => `${Math.floor(x / 3600)}:${two(x / 60 % 60)}:${two(x % 60)}`,
}[data.x.kind];
const across = (x) => layout.left + layout.width * (x - data.x.low) / span;
const scale = (panel, y) => panel.logarithmic ? Math.log10(y) : y;
const down = (panel, y) => layout.top + layout.height *
  (1 - (scale(panel, y) - scale(panel, panel.low)) / (scale(panel, panel.high) - scale(panel, panel.low)));

// The index of the point closest to x; -1 if the curve ends far from x.
function nearest(curve, x) {
  const places = curve.x;
  let low = 0, high = places.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (places[middle] < x) low = middle + 1; else high = middle;
  }
  if (low > 0 && x - places[low - 1] < places[low] - x) --low;
  const inside = x >= places[0] - span / 50 && x <= places[places.length - 1] + span / 50;
  return inside && curve.y[low] !== null ? low : -1;
}

const samples = [...document.querySelectorAll(".sample")];
const views = [...document.querySelectorAll("figure")].map((figure, i) => {
  const svg = figure.querySelector("svg"), cursor = svgNode("g", {class: "hidden"});
  const values = make("div", {class: "values hidden", role: "status"});
  svg.append(cursor);
  figure.append(values);
  return {figure, svg, cursor, values, panel: data.panels[i]};
});

function readings(panel, x) {
  return panel.curves.filter((curve) => shown[curve.run]).map((curve) => ({curve, at: nearest(curve, x)}))
    .filter((reading) => reading.at >= 0);
}

function drawCursor(view, x, list) {
  const rule = svgNode("path", {class: "cursor", d: `M${across(x)} ${layout.top}v${layout.height}`});
  view.cursor.replaceChildren(rule, ...list.map(({curve, at}) => svgNode("circle", {
    class: `dot colour-${curve.run % 7}`, cx: across(curve.x[at]), cy: down(view.panel, curve.y[at]), r: 3.5})));
  view.cursor.classList.remove("hidden");
}

function listValues(view, x, list) {
  const kinds = [false, true].filter((kind) => list.some((reading) => reading.curve.validation === kind));
  const rows = data.runs.map((label, run) => {
    const own = list.filter((reading) => reading.curve.run === run);
    if (own.length === 0) return null;
    return make("tr", {}, make("th", {scope: "row"}, samples[run].cloneNode(true), " ", make("bdi", {}, label)), ...kinds.map((kind) => {
      const reading = own.find((one) => one.curve.validation === kind);
      return make("td", {}, reading ? number(reading.curve.y[reading.at]) : "");
    }));
  }).filter((row) => row);
  const heads = kinds.length < 2 ? [] : [make("tr", {}, make("th"), make("td", {}, "training"), make("td", {}, "validation"))];
  view.values.replaceChildren(make("table", {}, make("caption", {}, placeText(x)), make("tbody", {}, ...heads, ...rows)));
  const left = (across(x) / layout.whole) > .5;
  view.values.style.left = left ? "3.5rem" : "";
  view.values.style.right = left ? "" : "1rem";
  view.values.classList.remove("hidden");
}

let place = null;  // x of the cursor

// Shows the cursor at the same x in all panels, and the values in the panel under the pointer.
function show(x, active) {
  place = x === null ? null : Math.min(data.x.high, Math.max(data.x.low, x));
  for (const view of views) {
    view.values.classList.add("hidden");
    view.cursor.classList.add("hidden");
    if (place === null) continue;
    const list = readings(view.panel, place);
    drawCursor(view, place, list);
    if (view === active && list.length > 0) listValues(view, place, list);
  }
}

for (const view of views) {
  const follow = (event) => {
    const box = view.svg.getBoundingClientRect();
    const unit = (event.clientX - box.left) / box.width * layout.whole;
    show(data.x.low + span * (unit - layout.left) / layout.width, view);
  };
  view.svg.addEventListener("pointermove", follow);
  view.svg.addEventListener("pointerdown", follow);
  view.svg.addEventListener("pointerleave", () => show(null));
  view.svg.addEventListener("blur", () => show(null));
  view.svg.addEventListener("keydown", (event) => {
    const step = {ArrowLeft: -span / 100, ArrowRight: span / 100}[event.key];
    if (step) show((place === null ? data.x.low : place) + step, view);
    if (event.key === "Escape") show(null);
    if (step) event.preventDefault();
  });
}

// A checkbox before each run shows or hides its curves.
document.querySelectorAll("tbody label").forEach((label, run) => {
  const box = make("input", {type: "checkbox"});
  box.checked = true;
  box.addEventListener("change", () => {
    shown[run] = box.checked;
    document.querySelectorAll(`.run-${run}`).forEach((node) => node.classList.toggle("hidden", !box.checked));
    show(null);
  });
  label.prepend(box);
});
