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
