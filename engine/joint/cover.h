// The cheapest few of some hosts that together take given pods: a knapsack in several dimensions, small
// enough for a table over everything that may still be missing.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace toposeg::engine {

// Pods of each of a few shapes.
using PodCounts = std::vector<int>;

struct CoverHost {
  // What it takes at most, in every mixture that leaves no room for one pod more.
  std::span<const PodCounts> mixtures;
  std::int64_t price = 0;  // >= 0, of using it at all
};

struct CoverPick {
  std::size_t host = 0;
  PodCounts pods;  // of those that are asked for
};

struct CoverAnswer {
  std::int64_t price = 0;
  std::vector<CoverPick> picks;  // in the order of the hosts
};

// Entries of a table for this many pods.
[[nodiscard]] std::int64_t cover_states(const PodCounts& wanted);

class CoverTable {
 public:
  static constexpr std::int64_t kNever = std::int64_t{1} << 62U;  // more than any price

  // The hosts must outlive the use. O(cover_states * hosts * mixtures), and as much memory but for the
  // mixtures; quickest when the pods are most of the first shape.
  CoverTable(PodCounts wanted, std::span<const CoverHost> hosts);

  // Of hosts from the given one on that take these pods, at most those wanted; kNever when all do not.
  [[nodiscard]] std::int64_t price(std::size_t host, const PodCounts& pods) const {
    return prices_[host * states_ + state_of(pods)];
  }
  // For everything wanted.
  [[nodiscard]] std::int64_t price() const { return prices_[states_ - 1]; }
  [[nodiscard]] std::optional<CoverAnswer> answer() const;

 private:
  void add(std::size_t host);
  void try_mixture(std::size_t host, const PodCounts& mixture);
  [[nodiscard]] std::size_t state_of(const PodCounts& pods) const;

  PodCounts wanted_;
  std::span<const CoverHost> hosts_;
  std::vector<std::size_t> strides_;
  std::size_t states_ = 1;
  std::vector<std::int64_t> prices_;  // by host, one more for none, and state: pods in mixed radix
};

}  // namespace toposeg::engine
