// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace airamp::sidecar {

/// The look of the status page: light, dark, and black on white on paper.
inline constexpr std::string_view status_page_style = R"(
:root {
  color-scheme: light dark;
  --page: #f4f6f8; --card: #fff; --line: #dfe4ea; --text: #16202c; --faint: #5d6b7a;
  --good: #14804a; --warn: #a35b00; --bad: #c22f2f;
  --p0: #2a6fdb; --p1: #12a594; --p2: #8e4ec6; --p3: #e38b29; --p4: #d6409f; --p5: #4f9a2f; --native: #9aa7b5;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #0e141b; --card: #161f29; --line: #2b3846; --text: #e6edf3; --faint: #93a3b4;
    --good: #4cc38a; --warn: #f0a742; --bad: #ff7b72;
    --p0: #5b9bff; --p1: #2cc4b0; --p2: #b385e6; --p3: #f0a742; --p4: #ee7ec5; --p5: #86c95f; --native: #64748a;
  }
}
* { box-sizing: border-box }
body { margin: 0; padding: 1.5rem; background: var(--page); color: var(--text);
  font: 15px/1.45 system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; font-variant-numeric: tabular-nums }
main { max-width: 1200px; margin: 0 auto }
h1 { font-size: 1.35rem; margin: 0 }
h2 { font-size: 1.15rem; margin: 0; overflow-wrap: anywhere }
h3 { font-size: .8rem; margin: 1.4rem 0 .4rem; text-transform: uppercase; letter-spacing: .06em; color: var(--faint) }
p { margin: .2rem 0 }
a { color: var(--p0) }
.faint { color: var(--faint) }
.top { display: flex; flex-wrap: wrap; gap: .2rem 1.5rem; justify-content: space-between; align-items: baseline }
.job { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 1.2rem 1.4rem;
  margin-top: 1.2rem }
.badge { display: inline-block; border: 1px solid currentColor; border-radius: 99px; padding: 0 .6em; font-size: .82rem;
  font-weight: 600; white-space: nowrap }
.good { color: var(--good) } .warn { color: var(--warn) } .bad { color: var(--bad) }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr)); gap: .8rem; margin-top: 1rem }
.tile { border: 1px solid var(--line); border-radius: 8px; padding: .6rem .8rem }
.tile b { display: block; font-size: 1.35rem; line-height: 1.3 }
.tile span { font-size: .82rem; color: var(--faint) }
.bar { display: flex; height: 1.1rem; margin-bottom: .4rem; border-radius: 5px; overflow: hidden; background: var(--line) }
.bar i { display: block; min-width: 2px }
.dot { display: inline-block; width: .7em; height: .7em; border-radius: 2px; margin-right: .5em }
.scroll { overflow-x: auto }
table { border-collapse: collapse; width: 100%; font-size: .9rem }
th { text-align: left; font-weight: 600; color: var(--faint); border-bottom: 1px solid var(--line);
  padding: .25rem .8rem .25rem 0; white-space: nowrap }
td { border-bottom: 1px solid var(--line); padding: .3rem .8rem .3rem 0; vertical-align: top }
tr:last-child td { border-bottom: 0 }
th.n, td.n { text-align: right; white-space: nowrap; padding-right: 1.6rem }
th:last-child, td:last-child { padding-right: 0 }
td.w { white-space: nowrap }
.meter { display: inline-block; width: 5rem; height: .55rem; border-radius: 3px; background: var(--line);
  margin-left: .6rem; overflow: hidden; vertical-align: baseline }
.meter i { display: block; height: 100%; background: var(--warn) }
.meter i.up { background: var(--good) }
@media print {
  :root { --page: #fff; --card: #fff; --line: #bbb; --text: #000; --faint: #444; --good: #0a5c33; --warn: #7a4400;
    --bad: #9a1c1c }
  body { padding: 0; font-size: 10pt }
  .job { border: 0; border-top: 1px solid #000; border-radius: 0; padding: .6rem 0 }
  .tiles { grid-template-columns: repeat(6, 1fr); gap: .4rem }
  .tile, tr, .bar { break-inside: avoid }
  .bar, .dot, .meter i { print-color-adjust: exact; -webkit-print-color-adjust: exact }
  .scroll { overflow: visible }
}
)";

}  // namespace airamp::sidecar
