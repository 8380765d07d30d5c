// SPDX-License-Identifier: Apache-2.0

#include "pipeline/pages/page.h"

namespace gloss {

const char* const kPageStyle = R"css(
:root {
  --page: #fbfbf9; --card: #ffffff; --ink: #1d2126; --soft: #5b6470; --line: #dcdfe3; --accent: #1f5fa8;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #14171b; --card: #1c2026; --ink: #e6e9ed; --soft: #9aa4b0; --line: #343b44; --accent: #7fb2ee;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
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
.controls { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: end; margin: .5rem 0 .75rem; }
.controls label { display: flex; flex-direction: column; font-size: .8rem; color: var(--soft); max-width: 100%; }
select, input[type="search"], .controls > button, nav button {
  font: inherit; color: var(--ink); background: var(--page); border: 1px solid var(--line); border-radius: .375rem;
  padding: .35rem .5rem; min-height: 2.4rem; max-width: 100%;
}
button:focus-visible, select:focus-visible, input:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
fieldset { border: 0; padding: 0; margin: 0 0 .5rem; display: flex; flex-wrap: wrap; gap: .25rem 1rem; }
fieldset label { font-size: .875rem; display: inline-flex; gap: .35rem; align-items: center; min-height: 1.8rem; }
@media (max-width: 40rem) {
  body { padding: .5rem; }
  section { padding: .75rem; }
  th, td { padding: .35rem .4rem; }
}
@media print {
  :root { --page: #fff; --card: #fff; --ink: #000; --soft: #444; --line: #bbb; --accent: #000; }
  body { max-width: none; padding: 0; font-size: 10pt; }
  section { border: 0; padding: 0; }
  .controls, nav, fieldset { display: none; }
  article, tr { break-inside: avoid; }
  .scroll { overflow: visible; }
  * { print-color-adjust: exact; }
}
)css";

const char* const kPageProgram = R"js(
"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);

function make(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value !== null && value !== undefined) node.setAttribute(name, value);
  }
  node.append(...children);
  return node;
}

)js";

}  // namespace gloss
