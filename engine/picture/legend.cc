#include "engine/picture/legend.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include "common/base/text.h"
#include "engine/picture/host_cell.h"
#include "engine/picture/mark.h"
#include "engine/picture/xml_text.h"

namespace toposeg::picture {
namespace {

constexpr double kFont = 11;
constexpr double kSwatch = 12;
constexpr double kRow = 18;
constexpr double kColumn = 330;
constexpr std::size_t kMost = 60;

void swatch(std::ostream& out, double x, double y, std::string_view css_class) {
  write_rect(out, {x, y, kSwatch, kSwatch}, css_class);
  write_rect(out, {x, y, kSwatch, kSwatch}, "e");
}

void find_states(const std::vector<Host>& hosts, bool& tainted, bool& unhealthy, bool& used) {
  for (const Host& host : hosts) {
    tainted = tainted || (host.health == Health::kTainted && host.guests.empty());
    unhealthy = unhealthy || host.health == Health::kUnhealthy;
    used = used || host.used > 0;
  }
}

void find_states(const Domain& domain, bool& tainted, bool& unhealthy, bool& used) {
  find_states(domain.hosts, tainted, unhealthy, used);
  for (const Domain& child : domain.children) find_states(child, tainted, unhealthy, used);
}

}  // namespace

double write_states(std::ostream& out, const Scene& scene, double x, double y) {
  bool tainted = false;
  bool unhealthy = false;
  bool used = false;
  for (const Domain& domain : scene.domains) find_states(domain, tainted, unhealthy, used);
  find_states(scene.outside, tainted, unhealthy, used);
  const bool loose =
      std::any_of(scene.parties.begin(), scene.parties.end(), [](const Party& party) { return party.loose; });
  struct State {
    bool there;
    const char* css_class;
    const char* text;
  };
  const State states[] = {{true, "c", "free"},
                          {used, "u", "used by others"},
                          {tainted, "taint", "tainted"},
                          {unhealthy, "ill", "cordoned or not ready"},
                          {loose, "loose", "pods in no segment"}};
  for (const State& state : states) {
    if (!state.there) continue;
    swatch(out, x, y, state.css_class);
    write_text(out, x + kSwatch + 5, y + kSwatch - 2, kFont, state.text);
    x += kSwatch + 5 + static_cast<double>(std::string_view(state.text).size()) * kFont * 0.56 + 18;
  }
  out << '\n';
  return kRow;
}

double write_parties(std::ostream& out, const Scene& scene, std::size_t first_party, double x, double y,
                     double width) {
  const std::size_t shown = std::min(scene.parties.size(), kMost);
  const auto columns = static_cast<std::size_t>(std::max(1.0, width / kColumn));
  const double step = width / static_cast<double>(columns);
  const std::size_t rows = std::max<std::size_t>(1, (shown + columns - 1) / columns);
  for (std::size_t i = 0; i < shown; ++i) {
    const Party& party = scene.parties[i];
    const std::size_t column = i / rows;
    const std::size_t row = i % rows;
    const double left = x + static_cast<double>(column) * step;
    const double top = y + static_cast<double>(row) * kRow;
    const std::string text = party.note.empty() ? party.name : party.name + ": " + party.note;
    out << "<g class=\"l\" data-p=\"" << first_party + i << "\"><title>" << xml_text(text) << "</title>";
    swatch(out, left, top, party_class(party, first_party + i));
    const std::size_t room = characters_in(step - kSwatch - 14, kFont);
    write_text(out, left + kSwatch + 5, top + kSwatch - 2, kFont, truncated(text, room));
    out << "</g>\n";
  }
  double height = shown == 0 ? 0.0 : static_cast<double>(rows) * kRow;
  if (scene.parties.size() > shown) {
    write_text(out, x, y + height + kSwatch - 2, kFont,
               fmt::format("and {} more", scene.parties.size() - shown), "soft");
    height += kRow;
  }
  return height;
}

}  // namespace toposeg::picture
