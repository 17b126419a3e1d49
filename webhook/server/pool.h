// A fixed number of threads over one bounded queue of requests.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "webhook/server/exchange.h"

namespace toposeg::webhook {

// Thread safe.
class Pool {
 public:
  using Work = std::function<void(std::unique_ptr<Exchange>)>;

  explicit Pool(std::size_t max_queue) : max_queue_(max_queue) {}
  ~Pool() { stop(); }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  // `make_work` runs once on each thread; what it returns stays on that thread.
  void start(unsigned threads, const std::function<Work()>& make_work);

  // False when `max_queue` requests wait already; `exchange` is then left untouched.
  [[nodiscard]] bool offer(std::unique_ptr<Exchange>& exchange);

  // Waits for the running requests; those that still queue are dropped.
  void stop();

 private:
  void run(const Work& work);

  const std::size_t max_queue_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::unique_ptr<Exchange>> queue_;
  bool stopped_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace toposeg::webhook
