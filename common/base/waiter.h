// Waiting behind an interface: a test's waiter need not wait, and knows for how long it was asked to.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>

namespace toposeg {

// Thread safe.
class Waiter {
 public:
  virtual ~Waiter() = default;
  // Waits on `changed`, whose lock is held, until `done` holds (true) or the time is over (false).
  virtual bool wait(std::unique_lock<std::mutex>& lock, std::condition_variable& changed,
                    std::chrono::nanoseconds time, const std::function<bool()>& done) = 0;
};

class SystemWaiter final : public Waiter {
 public:
  bool wait(std::unique_lock<std::mutex>& lock, std::condition_variable& changed,
            std::chrono::nanoseconds time, const std::function<bool()>& done) override {
    return changed.wait_for(lock, time, done);
  }
};

}  // namespace toposeg
