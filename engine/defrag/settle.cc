#include "engine/defrag/settle.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace toposeg::engine::defrag {
namespace {

class Settler {
 public:
  Settler(Field& field, const Shape& shape, std::size_t pods, Vertex v)
      : field_(field), shape_(shape), open_(pods) {
    const auto [first, last] = field.hosts(v);
    for (Leaf leaf = first; leaf < last; ++leaf) {
      const std::int64_t room = field.room(shape, leaf);
      if (room > 0) hosts_.push_back({leaf, room});
      room_ += room;
    }
  }

  std::vector<Leaf> settle() {
    if (room_ < static_cast<std::int64_t>(open_)) return {};
    fill_spare_room();
    for (const bool whole_slots : {false, true}) {
      if (open_ > 0) fill_domains(whole_slots);
    }
    std::sort(taken_.begin(), taken_.end());
    return std::move(taken_);
  }

 private:
  struct Host {
    Leaf leaf;
    std::int64_t room;
  };

  void put(Leaf leaf) {
    field_.put(shape_, leaf);
    taken_.push_back(leaf);
    --open_;
  }

  void fill_spare_room() {
    std::vector<std::pair<std::int64_t, Leaf>> spare;
    for (const Host& host : hosts_) {
      const std::int64_t pods = field_.spare(shape_, host.leaf);
      if (pods > 0) spare.emplace_back(pods, host.leaf);
    }
    std::sort(spare.begin(), spare.end());
    for (const auto& [pods, leaf] : spare) {
      for (std::int64_t i = 0; i < pods && open_ > 0; ++i) put(leaf);
    }
  }

  // Hosts come in the order of the tree, so those of one domain are neighbours.
  struct Domain {
    std::size_t number;
    std::size_t begin;
    std::size_t end;
  };

  [[nodiscard]] std::vector<Domain> domains() const {
    std::vector<Domain> domains;
    for (std::size_t i = 0; i < hosts_.size(); ++i) {
      const std::size_t number = field_.domain_of(hosts_[i].leaf);
      if (domains.empty() || domains.back().number != number) domains.push_back({number, i, i});
      domains.back().end = i + 1;
    }
    return domains;
  }

  void fill_domains(bool whole_slots) {
    std::vector<Domain> order = domains();
    if (!whole_slots) {
      std::sort(order.begin(), order.end(), [&](const Domain& a, const Domain& b) {
        const auto left = field_.remainder(a.number);
        const auto right = field_.remainder(b.number);
        return left != right ? left > right : a.begin < b.begin;
      });
    }
    for (const Domain& domain : order) {
      const std::int64_t floor =
          whole_slots ? 0 : field_.capacity(domain.number) - field_.remainder(domain.number);
      fill(domain, floor);
    }
  }

  // Roomy hosts first, so that few are begun; the domain keeps at least `floor` probes.
  void fill(const Domain& domain, std::int64_t floor) {
    const auto begin = hosts_.begin() + static_cast<std::ptrdiff_t>(domain.begin);
    const auto end = hosts_.begin() + static_cast<std::ptrdiff_t>(domain.end);
    std::vector<Host> order(begin, end);
    std::sort(order.begin(), order.end(), [](const Host& a, const Host& b) {
      return a.room != b.room ? a.room > b.room : a.leaf < b.leaf;
    });
    for (const Host& host : order) {
      while (open_ > 0 && field_.room(shape_, host.leaf) > 0) {
        put(host.leaf);
        if (field_.capacity(domain.number) >= floor) continue;
        field_.lift(shape_, host.leaf);
        taken_.pop_back();
        ++open_;
        break;
      }
    }
  }

  Field& field_;
  const Shape& shape_;
  std::size_t open_;  // pods still to put down
  std::vector<Host> hosts_;
  std::int64_t room_ = 0;
  std::vector<Leaf> taken_;
};

}  // namespace

std::vector<Leaf> settle(Field& field, const Shape& shape, std::size_t pods, Vertex v) {
  return Settler(field, shape, pods, v).settle();
}

}  // namespace toposeg::engine::defrag
