// A quantity over virtual time, in a bounded number of equal intervals.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "engine/simulation/job.h"

namespace toposeg::simulation {

// Intervals become twice as long whenever they would be more than kMost. O(intervals covered) a step.
class Timeline {
 public:
  static constexpr std::size_t kMost = 240;

  // The quantity was `value` from one moment to a later one. Steps come in order, without gaps, from 0.
  void add(Seconds from, Seconds to, double value) {
    while (to > width_ * static_cast<Seconds>(kMost)) widen();
    for (Seconds at = from; at < to;) {
      const auto interval = static_cast<std::size_t>(at / width_);
      const Seconds end = std::min(to, (at / width_ + 1) * width_);
      if (sums_.size() <= interval) sums_.resize(interval + 1, 0);
      sums_[interval] += value * static_cast<double>(end - at);
      at = end;
    }
    end_ = std::max(end_, to);
  }
  [[nodiscard]] Seconds width() const { return width_; }
  [[nodiscard]] Seconds end() const { return end_; }
  // The mean of each interval, the last one up to the end.
  [[nodiscard]] std::vector<double> means() const {
    std::vector<double> means = sums_;
    for (std::size_t i = 0; i < means.size(); ++i) {
      const Seconds begin = static_cast<Seconds>(i) * width_;
      means[i] /= static_cast<double>(std::min(width_, end_ - begin));
    }
    return means;
  }

 private:
  void widen() {
    width_ *= 2;
    for (std::size_t i = 0; i < sums_.size(); ++i) {
      const double sum = sums_[i];
      sums_[i] = 0;
      sums_[i / 2] += sum;
    }
    sums_.resize((sums_.size() + 1) / 2);
  }

  Seconds width_ = 1;
  Seconds end_ = 0;
  std::vector<double> sums_;
};

}  // namespace toposeg::simulation
