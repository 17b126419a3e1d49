#include "engine/simulation/html_style.h"

namespace toposeg::simulation {

std::string_view report_style() {
  return R"(:root {
  --paper: #ffffff; --ink: #1b1f24; --faint: #d7dbe0;
  --c0: #0067a8; --c1: #c24e00; --c2: #007a5a; --c3: #9a3488; --c4: #7a6000; --c5: #b3123f;
  --level: #0067a8; --apart: #8b949e;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14181d; --ink: #e8ebee; --faint: #3a424b;
    --c0: #5bb8ee; --c1: #f0954a; --c2: #3cc79f; --c3: #df8fd0; --c4: #d9c45a; --c5: #ff8b9c;
    --level: #5bb8ee; --apart: #7d8590;
  }
}
body { background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; margin: 0; }
main { max-width: 60rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2.5rem; }
section > svg { width: 100%; height: auto; }
svg text { font-size: 12px; fill: var(--ink); }
.grid { stroke: var(--faint); }
.legend { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: 0.3rem 1.2rem; }
.legend svg { width: 26px; height: 12px; margin-right: 0.4rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
caption { text-align: left; padding: 0.4rem 0; }
th, td { border-bottom: 1px solid var(--faint); padding: 0.25rem 0.7rem; text-align: right; font-weight: normal; }
th[scope=row] { text-align: left; white-space: nowrap; } th[scope=col] { font-weight: 600; vertical-align: bottom; }
th[scope=col]:first-child { text-align: left; }
polyline { fill: none; stroke-width: 2; stroke-linejoin: round; }
.s0 { --c: var(--c0); } .s1 { --c: var(--c1); } .s2 { --c: var(--c2); } .s3 { --c: var(--c3); } .s4 { --c: var(--c4); }
.s5 { --c: var(--c5); }
rect[class^=s] { fill: var(--c); } polyline[class^=s] { stroke: var(--c); }
polyline.s1 { stroke-dasharray: 8 3; } polyline.s2 { stroke-dasharray: 2 3; } polyline.s3 { stroke-dasharray: 8 3 2 3; }
polyline.s4 { stroke-dasharray: 4 4; } polyline.s5 { stroke-dasharray: 12 3; }
rect[class^=p] { fill: var(--level); stroke: var(--paper); }
.p1 { fill-opacity: 0.65; } .p2 { fill-opacity: 0.4; } .p3 { fill-opacity: 0.2; }
[class^=p]:not(.p0, .p1, .p2, .p3) { fill-opacity: 0.1; }
.rest { fill: var(--apart); stroke: var(--paper); }
)";
}

}  // namespace toposeg::simulation
