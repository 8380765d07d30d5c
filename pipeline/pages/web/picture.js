const kSide = 240;  // pixels of the longer side of a canvas

// The weights of the places of a picture for a word in the selected map, or the mean over the heads.
function weightsOf(picture, word) {
  const places = picture.rows * picture.columns;
  const maps = chosenMaps();
  const weights = new Array(places).fill(0);
  for (const map of maps) {
    for (let place = 0; place < places; ++place) weights[place] += picture.maps[map][word * places + place] / maps.length / 1000;
  }
  return weights;
}

// A canvas with one pixel for each of the numbers.
function small(width, height, colour) {
  const canvas = make("canvas", {width, height});
  const context = canvas.getContext("2d");
  const image = context.createImageData(width, height);
  for (let i = 0; i < width * height; ++i) image.data.set(colour(i), 4 * i);
  context.putImageData(image, 0, 0);
  return canvas;
}

function pixelsOf(picture) {
  const bytes = atob(picture.pixels);
  const at = (i) => bytes.charCodeAt(i);
  return small(picture.width, picture.height, (i) => picture.channels === 1 ? [at(i), at(i), at(i), 255] :
                                                     [at(3 * i), at(3 * i + 1), at(3 * i + 2), 255]);
}

// How much wider than others a wide picture, such as a spectrogram, is drawn.
function spread(picture) {
  return Math.min(3.9, Math.max(1, picture.width / picture.height / 1.5));
}

// The picture; places that have little of the attention are dark.
function drawing(picture, pixels, weights) {
  const scale = kSide * spread(picture) / Math.max(picture.width, picture.height);
  const canvas = make("canvas", {width: Math.round(picture.width * scale), height: Math.round(picture.height * scale)});
  const context = canvas.getContext("2d");
  context.imageSmoothingEnabled = false;
  context.drawImage(pixels, 0, 0, canvas.width, canvas.height);
  if (!weights) return canvas;
  const most = Math.max(...weights, 1e-9);
  const shade = small(picture.columns, picture.rows, (i) => [0, 0, 0, Math.round(215 * (1 - weights[i] / most))]);
  context.imageSmoothingEnabled = true;
  context.drawImage(shade, 0, 0, canvas.width, canvas.height);
  return canvas;
}

function draw() {
  const picture = data.pictures[chosen("item")];
  byId("value").textContent = "";
  if (!picture) {
    byId("words").replaceChildren(make("p", {}, "There are no pictures with words."));
    return;
  }
  const pixels = pixelsOf(picture);
  const style = `width: ${8.5 * spread(picture)}rem`;
  const whole = make("figure", {style}, drawing(picture, pixels), make("figcaption", {class: "soft"}, "the source"));
  const figures = picture.words.map((word, number) => {
    const weights = weightsOf(picture, number);
    const best = weights.indexOf(Math.max(...weights));
    const text = `${word}: most attention, ${weights[best].toFixed(3)}, in row ${Math.floor(best / picture.columns) + 1} of ` +
        `${picture.rows}, column ${best % picture.columns + 1} of ${picture.columns}`;
    const figure = make("figure", {style, tabindex: "0", "aria-label": text}, drawing(picture, pixels, weights), make("figcaption", {}, word));
    const show = () => { byId("value").textContent = text; };
    figure.addEventListener("mouseenter", show);
    figure.addEventListener("focus", show);
    return figure;
  });
  byId("words").replaceChildren(whole, ...figures);
}

offerMaps(data.pictures.map((picture) => `${picture.line}: ${shortened(picture.words.join(" "), 60)}`), draw);
