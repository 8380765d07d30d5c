const digits = (value, count = 1) => value.toFixed(count);

// A table that sorts by a column on a click; cells are {show, value}.
function sortableTable(headings, rows) {
  const body = make("tbody");
  const heads = headings.map((heading, column) => {
    const button = make("button", {type: "button"}, heading);
    const head = make("th", {scope: "col"}, button);
    button.addEventListener("click", () => {
      const descending = head.getAttribute("aria-sort") !== "descending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", descending ? "descending" : "ascending");
      const compare = (a, b) => {
        const x = a[column].value, y = b[column].value;
        return typeof x === "string" ? x.localeCompare(y) : x - y;
      };
      fill([...rows].sort((a, b) => (descending ? -1 : 1) * compare(a, b)));
    });
    return head;
  });
  function fill(list) {
    body.replaceChildren(...list.map((row) => make("tr", {}, ...row.map((cell, i) =>
      i === 0 ? make("th", {scope: "row"}, cell.show) : make("td", {class: cell.class, style: cell.style}, cell.show)))));
  }
  fill(rows);
  return make("table", {}, make("thead", {}, make("tr", {}, ...heads)), body);
}

function options(select, names, chosen) {
  select.replaceChildren(...names.map((name, i) => make("option", {value: String(i)}, name)));
  select.value = String(chosen);
}

function showHead() {
  byId("title").textContent = data.title;
  const count = data.sentences.length, systems = data.systems.length;
  byId("summary").textContent = `${count} segments, ${systems} system${systems === 1 ? "" : "s"}, references ${data.references}`;
}

function scoreCell(metric, result, range) {
  const cell = make("span");
  const best = metric.results.every((other) => metric.lowerIsBetter ? result.score <= other.score : result.score >= other.score);
  cell.append(make("span", {class: best ? "best" : null}, digits(result.score)));
  if (result.interval) cell.append(make("span", {class: "soft"}, ` \u00b1 ${digits(result.interval[1])}`));
  if (result.p !== undefined) {
    const up = result.score > metric.results[0].score;
    const better = up !== metric.lowerIsBetter;
    const significant = result.p < 0.05;
    const text = significant ? ` ${up ? "\u25b2" : "\u25bc"}*` : "";
    cell.append(make("span", {class: better ? "better" : "worse", title: significant ? "significant" : null}, text),
                make("span", {class: "soft"}, ` p ${result.p < 0.001 ? "< 0.001" : "= " + digits(result.p, 3)}`));
  }
  if (result.interval) {
    const place = (value) => 100 * (value - range[0]) / (range[1] - range[0] || 1);
    const low = result.interval[0] - result.interval[1], high = result.interval[0] + result.interval[1];
    cell.append(make("span", {class: "track", "aria-hidden": "true"},
      make("span", {style: `left:${place(low)}%;width:${place(high) - place(low)}%`}),
      make("i", {style: `left:${place(result.score)}%`})));
  }
  return cell;
}

function showScores() {
  const ranges = data.metrics.map((metric) => {
    const ends = metric.results.flatMap((r) => r.interval
      ? [r.interval[0] - r.interval[1], r.interval[0] + r.interval[1], r.score] : [r.score]);
    return [Math.min(...ends), Math.max(...ends)];
  });
  const rows = data.systems.map((name, i) => [
    {show: i === 0 && data.systems.length > 1 ? name + " (baseline)" : name, value: name},
    ...data.metrics.map((metric, m) => ({show: scoreCell(metric, metric.results[i], ranges[m]), value: metric.results[i].score}))]);
  byId("scores").append(sortableTable(["System", ...data.metrics.map((m) => m.name)], rows));
  byId("scores-note").textContent = data.systems.length > 1
    ? "With 95 % intervals. An arrow with * marks a significant difference to the baseline (p < 0.05); green is better. Lower is better for TER."
    : "With 95 % intervals.";
  for (const metric of data.metrics) byId("signatures").append(make("div", {}, make("code", {}, `${metric.name}|${metric.signature}`)));
}

