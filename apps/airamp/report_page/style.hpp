// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace airamp::report_page {

/// The look of the page: light, dark, and on paper. Colours of paths and states are those of Okabe and Ito, which stay
/// apart for colour-blind readers (Color Universal Design, 2008).
inline constexpr std::string_view style = R"(
:root { color-scheme: light dark;
  --page: #f5f6f8; --card: #fff; --line: #dde2e8; --text: #17202b; --faint: #5a6675; --strong: #005a94; --bad: #b34700;
  --native: #9aa5b1; --path1: #0072b2; --path2: #009e73; --path3: #d55e00; --path4: #e69f00; --path5: #56b4e9;
  --path6: #b35f93; --path7: #7a3e00; --path8: #444; --outside: #e6eaee; --collectives: #4b5a6b; --learning: #d3dae1;
  --tint: #eef5fb }
@media (prefers-color-scheme: dark) { :root {
  --page: #0f151c; --card: #171f29; --line: #2c3744; --text: #e4eaf0; --faint: #98a6b5; --strong: #7cc4f5; --bad: #f2965a;
  --native: #6f7d8c; --path1: #3d9fdc; --path2: #1fb98d; --path3: #ee7b2d; --path4: #efb32f; --path5: #7ccaf3;
  --path6: #d68bb9; --path7: #b98555; --path8: #c3c9cf; --outside: #28323e; --collectives: #a3b1c0; --learning: #3a4654;
  --tint: #1b2835 } }
* { box-sizing: border-box }
body { margin: 0; background: var(--page); color: var(--text); font: 16px/1.55 system-ui, -apple-system, "Segoe UI",
  Roboto, "Noto Sans", "DejaVu Sans", sans-serif; font-variant-numeric: tabular-nums }
main { max-width: 1160px; margin: 0 auto; padding: 2.5rem 1.5rem 3rem }
header { margin-bottom: 1.6rem }
h1 { font-size: 2.1rem; line-height: 1.2; margin: 0; letter-spacing: -.015em; overflow-wrap: anywhere }
h2 { font-size: 1.25rem; line-height: 1.3; margin: 0 0 .6rem; letter-spacing: -.005em }
p { margin: 0 0 .8rem; max-width: 46rem }
header p { margin: .25rem 0 0; max-width: none; overflow-wrap: anywhere }
.kind { color: var(--strong); font-weight: 600; font-size: .85rem; letter-spacing: .08em; text-transform: uppercase }
section { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 1.5rem 1.7rem 1.3rem;
  margin-top: 1.2rem }
.summary p { font-size: 1.08rem; overflow-wrap: anywhere }
.summary ul { margin: 0; padding-left: 1.2rem; overflow-wrap: anywhere }
.verdict h2 { font-size: 1.35rem; max-width: 46rem; overflow-wrap: anywhere }
.verdict h3 { font-size: 1rem; margin: 1rem 0 .3rem } .verdict ul { margin: 0; padding-left: 1.2rem }
.verdict li { max-width: 46rem; margin-bottom: .5rem; overflow-wrap: anywhere }
.faint { color: var(--faint) } .note, footer { color: var(--faint); font-size: .88rem }
.missing { color: var(--faint); border-left: 3px solid var(--line); padding-left: .9rem; margin: 1rem 0 }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: .8rem; margin: 1.2rem 0 }
.tiles div { display: flex; flex-direction: column-reverse; justify-content: flex-end; border-top: 3px solid
  var(--strong); padding-top: .45rem }
.tiles dt { font-size: .84rem; line-height: 1.35; color: var(--faint) }
.tiles dd { margin: 0; font-size: 1.5rem; line-height: 1.25; font-weight: 600; white-space: nowrap }
code { font: .92em ui-monospace, "SF Mono", "DejaVu Sans Mono", monospace }
.swatch { display: inline-block; width: .75em; height: .75em; border-radius: 2px; margin-right: .5em }
.path { white-space: nowrap }
.scroll { overflow-x: auto; margin-top: 1rem }
table { border-collapse: collapse; min-width: 55%; font-size: .87rem; line-height: 1.4 }
caption { text-align: left; font-weight: 600; padding-bottom: .4rem }
th { text-align: left; font-weight: 400 }
thead th { color: var(--faint); font-weight: 600; border-bottom: 1.5px solid var(--line); vertical-align: bottom }
th, td { padding: .34rem 1.1rem .34rem 0; vertical-align: top }
tbody th, tbody td { border-bottom: 1px solid var(--line) }
tbody tr:last-child > * { border-bottom: 0 }
tbody tr:hover, tr.accelerated, tr.changed { background: var(--tint) }
th:first-child { padding-left: .4rem } th:last-child, td:last-child { padding-right: .4rem }
.number { text-align: right } tbody .number { white-space: nowrap }
.name { overflow-wrap: anywhere; min-width: 9rem } thead .name { overflow-wrap: normal }
svg { display: block; width: 100%; height: auto; margin: 1rem 0 .4rem; overflow: visible; font-size: 13px }
svg text { fill: var(--text) } svg .faint { fill: var(--faint) } svg .small { font-size: 11.5px }
svg .label { font-weight: 600 } svg .end { text-anchor: end } svg .middle { text-anchor: middle }
.grid { stroke: var(--line); stroke-width: 1 } .zero { stroke: var(--faint); stroke-width: 1 }
.zoom { stroke: var(--faint); stroke-width: 1; stroke-dasharray: 2 3 }
.limit { stroke: var(--bad); stroke-width: 1.6; stroke-dasharray: 5 4 } svg .limit-text { fill: var(--bad) }
.native { fill: var(--native); stroke: var(--native); background: var(--native) }
.path1 { fill: var(--path1); stroke: var(--path1); background: var(--path1) }
.path2 { fill: var(--path2); stroke: var(--path2); background: var(--path2) }
.path3 { fill: var(--path3); stroke: var(--path3); background: var(--path3) }
.path4 { fill: var(--path4); stroke: var(--path4); background: var(--path4) }
.path5 { fill: var(--path5); stroke: var(--path5); background: var(--path5) }
.path6 { fill: var(--path6); stroke: var(--path6); background: var(--path6) }
.path7 { fill: var(--path7); stroke: var(--path7); background: var(--path7) }
.path8 { fill: var(--path8); stroke: var(--path8); background: var(--path8) }
.tuning { fill: var(--text); stroke: var(--text); background: var(--text) }
.part { stroke: var(--card); stroke-width: 1.5 } .stem { stroke-width: 2.5; opacity: .55 }
.hollow { fill: var(--card); stroke-width: 2.2 } circle:hover, .part:hover, rect:hover { opacity: .75 }
.outside { fill: var(--outside) } .messages { fill: var(--path5) } .collectives { fill: var(--collectives) }
.learning { fill: var(--learning) } .locked { fill: var(--path2) }
.unknown { fill: var(--card); stroke: var(--faint); stroke-dasharray: 3 3 }
.mark-lock { stroke: var(--text); stroke-width: 1.6 } .mark-break { stroke: var(--path3); stroke-width: 2.4 }
.waiting { fill: var(--path1) } .lateness { fill: var(--path3) }
.curve { fill: none; stroke-width: 2.4 } .waiting-line { stroke: var(--path1) }
.lateness-line { stroke: var(--path3); stroke-dasharray: 7 4 }
@media (max-width: 700px) { svg { min-width: 640px } section { overflow-x: auto; padding: 1.1rem } }
@media print {
  @page { size: A4; margin: 14mm 12mm }
  :root { color-scheme: light; --page: #fff; --card: #fff; --line: #c4cad1; --text: #000; --faint: #48525e;
    --strong: #005a94; --bad: #a03f00; --native: #9aa5b1; --path1: #0072b2; --path2: #009e73; --path3: #d55e00;
    --path4: #e69f00; --path5: #56b4e9; --path6: #b35f93; --path7: #7a3e00; --path8: #444; --outside: #e6eaee;
    --collectives: #4b5a6b; --learning: #d3dae1; --tint: #eef5fb }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact }
  html { font-size: 12px } body { font-size: 1rem } main { max-width: none; padding: 0 } p { max-width: none }
  section { border: 0; border-top: 1px solid var(--text); border-radius: 0; padding: .8rem 0 }
  h2, h2 + p, caption { break-after: avoid } svg, h2 + p, tr, .tiles, .summary { break-inside: avoid }
  .scroll { overflow: visible } table { font-size: .83rem } th, td { padding: .2rem .55rem .2rem 0 }
  .name { min-width: 7rem } .tiles { grid-template-columns: repeat(6, 1fr) }
}
)";

}  // namespace airamp::report_page
