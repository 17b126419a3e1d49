// A waiter that does not wait.
#pragma once

#include <vector>

#include "common/base/clock.h"
#include "common/base/waiter.h"
#include "unit/webhook/kube_api/fake_server.h"

namespace toposeg::webhook::kube_api::test {

// Remembers for how long it was asked to wait, and turns the clock instead; after hold() it waits until what
// is waited for has come.
class HandWaiter final : public Waiter {
 public:
  explicit HandWaiter(ManualClock& clock) : clock_(clock) {}

  bool wait(std::unique_lock<std::mutex>& lock, std::condition_variable& changed,
            std::chrono::nanoseconds time, const std::function<bool()>& done) override {
    bool holds = false;
    {
      const std::scoped_lock own(mutex_);
      times_.push_back(time);
      holds = holds_;
      asked_.notify_all();
    }
    if (holds) {
      changed.wait(lock, done);
    } else {
      clock_.advance(time);
    }
    return done();
  }
  void hold() {
    const std::scoped_lock lock(mutex_);
    holds_ = true;
  }
  [[nodiscard]] std::vector<std::chrono::nanoseconds> times() const {
    const std::scoped_lock lock(mutex_);
    return times_;
  }
  [[nodiscard]] bool reaches(std::size_t count) {
    std::unique_lock lock(mutex_);
    return asked_.wait_for(lock, kDeadline, [&] { return times_.size() >= count; });
  }

 private:
  ManualClock& clock_;
  mutable std::mutex mutex_;
  std::condition_variable asked_;
  std::vector<std::chrono::nanoseconds> times_;
  bool holds_ = false;
};

}  // namespace toposeg::webhook::kube_api::test
