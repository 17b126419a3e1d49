#include "engine/picture/svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <sstream>
#include <string>

#include "engine/picture/host_cell.h"
#include "engine/picture/layout.h"
#include "engine/picture/legend.h"
#include "engine/picture/mark.h"
#include "engine/picture/palette.h"
#include "engine/picture/xml_text.h"

namespace toposeg::picture {
namespace {

constexpr double kMargin = 16;
constexpr double kTitleFont = 17;
constexpr double kNoteFont = 12;
constexpr double kNarrowest = 520;

// One scene, from its own origin.
class SceneWriter {
 public:
  SceneWriter(std::ostream& out, const Scene& scene, std::size_t first_party, bool legend)
      : out_(out), scene_(scene), first_(first_party), legend_(legend) {
    outside_.name = "outside the topology";
    outside_.note = "hosts that lack a label of it";
    outside_.hosts = scene.outside;
  }

  // Returns width and height.
  Box write() {
    const Layout layout = lay_out(scene_, outside_);
    const double width = std::max(layout.width, kNarrowest);
    double y = kTitleFont;
    write_text(out_, 0, y, kTitleFont, scene_.title, "title");
    y += 4;
    for (const std::string& note : scene_.notes) {
      y += kNoteFont + 5;
      write_text(out_, 0, y, kNoteFont, note, "soft");
    }
    y += 12;
    y += write_states(out_, scene_, 0, y) + 6;
    move_to(y);
    for (const PlacedDomain& domain : layout.domains) write_domain(domain, layout.detail, 0);
    out_ << "</g>\n";
    y += layout.height + 14;
    if (legend_) y += write_parties(out_, scene_, first_, 0, y, width);
    return {0, 0, width, y};
  }

 private:
  void move_to(double y) { out_ << fmt::format("<g transform=\"translate(0 {:.1f})\">\n", y); }

  void write_domain(const PlacedDomain& placed, const Detail& detail, std::size_t depth) {
    const Domain& domain = *placed.domain;
    out_ << "<g class=\"b\">";
    write_domain_title(domain);
    const bool outside = placed.domain == &outside_;
    const std::string css_class = outside ? "d out" : fmt::format("d d{}", depth % 2);
    write_rect(out_, placed.box, css_class, std::min(4.0, detail.gap));
    write_domain_name(placed, detail);
    out_ << "</g>\n";
    for (const PlacedDomain& child : placed.children) write_domain(child, detail, depth + 1);
    for (std::size_t i = 0; i < placed.hosts.size(); ++i)
      write_host(out_, domain.hosts[i], placed.hosts[i], detail, scene_, first_);
  }

  void write_domain_title(const Domain& domain) {
    std::string text = domain.level.empty() ? domain.name : domain.level + " " + domain.name;
    if (!domain.note.empty()) text += '\n' + domain.note;
    out_ << "<title>" << xml_text(text) << "</title>";
  }

  void write_domain_name(const PlacedDomain& placed, const Detail& detail) {
    if (placed.font <= 0) return;
    const double left = placed.box.x + detail.gap + 1;
    const std::size_t room = characters_in(placed.box.width - 2 * detail.gap - 2, placed.font);
    const double baseline = placed.box.y + detail.gap * 0.6 + placed.font * 1.05;
    write_text(out_, left, baseline, placed.font, tail(placed.domain->name, room), "soft");
  }

  std::ostream& out_;
  const Scene& scene_;
  std::size_t first_;
  bool legend_;
  Domain outside_;
};

void write_head(std::ostream& out, double width, double height, const std::string& label) {
  out << fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
      "viewBox=\"0 0 {0:.0f} {1:.0f}\" role=\"img\" aria-label=\"{2}\">\n",
      width, height, xml_text(label));
  out << "<style>";
  write_style(out);
  out << ".title{font-weight:600}\n</style>\n<defs>";
  write_patterns(out);
  out << "</defs>\n<rect class=\"bg\" width=\"100%\" height=\"100%\"/>\n";
}

}  // namespace

void write_svg(std::ostream& out, std::span<const Scene> scenes, const SvgOptions& options) {
  std::ostringstream body;
  double width = kNarrowest;
  double y = kMargin;
  std::size_t parties = 0;
  for (const Scene& scene : scenes) {
    body << fmt::format("<g class=\"scene\" transform=\"translate({:.1f} {:.1f})\">\n", kMargin, y);
    const Box size = SceneWriter(body, scene, parties, options.legend).write();
    body << "</g>\n";
    width = std::max(width, size.width);
    y += size.height + 2 * kMargin;
    parties += scene.parties.size();
  }
  write_head(out, width + 2 * kMargin, scenes.empty() ? kMargin : y - kMargin,
             scenes.empty() ? "nothing" : scenes.front().title);
  out << body.str() << "</svg>\n";
}

}  // namespace toposeg::picture