// A table with a row per system and a column per bucket, shaded from the worst to the best score of each column.
function heatTable(buckets, scoresOf, lowerIsBetter) {
  const rows = data.systems.map((name, i) => [{show: name, value: name}, ...buckets.map((bucket) => {
    const scores = scoresOf(bucket), worst = lowerIsBetter ? Math.max(...scores) : Math.min(...scores);
    const best = lowerIsBetter ? Math.min(...scores) : Math.max(...scores);
    const share = best === worst ? 0 : (scores[i] - worst) / (best - worst);
    return {show: digits(scores[i]), value: scores[i], style: `background:rgba(var(--heat),${digits(0.45 * share, 2)})`};
  })]);
  return sortableTable(["System", ...buckets.map((b) => `${b.name} (${b.count})`)], rows);
}

function showLengths() {
  const m = Number(byId("length-metric").value);
  byId("lengths").replaceChildren(heatTable(data.lengths, (bucket) => bucket.scores[m], data.metrics[m].lowerIsBetter));
}

function ngramTable(heading, list, other) {
  const rows = list.map(([text, baseline, system]) => [
    {show: text, value: text}, {show: String(baseline), value: baseline},
    {show: String(system), value: system}, {show: (system > baseline ? "+" : "\u2212") + Math.abs(system - baseline), value: system - baseline}]);
  return make("div", {}, make("h3", {}, heading), make("div", {class: "scroll"},
    sortableTable(["N-gram", "Baseline", other, "Difference"], rows)));
}

function showNgrams() {
  const i = Number(byId("ngram-system").value), of = data.ngrams[i], name = data.systems[i + 1];
  byId("ngrams").replaceChildren(ngramTable(`Matched more often by ${name}`, of.gained, "System"),
                                 ngramTable(`Matched more often by ${data.systems[0]} (baseline)`, of.lost, "System"));
}

const tokenPattern = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{M}\p{N}]+|\S/gu;
const tokens = (text) => [...text.matchAll(tokenPattern)];

// The tokens of both texts that belong to a longest common subsequence.
function common(first, second) {
  const n = first.length, m = second.length, inFirst = new Set(), inSecond = new Set();
  if (n * m > 1e6) return null;
  const table = Array.from({length: n + 1}, () => new Uint32Array(m + 1));
  for (let i = n - 1; i >= 0; --i) {
    for (let j = m - 1; j >= 0; --j) {
      table[i][j] = first[i][0] === second[j][0] ? table[i + 1][j + 1] + 1 : Math.max(table[i + 1][j], table[i][j + 1]);
    }
  }
  for (let i = 0, j = 0; i < n && j < m;) {
    if (first[i][0] === second[j][0]) { inFirst.add(i++); inSecond.add(j++); }
    else if (table[i + 1][j] >= table[i][j + 1]) ++i; else ++j;
  }
  return [inFirst, inSecond];
}

// The text with the tokens selected by `differs` in separate elements.
function marked(text, list, differs, tag) {
  const node = make("dd", {dir: "auto"});
  let end = 0;
  list.forEach((token, i) => {
    node.append(text.slice(end, token.index));
    node.append(differs(i) ? make(tag, {}, token[0]) : token[0]);
    end = token.index + token[0].length;
  });
  node.append(text.slice(end));
  return node;
}

const state = {page: 0, descending: false};
const pageSize = 20;
const shownSystems = () => [...byId("shown").querySelectorAll("input:checked")].map((box) => Number(box.value));

