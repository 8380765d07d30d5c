// SPDX-License-Identifier: Apache-2.0

#include "pipeline/pages/comparison_page.h"

namespace gloss {

const char* const kReportStyle = R"css(
:root { --better: #1b7a43; --worse: #b3372f; --heat: 31, 95, 168; --extra: #ffe3b8; --missing: #b3372f; }
@media (prefers-color-scheme: dark) {
  :root { --better: #67c78e; --worse: #f08a80; --heat: 127, 178, 238; --extra: #5c4316; --missing: #f08a80; }
}
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
  dl { grid-template-columns: 1fr; gap: 0; }
  dd { margin-bottom: .5rem; }
}
@media print {
  :root { --extra: #e4e4e4; }
  section { break-inside: auto; }
  mark { outline: 1px dotted #000; }
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
<p class="soft">Length in words of the reference. Stronger colours are better scores among the systems.</p>
<div class="controls"><label>Metric<select id="length-metric"></select></label></div>
<div class="scroll" id="lengths"></div></section>
<section aria-labelledby="frequencies-heading"><h2 id="frequencies-heading">Words by frequency</h2>
<p class="soft">F-score of words, by their frequency in the references.</p>
<div class="scroll" id="frequencies"></div></section>
<section aria-labelledby="ngrams-heading" id="ngrams-section"><h2 id="ngrams-heading">N-grams that one system matches more often</h2>
<p class="soft">N-grams of the references, and how often each of the two systems matches them.</p>
<div class="controls"><label>System<select id="ngram-system"></select></label></div>
<div class="pair" id="ngrams"></div></section>
<section aria-labelledby="sentences-heading"><h2 id="sentences-heading">Sentences</h2>
<p class="soft"><mark>Marked</mark>: not in the reference, or in another place. <u>Underlined</u>: in the reference, but missing in all systems shown.</p>
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
