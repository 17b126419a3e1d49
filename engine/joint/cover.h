// The cheapest few of some hosts that together take given pods: a knapsack in several dimensions, small enough
// for a table over everything that may still be missing.
#pragma once

#include <cstdint>
#include <limits>
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
  static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

  // The hosts must outlive the use. O(cover_states * hosts * mixtures * shapes).
  CoverTable(PodCounts wanted, std::span<const CoverHost> hosts);

  // Of hosts that take these pods, at most those wanted; kNever when all hosts do not.
  [[nodiscard]] std::int64_t price(const PodCounts& pods) const { return best_[state_of(pods)]; }
  // For everything wanted.
  [[nodiscard]] std::optional<CoverAnswer> answer() const;

 private:
  static constexpr std::uint16_t kUnused = std::numeric_limits<std::uint16_t>::max();

  void add(std::size_t host);
  [[nodiscard]] std::size_t state_of(const PodCounts& pods) const;
  [[nodiscard]] PodCounts without(const PodCounts& pods, const PodCounts& mixture) const;

  PodCounts wanted_;
  std::span<const CoverHost> hosts_;
  std::vector<std::size_t> strides_;
  std::vector<std::int64_t> best_;     // by state: pods as a number in mixed radix
  std::vector<std::uint16_t> chosen_;  // by host, state: the mixture with which the host got into the best
};

}  // namespace toposeg::engine
