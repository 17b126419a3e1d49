#include "engine/picture/palette.h"

#include <fmt/format.h>

#include <array>
#include <ostream>
#include <string_view>

namespace toposeg::picture {
namespace {

struct Colour {
  std::string_view fill;
  bool dark_ink;  // black text is readable on it
};

constexpr std::array<Colour, kColours> kPalette = {{{"#0072b2", false},
                                                    {"#e69f00", true},
                                                    {"#009e73", false},
                                                    {"#cc79a7", true},
                                                    {"#56b4e9", true},
                                                    {"#d55e00", false},
                                                    {"#f0e442", true}}};

// What lies over the colour, in a square of six; the first texture is plain.
constexpr std::array<std::string_view, kTextures> kOverlays = {"", "M-1 7L7 -1M-1 1L1 -1M5 7L7 5", "M0 3H6",
                                                               "M3 0V6M0 3H6"};

constexpr std::string_view kStyle = R"css(
svg{--bg:#fff;--ink:#1b1f24;--soft:#57606a;--line:#b4bcc5;--box1:#f3f5f7;--box2:#e8ecf0;--free:#fff;--used:#9aa4ae;
--ill:#3d444d;--illbg:#d8dde3;background:var(--bg);font-family:system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif}
@media (prefers-color-scheme:dark){svg{--bg:#0f1318;--ink:#e6eaef;--soft:#9aa4af;--line:#444d57;--box1:#171c22;
--box2:#1f262e;--free:#0f1318;--used:#5d6772;--ill:#c3cbd4;--illbg:#2e363f}}
.bg{fill:var(--bg)}
text{fill:var(--ink)}
.soft{fill:var(--soft)}
.d{stroke:var(--line);stroke-width:1}
.d0{fill:var(--box1)}
.d1{fill:var(--box2)}
.out{fill:none;stroke-dasharray:4 3}
.c{fill:var(--free);stroke:var(--line);stroke-width:.7}
.u{fill:var(--used)}
.ill{fill:url(#ill);stroke:var(--ill);stroke-width:.7}
.taint{fill:url(#taint);stroke:var(--line);stroke-width:.7}
.illline{stroke:var(--ill);stroke-width:1.4;fill:none}
.illbg{fill:var(--illbg)}
.taintline{stroke:var(--soft);stroke-width:.8;fill:none}
.loose{fill:var(--ink)}
.e{fill:none;stroke:var(--line);stroke-width:.7}
.wait{fill:none;stroke:var(--soft);stroke-dasharray:3 2}
.dark{fill:#111}
.light{fill:#fff}
.faint{opacity:.15}
)css";

}  // namespace

std::string look_class(std::size_t number) { return fmt::format("p{}", number % (kColours * kTextures)); }

std::string ink_class(std::size_t number) { return kPalette[number % kColours].dark_ink ? "dark" : "light"; }

void write_style(std::ostream& out) {
  out << kStyle;
  for (std::size_t i = 0; i < kColours * kTextures; ++i) {
    if (i < kColours) {
      out << fmt::format(".p{}{{fill:{}}}\n", i, kPalette[i].fill);
    } else {
      out << fmt::format(".p{0}{{fill:url(#t{0})}}\n", i);
    }
  }
}

void write_patterns(std::ostream& out) {
  constexpr std::string_view kHead =
      R"(<pattern id="{}" width="6" height="6" patternUnits="userSpaceOnUse">)";
  out << fmt::format(fmt::runtime(kHead), "ill")
      << R"(<rect class="illbg" width="6" height="6"/><path class="illline" d="M0 0L6 6M6 0L0 6"/></pattern>)";
  out << fmt::format(fmt::runtime(kHead), "taint")
      << R"(<rect class="c" width="6" height="6" style="stroke:none"/>)"
      << R"(<path class="taintline" d="M-1 1L1 -1M0 6L6 0M5 7L7 5"/></pattern>)";
  for (std::size_t i = kColours; i < kColours * kTextures; ++i) {
    const Colour& colour = kPalette[i % kColours];
    const std::string id = fmt::format("t{}", i);
    out << fmt::format(fmt::runtime(kHead), id)
        << fmt::format(
               R"(<rect width="6" height="6" fill="{}"/><path d="{}" stroke="{}" stroke-opacity=".6" )"
               R"(stroke-width="1.5" fill="none"/></pattern>)",
               colour.fill, kOverlays[i / kColours], colour.dark_ink ? "#000" : "#fff");
  }
}

}  // namespace toposeg::picture
