#include "engine/picture/host_cell.h"

#include <algorithm>
#include <ostream>
#include <string>

#include "common/base/text.h"
#include "engine/picture/mark.h"
#include "engine/picture/palette.h"
#include "engine/picture/xml_text.h"

namespace toposeg::picture {
namespace {

constexpr double kLeastShare = 0.12;  // a pod that asks for nothing that is counted is still to be seen
constexpr double kEdgeFrom = 7;       // smaller cells have no edge of their own

class Cell {
 public:
  Cell(std::ostream& out, const Host& host, const Box& box, const Detail& detail, const Scene& scene,
       std::size_t first_party)
      : out_(out), host_(host), box_(box), bar_(box), detail_(detail), scene_(scene), first_(first_party) {}

  void write() {
    out_ << "<g class=\"h\"";
    write_parties();
    out_ << ">";
    write_title();
    if (detail_.names) write_name();
    write_rect(out_, bar_, ground());
    write_shares();
    if (box_.height >= kEdgeFrom) write_rect(out_, box_, "e");
    out_ << "</g>\n";
  }

 private:
  [[nodiscard]] const Party& party(const Guest& guest) const {
    return scene_.parties[static_cast<std::size_t>(guest.party)];
  }
  [[nodiscard]] std::size_t number(const Guest& guest) const {
    return first_ + static_cast<std::size_t>(guest.party);
  }

  void write_parties() {
    if (host_.guests.empty()) return;
    out_ << " data-p=\"";
    for (std::size_t i = 0; i < host_.guests.size(); ++i) {
      out_ << (i > 0 ? " " : "") << number(host_.guests[i]);
    }
    out_ << '"';
  }

  void write_title() {
    std::string text = host_.name;
    if (!host_.note.empty()) text += '\n' + host_.note;
    for (const Guest& guest : host_.guests) text += '\n' + party(guest).name + ": " + guest.pods;
    out_ << "<title>" << xml_text(text) << "</title>";
  }

  // The name takes the upper half, the bar the lower one.
  void write_name() {
    const double head = detail_.font * 1.5;
    write_rect(out_, box_, "c");
    write_text(out_, box_.x + 3, box_.y + head - 4, detail_.font,
               tail(host_.name, characters_in(box_.width - 5, detail_.font)));
    bar_ = {box_.x, box_.y + head, box_.width, box_.height - head};
  }

  [[nodiscard]] const char* ground() const {
    if (host_.health == Health::kUnhealthy) return "ill";
    return host_.health == Health::kTainted && host_.guests.empty() ? "taint" : "c";
  }

  void write_shares() {
    const double used = std::clamp(host_.used, 0.0, 1.0);
    if (used > 0 && host_.health != Health::kUnhealthy)
      write_rect(out_, {bar_.x, bar_.y, bar_.width * used, bar_.height}, "u");
    double wanted = 0;
    for (const Guest& guest : host_.guests) wanted += std::max(guest.share, kLeastShare);
    const double scale = wanted > 1 - used ? std::max(1 - used, kLeastShare) / wanted : 1;
    double x = bar_.x + std::min(used, 1 - kLeastShare) * bar_.width;
    for (const Guest& guest : host_.guests) {
      const double width = std::max(guest.share, kLeastShare) * scale * bar_.width;
      write_guest(guest, {x, bar_.y, width, bar_.height});
      x += width;
    }
  }

  void write_guest(const Guest& guest, const Box& box) {
    write_rect(out_, box, party_class(party(guest), number(guest)));
    if (detail_.font <= 0 || party(guest).loose) return;
    const std::string whole = party(guest).sign + ": " + guest.pods;
    const std::size_t room = characters_in(box.width, detail_.font);
    const std::string& text = count_characters(whole) <= room ? whole : party(guest).sign;
    if (count_characters(text) > room) return;
    const double middle = box.y + box.height / 2 + detail_.font * 0.36;
    write_text(out_, box.x + box.width / 2, middle, detail_.font, text, ink_class(number(guest)),
               Anchor::kMiddle);
  }

  std::ostream& out_;
  const Host& host_;
  const Box& box_;
  Box bar_;
  const Detail& detail_;
  const Scene& scene_;
  std::size_t first_;
};

}  // namespace

std::string party_class(const Party& party, std::size_t number) {
  if (!party.placed) return "wait";
  return party.loose ? "loose" : look_class(number);
}

void write_host(std::ostream& out, const Host& host, const Box& box, const Detail& detail, const Scene& scene,
                std::size_t first_party) {
  Cell(out, host, box, detail, scene, first_party).write();
}

}  // namespace toposeg::picture
