// Groups that are alike on the hosts of one domain, each on as few hosts as it would need alone: the packing
// of the least price altogether, host after host.
//
// What keeps the search short: a group on as few hosts as it can have has hardly anything to choose, since
// what it still misses must fit on as many of the hosts to come as it may still use, were they its own; and
// what all of them miss must be had there for less than the best packing known. What differs by names only is
// looked at once: groups begin in their order, and of hosts that are the same those of the first group come
// first, then those of the second one that the first does not use, and so on.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "engine/joint/cover.h"

namespace toposeg::engine {

class PackSearch {
 public:
  struct Host {
    CoverHost cover;
    int kind = 0;  // those of one kind are the same and stand together
  };
  struct Pick {
    std::size_t host = 0;
    int group = 0;
    PodCounts pods;
  };

  // `alone`: prices of a group's pods, 1 for each host. `together`: prices of the pods of all groups, as the
  // hosts have them. `wanted`: pods of a group. All must outlive the use.
  PackSearch(std::span<const Host> hosts, const PodCounts& wanted, int groups, const CoverTable& alone,
             const CoverTable& together);

  // Looks for a packing cheaper than `best`. False when `steps` ran out first; they are counted down.
  bool run(std::int64_t best, std::int64_t& steps);

  [[nodiscard]] std::int64_t price() const { return best_; }  // as given when nothing was found
  [[nodiscard]] const std::optional<std::vector<Pick>>& picks() const { return found_; }

 private:
  struct Group {
    PodCounts missing;
    std::int64_t hosts = 0;  // that it may still use
    friend auto operator<=>(const Group&, const Group&) = default;
  };
  // Host, first group that may still use hosts of its kind, and what is missing.
  using Visit = std::tuple<std::size_t, std::size_t, std::vector<Group>>;

  void next_host(std::size_t host, std::size_t first, std::int64_t price);
  [[nodiscard]] std::size_t end_of_kind(std::size_t host) const;
  [[nodiscard]] bool untouched(std::size_t group) const { return groups_[group].hosts == hosts_alone_; }
  void deal(std::size_t host, std::size_t group, const PodCounts& left, std::int64_t price);
  void deal_shape(std::size_t host, std::size_t group, std::size_t shape, PodCounts& own,
                  const PodCounts& left, std::int64_t price);
  [[nodiscard]] bool hands_out(std::size_t host, const PodCounts& left) const;
  [[nodiscard]] bool done() const;
  [[nodiscard]] bool promising(std::size_t host, std::size_t first, std::int64_t price) const;
  [[nodiscard]] bool seen(std::size_t host, std::size_t first, std::int64_t price);

  std::span<const Host> hosts_;
  const CoverTable& alone_;
  const CoverTable& together_;
  std::int64_t hosts_alone_;
  std::vector<Group> groups_;
  std::vector<Pick> now_;
  std::optional<std::vector<Pick>> found_;
  std::int64_t best_ = 0;
  std::int64_t* steps_ = nullptr;
  bool ended_ = false;
  std::map<Visit, std::int64_t> visits_;  // the least price at which it came by
};

}  // namespace toposeg::engine
