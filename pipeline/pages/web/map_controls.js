const chosen = (id) => Number(byId(id).value);

// The maps of the chosen layer and head, or of all heads.
function chosenMaps() {
  const first = chosen("layer") * data.heads;
  return chosen("head") >= 0 ? [first + chosen("head")] : [...Array(data.heads).keys()].map((head) => first + head);
}

// Fills the choices of an item, a layer and a head; each change draws again.
function offerMaps(labels, draw) {
  labels.forEach((label, i) => byId("item").append(make("option", {value: i}, label)));
  for (let layer = 0; layer < (data.layers || 0); ++layer) byId("layer").append(make("option", {value: layer}, `${layer + 1}`));
  byId("head").append(make("option", {value: -1}, "mean"));
  for (let head = 0; head < (data.heads || 0); ++head) byId("head").append(make("option", {value: head}, `${head + 1}`));
  byId("layer").value = data.layer;
  byId("head").value = data.head;
  if ((data.layers || 0) * (data.heads || 0) <= 1) {
    for (const id of ["layer", "head"]) byId(id).parentElement.hidden = true;
  }
  const move = (by) => {
    const item = chosen("item") + by;
    if (item < 0 || item >= labels.length) return;
    byId("item").value = item;
    draw();
  };
  for (const id of ["item", "layer", "head"]) byId(id).addEventListener("change", draw);
  byId("previous").addEventListener("click", () => move(-1));
  byId("next").addEventListener("click", () => move(1));
  draw();
}

const shortened = (words, most) => words.length > most ? words.slice(0, most) + "…" : words;
