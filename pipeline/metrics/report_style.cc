#include "pipeline/metrics/report.h"

namespace gloss {

const char* const kReportStyle = R"css(
:root {
  --page: #fbfbf9; --card: #ffffff; --ink: #1d2126; --soft: #5b6470; --line: #dcdfe3; --accent: #1f5fa8;
  --better: #1b7a43; --worse: #b3372f; --heat: 31, 95, 168; --extra: #ffe3b8; --missing: #b3372f;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #14171b; --card: #1c2026; --ink: #e6e9ed; --soft: #9aa4b0; --line: #343b44; --accent: #7fb2ee;
    --better: #67c78e; --worse: #f08a80; --heat: 127, 178, 238; --extra: #5c4316; --missing: #f08a80;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0 auto; padding: 1rem; max-width: 72rem; background: var(--page); color: var(--ink);
  font: 16px/1.5 system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; overflow-wrap: anywhere;
}
h1 { font-size: 1.5rem; line-height: 1.25; margin: .5rem 0 .25rem; }
h2 { font-size: 1.15rem; margin: 0 0 .25rem; }
h3 { font-size: 1rem; margin: .5rem 0 .25rem; }
p { margin: .25rem 0 .75rem; }
.soft { color: var(--soft); font-size: .875rem; }
section { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: 1rem; margin: 1rem 0; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: .35rem .6rem; text-align: right; border-bottom: 1px solid var(--line); white-space: nowrap; }
th:first-child, td:first-child { text-align: left; white-space: normal; min-width: 9rem; }
thead th { color: var(--soft); font-weight: 600; font-size: .875rem; }
thead button {
  font: inherit; color: inherit; background: none; border: 0; padding: .25rem 0; cursor: pointer; text-align: inherit;
}
th[aria-sort] button { color: var(--accent); }
th[aria-sort="ascending"] button::after { content: " \2191"; }
th[aria-sort="descending"] button::after { content: " \2193"; }
.best { font-weight: 700; }
.better { color: var(--better); }
.worse { color: var(--worse); }
.track { position: relative; display: block; height: .5rem; margin-top: .2rem; min-width: 6rem; background: var(--line);
  border-radius: .25rem; }
.track span { position: absolute; top: 0; bottom: 0; background: var(--accent); opacity: .55; border-radius: .25rem; }
.track i { position: absolute; top: -.15rem; bottom: -.15rem; width: 2px; background: var(--ink); }
.controls { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: end; margin: .5rem 0 .75rem; }
.controls label { display: flex; flex-direction: column; font-size: .8rem; color: var(--soft); max-width: 100%; }
select, input[type="search"], .controls > button, nav button {
  font: inherit; color: var(--ink); background: var(--page); border: 1px solid var(--line); border-radius: .375rem;
  padding: .35rem .5rem; min-height: 2.4rem; max-width: 100%;
}
button:focus-visible, select:focus-visible, input:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
fieldset { border: 0; padding: 0; margin: 0 0 .5rem; display: flex; flex-wrap: wrap; gap: .25rem 1rem; }
fieldset label { font-size: .875rem; display: inline-flex; gap: .35rem; align-items: center; min-height: 1.8rem; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr)); gap: 1rem; }
article { border-top: 1px solid var(--line); padding: .75rem 0; }
article header { display: flex; gap: 1rem; color: var(--soft); font-size: .8rem; }
dl { display: grid; grid-template-columns: minmax(6rem, 14rem) 1fr; gap: .3rem .9rem; margin: .35rem 0 0; }
dt { color: var(--soft); font-size: .8rem; padding-top: .15rem; }
dt b { color: var(--ink); font-variant-numeric: tabular-nums; }
dd { margin: 0; white-space: pre-wrap; }
mark { background: var(--extra); color: inherit; border-radius: .15rem; padding: 0 .1rem; }
u { text-decoration: underline wavy var(--missing); text-underline-offset: .2em; }
nav { display: flex; gap: .75rem; align-items: center; margin-top: .5rem; }
code { font-size: .8rem; }
@media (max-width: 40rem) {
  body { padding: .5rem; }
  section { padding: .75rem; }
  dl { grid-template-columns: 1fr; gap: 0; }
  dd { margin-bottom: .5rem; }
  th, td { padding: .35rem .4rem; }
}
@media print {
  :root { --page: #fff; --card: #fff; --ink: #000; --soft: #444; --line: #bbb; --accent: #000; --extra: #e4e4e4; }
  body { max-width: none; padding: 0; font-size: 10pt; }
  section { border: 0; padding: 0; break-inside: auto; }
  .controls, nav, fieldset { display: none; }
  article, tr { break-inside: avoid; }
  mark { outline: 1px dotted #000; }
  .scroll { overflow: visible; }
  * { print-color-adjust: exact; }
}
)css";

const char* const kReportBody = R"html(<header>
<h1 id="title"></h1>
<p class="soft" id="summary"></p>
</header>
<main>
<section aria-labelledby="scores-heading"><h2 id="scores-heading">Scores</h2>
<p class="soft" id="scores-note"></p><div class="scroll" id="scores"></div><div id="signatures" class="soft"></div></section>
<section aria-labelledby="lengths-heading"><h2 id="lengths-heading">Score by sentence length</h2>
<p class="soft">Words of the reference. The stronger the colour, the better among the systems.</p>
<div class="controls"><label>Metric<select id="length-metric"></select></label></div>
<div class="scroll" id="lengths"></div></section>
<section aria-labelledby="frequencies-heading"><h2 id="frequencies-heading">Words by frequency</h2>
<p class="soft">How well words are got that the references have so many times: F-score of precision and recall.</p>
<div class="scroll" id="frequencies"></div></section>
<section aria-labelledby="ngrams-heading" id="ngrams-section"><h2 id="ngrams-heading">N-grams one gets and the other misses</h2>
<p class="soft">Word sequences of the references and how often each of the two has them in their place.</p>
<div class="controls"><label>System<select id="ngram-system"></select></label></div>
<div class="pair" id="ngrams"></div></section>
<section aria-labelledby="sentences-heading"><h2 id="sentences-heading">Sentences</h2>
<p class="soft"><mark>Marked</mark>: not in the reference, or elsewhere. <u>Underlined</u>: in the reference, but not there in any system shown.</p>
<div class="controls">
<label>Find text<input type="search" id="find" autocomplete="off"></label>
<label>Metric<select id="sentence-metric"></select></label>
<label>Sort by<select id="sort"></select></label>
<button type="button" id="direction" aria-pressed="false">Smallest first</button>
</div>
<fieldset id="shown"><legend class="soft">Systems shown</legend></fieldset>
<p class="soft" id="found" role="status"></p>
<div id="sentences"></div>
<nav aria-label="Pages"><button type="button" id="previous">Previous</button><span id="place"></span><button type="button" id="next">Next</button></nav>
</section>
</main>
<noscript><p>This report needs JavaScript to show its data.</p></noscript>
)html";

}  // namespace gloss
