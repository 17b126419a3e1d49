// Groups that are alike, packed whole into one domain: how many hosts they need and what is left over there.
//
// Inside the domain only the pods of each shape count, so a group is a vector of counts. One group is packed
// exactly. Of several, the bound asks for all their pods as if they were those of one group, and for as many
// hosts as each would need with the domain to itself; the packing found takes them one after the other, hosts
// in use first. Where the two differ and it matters, a search decides.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "engine/joint/cost.h"
#include "engine/joint/cover.h"
#include "engine/joint/pack_search.h"
#include "engine/joint/stock.h"

namespace toposeg::engine {

// Compares lexicographically, smaller is better.
struct PackingRow {
  std::int64_t summed = 0;  // hosts, summed over the groups
  std::int64_t hosts = 0;   // hosts altogether
  std::int64_t room = 0;    // of those, in pods of the measure
  friend auto operator<=>(const PackingRow&, const PackingRow&) = default;
};

// Of k groups, from k = 0 on as many as can be.
struct PackingTable {
  enum class Known : std::uint8_t { kByVolume, kByPods, kBySearch };
  std::vector<PackingRow> least;  // no packing of k groups has less; more groups do not fit for sure
  std::vector<PackingRow> found;  // packings that there are; may be shorter
  std::vector<Known> known;       // how well `least` was looked at
  [[nodiscard]] bool exact(std::size_t groups) const {
    return groups < found.size() && found[groups] == least[groups];
  }
};

// Pods of the group's shapes on the hosts of a domain, in the order of the hosts.
struct PackedGroup {
  struct Host {
    Vertex leaf = kRoot;
    PodCounts pods;
  };
  std::vector<Host> hosts;
};

// Not thread safe.
class Packer {
 public:
  // `shapes`: those of the group, with so many pods each; `measured`: pods of the measure that each vertex
  // takes. The stock is as before everything is placed, and so again after each call; all must outlive the
  // use.
  Packer(const Tree& tree, Stock& stock, std::vector<int> shapes, PodCounts wanted,
         const std::vector<std::int32_t>& measured, int most_groups);

  // Hosts of the domain that so many groups need at least, looking at each shape and each resource alone; -1
  // = they do not fit. O(hosts log hosts * (shapes + resources)).
  [[nodiscard]] int hosts_at_least(Vertex domain, int groups = 1);
  // Equal for domains whose tables are equal.
  using Kind = std::vector<int>;
  [[nodiscard]] Kind kind(Vertex domain);
  // For at most so many groups as the constructor says.
  [[nodiscard]] PackingTable table(Vertex domain);
  // Looks closer at so many groups in such a domain: at all their pods together, then by a search, which
  // makes the table exact as far as packings matter in which each group is on as few hosts as one alone.
  // `steps` is what may be tried and is counted down.
  void refine(Vertex domain, int groups, PackingTable& table, std::int64_t& steps);
  // The packing of the table's `found`.
  [[nodiscard]] std::vector<PackedGroup> pack(Vertex domain, int groups);

 private:
  struct Host {
    Vertex leaf = kRoot;
    int kind = 0;     // of the untouched host
    PodCounts taken;  // by earlier groups
    [[nodiscard]] bool used() const;
  };

  [[nodiscard]] VertexRange leaves(Vertex domain) const { return tree_.under(domain, tree_.levels()); }
  [[nodiscard]] int kind_of(Vertex leaf);
  [[nodiscard]] int most_groups_in(Vertex domain);
  [[nodiscard]] bool small(const PodCounts& wanted, std::size_t hosts) const;
  [[nodiscard]] PackingRow least_by_volume(Vertex domain, int groups, const PackingTable& table);
  void search(Vertex domain, int groups, const std::vector<Host>& untouched, const CoverTable& together,
              PackingTable& table, std::int64_t& steps);
  [[nodiscard]] std::vector<Host> hosts_of(Vertex domain);
  [[nodiscard]] const std::vector<PodCounts>& mixtures(const Host& host);
  void list_mixtures(Vertex leaf, std::size_t shape, PodCounts& counts, std::vector<PodCounts>& into);
  [[nodiscard]] std::vector<CoverHost> choice_of(const std::vector<Host>& hosts);
  std::optional<PackedGroup> add_group(std::vector<Host>& hosts, PackingRow& row);
  void put(const Host& host, int sign);

  const Tree& tree_;
  Stock& stock_;
  std::vector<int> shapes_;
  PodCounts wanted_;
  const std::vector<std::int32_t>& measured_;
  int most_groups_;
  std::map<std::uint64_t, int> kinds_;  // by signature
  std::map<std::pair<int, PodCounts>, std::vector<PodCounts>> mixtures_;
  std::map<std::pair<Kind, int>, std::vector<PackSearch::Pick>> refined_;  // by domain, groups
};

}  // namespace toposeg::engine