function sentenceCard(index) {
  const sentence = data.sentences[index], m = Number(byId("sentence-metric").value), shown = shownSystems();
  const reference = sentence.r[0] || "", referenceTokens = tokens(reference), seen = new Set();
  const outputs = shown.map((system) => {
    const text = sentence.h[system], list = tokens(text), both = common(list, referenceTokens);
    if (both) both[1].forEach((i) => seen.add(i)); else referenceTokens.forEach((_, i) => seen.add(i));
    const score = make("b", {}, digits(sentence.v[m][system]));
    return [make("dt", {}, data.systems[system], " ", score), marked(text, list, (i) => both && !both[0].has(i), "mark")];
  });
  const lines = make("dl");
  if (sentence.s !== undefined) lines.append(make("dt", {}, "Source"), make("dd", {dir: "auto"}, sentence.s));
  lines.append(make("dt", {}, "Reference"), marked(reference, referenceTokens, (i) => shown.length > 0 && !seen.has(i), "u"));
  sentence.r.slice(1).forEach((text, i) => lines.append(make("dt", {}, `Reference ${i + 2}`), make("dd", {dir: "auto"}, text)));
  outputs.forEach((pair) => lines.append(...pair));
  return make("article", {"data-line": String(index + 1)},
    make("header", {}, make("span", {}, `Line ${index + 1}`), make("span", {}, `${sentence.n} words`)), lines);
}

function sortKey() {
  const kind = byId("sort").value, m = Number(byId("sentence-metric").value), v = (i) => data.sentences[i].v[m];
  if (kind === "line") return (i) => i;
  if (kind === "length") return (i) => data.sentences[i].n;
  const system = Number(kind.slice(1));
  return kind[0] === "s" ? (i) => v(i)[system] : (i) => v(i)[system] - v(i)[0];
}

function showSentences() {
  const wanted = byId("find").value.toLowerCase(), key = sortKey(), shown = shownSystems();
  const has = (s) => !wanted || [s.s || "", ...s.r, ...shown.map((i) => s.h[i])].some((t) => t.toLowerCase().includes(wanted));
  const list = data.sentences.map((_, i) => i).filter((i) => has(data.sentences[i]));
  list.sort((a, b) => (state.descending ? key(b) - key(a) : key(a) - key(b)) || a - b);
  const pages = Math.max(1, Math.ceil(list.length / pageSize));
  state.page = Math.min(state.page, pages - 1);
  byId("found").textContent = `${list.length} of ${data.sentences.length} segments`;
  byId("place").textContent = `Page ${state.page + 1} of ${pages}`;
  byId("previous").disabled = state.page === 0;
  byId("next").disabled = state.page + 1 >= pages;
  byId("sentences").replaceChildren(...list.slice(state.page * pageSize, (state.page + 1) * pageSize).map(sentenceCard));
}

function restart() { state.page = 0; showSentences(); }

function prepareSentences() {
  options(byId("sentence-metric"), data.metrics.map((m) => m.name), 0);
  const sort = byId("sort");
  sort.append(make("option", {value: "line"}, "Line"), make("option", {value: "length"}, "Length"));
  data.systems.forEach((name, i) => sort.append(make("option", {value: `s${i}`}, `Score of ${name}`)));
  data.systems.slice(1).forEach((name, i) => sort.append(make("option", {value: `d${i + 1}`}, `Difference of ${name} to the baseline`)));
  data.systems.forEach((name, i) => {
    const box = make("input", {type: "checkbox", value: String(i)});
    box.checked = i < 3;
    byId("shown").append(make("label", {}, box, name));
  });
  byId("find").addEventListener("input", restart);
  for (const id of ["sentence-metric", "sort", "shown"]) byId(id).addEventListener("change", restart);
  byId("direction").addEventListener("click", () => {
    state.descending = !state.descending;
    byId("direction").textContent = state.descending ? "Largest first" : "Smallest first";
    byId("direction").setAttribute("aria-pressed", String(state.descending));
    restart();
  });
  byId("previous").addEventListener("click", () => { --state.page; showSentences(); });
  byId("next").addEventListener("click", () => { ++state.page; showSentences(); });
  showSentences();
}

showHead();
showScores();
options(byId("length-metric"), data.metrics.map((m) => m.name), 0);
byId("length-metric").addEventListener("change", showLengths);
showLengths();
byId("frequencies").append(heatTable(data.frequencies, (bucket) => bucket.scores, false));
if (data.ngrams.length > 0) {
  options(byId("ngram-system"), data.systems.slice(1), 0);
  byId("ngram-system").addEventListener("change", showNgrams);
  showNgrams();
} else {
  byId("ngrams-section").hidden = true;
}
prepareSentences();
