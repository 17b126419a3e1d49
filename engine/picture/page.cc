#include "engine/picture/page.h"

#include <ostream>
#include <string>

#include "engine/picture/host_cell.h"
#include "engine/picture/svg.h"
#include "engine/picture/xml_text.h"

namespace toposeg::picture {
namespace {

constexpr std::string_view kHead = R"html(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy"
 content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:">
<link rel="icon" href="data:,">
)html";

constexpr std::string_view kStyle = R"css(<style>
:root{color-scheme:light dark;--page:#fff;--text:#1b1f24;--dim:#57606a;--rule:#d0d7de;--mark:#e8ecf0}
@media (prefers-color-scheme:dark){:root{--page:#0f1318;--text:#e6eaef;--dim:#9aa4af;--rule:#343c45;--mark:#1f262e}}
*{box-sizing:border-box}
body{margin:0;height:100vh;display:flex;background:var(--page);color:var(--text);
font:13px/1.45 system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif}
main{flex:1;min-width:0;overflow:hidden;position:relative}
main svg{width:100%;height:100%;display:block;cursor:grab;touch-action:none}
nav{position:absolute;right:12px;top:12px;display:flex;gap:4px}
button{min-width:32px;height:30px;border:1px solid var(--rule);border-radius:6px;background:var(--page);
color:inherit;font:inherit;cursor:pointer}
aside{width:330px;border-left:1px solid var(--rule);display:flex;flex-direction:column}
#about{padding:12px 14px;border-bottom:1px solid var(--rule);min-height:8.4em;max-height:40vh;overflow:auto;
white-space:pre-line;overflow-wrap:anywhere}
#about:first-line{font-weight:600}
ul{list-style:none;margin:0;padding:6px;overflow:auto;flex:1}
li{display:flex;gap:8px;padding:3px 8px;border-radius:6px;overflow-wrap:anywhere}
li:hover,li.on{background:var(--mark)}
li svg{flex:none;margin-top:3px}
li span{min-width:0}
small{display:block;color:var(--dim);font-size:12px}
@media (max-width:760px){body{flex-direction:column}aside{width:auto;height:38vh;border-left:0;
border-top:1px solid var(--rule)}}
</style>
)css";

constexpr std::string_view kScript = R"js(<script>
"use strict";
(() => {
  const picture = document.querySelector("main svg");
  const about = document.getElementById("about");
  const items = [...document.querySelectorAll("li")];
  const hosts = [...picture.querySelectorAll(".h")];
  const hint = about.textContent;
  // The browser's own bubbles would lie over the picture: the panel says the same.
  const titles = new Map();
  for (const title of [...picture.querySelectorAll("title")]) {
    titles.set(title.parentNode, title.textContent);
    title.remove();
  }
  const parties = (element) => (element.dataset.p || "").split(" ").filter(Boolean);
  const show = (wanted) => {
    for (const host of hosts)
      host.classList.toggle("faint", wanted.length > 0 && !parties(host).some((p) => wanted.includes(p)));
    for (const item of items) item.classList.toggle("on", wanted.includes(item.dataset.p));
  };
  const point = (event) => {
    const element = event.target.closest(".h, .b");
    about.textContent = element && titles.has(element) ? titles.get(element) : hint;
    show(element ? parties(element) : []);
  };
  picture.addEventListener("pointerover", point);
  picture.addEventListener("pointerleave", () => { about.textContent = hint; show([]); });
  for (const item of items) {
    item.addEventListener("pointerenter", () => { about.textContent = item.title; show([item.dataset.p]); });
    item.addEventListener("pointerleave", () => { about.textContent = hint; show([]); });
  }
  const whole = picture.viewBox.baseVal;
  const first = [whole.x, whole.y, whole.width, whole.height];
  const zoom = (factor, x, y) => {
    const width = Math.min(first[2], Math.max(first[2] / 60, whole.width * factor));
    const scale = width / whole.width;
    whole.x = x - (x - whole.x) * scale;
    whole.y = y - (y - whole.y) * scale;
    whole.width = width;
    whole.height *= scale;
  };
  const at = (event) =>
    new DOMPoint(event.clientX, event.clientY).matrixTransform(picture.getScreenCTM().inverse());
  picture.addEventListener("wheel", (event) => {
    event.preventDefault();
    const {x, y} = at(event);
    zoom(event.deltaY < 0 ? 0.8 : 1.25, x, y);
  }, {passive: false});
  let held = null;
  picture.addEventListener("pointerdown", (event) => { held = at(event); });
  addEventListener("pointerup", () => { held = null; });
  picture.addEventListener("pointermove", (event) => {
    if (!held) return;
    const here = at(event);
    whole.x += held.x - here.x;
    whole.y += held.y - here.y;
  });
  const middle = (factor) => zoom(factor, whole.x + whole.width / 2, whole.y + whole.height / 2);
  document.getElementById("in").onclick = () => middle(0.7);
  document.getElementById("out").onclick = () => middle(1.4);
  document.getElementById("all").onclick = () => {
    [whole.x, whole.y, whole.width, whole.height] = first;
  };
  document.documentElement.dataset.ready = String(hosts.length);
})();
</script>
)js";

void write_item(std::ostream& out, const Party& party, std::size_t number) {
  const std::string text = party.note.empty() ? party.name : party.name + "\n" + party.note;
  out << "<li data-p=\"" << number << "\" title=\"" << xml_text(text)
      << "\"><svg width=\"14\" height=\"14\"><rect class=\"" << party_class(party, number)
      << "\" width=\"14\" height=\"14\"/></svg><span>" << xml_text(party.name) << "<small>"
      << xml_text(party.note) << "</small></span></li>\n";
}

}  // namespace

void write_page(std::ostream& out, std::span<const Scene> scenes) {
  out << kHead << "<title>" << xml_text(scenes.empty() ? "toposeg" : scenes.front().title) << "</title>\n"
      << kStyle << "</head>\n<body>\n<main>\n";
  write_svg(out, scenes, {.legend = false});
  out << "<nav><button id=\"in\" title=\"closer\">+</button><button id=\"out\" title=\"farther\">−</button>"
         "<button id=\"all\" title=\"the whole picture\">all</button></nav>\n</main>\n<aside>\n"
         "<div id=\"about\">Point at a host, a domain or a segment.\nThe wheel zooms, dragging "
         "moves.</div>\n<ul>\n";
  std::size_t number = 0;
  for (const Scene& scene : scenes) {
    for (const Party& party : scene.parties) write_item(out, party, number++);
  }
  out << "</ul>\n</aside>\n" << kScript << "</body>\n</html>\n";
}

}  // namespace toposeg::picture
