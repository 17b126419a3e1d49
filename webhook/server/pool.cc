#include "webhook/server/pool.h"

namespace toposeg::webhook {

void Pool::start(unsigned threads, const std::function<Work()>& make_work) {
  for (unsigned i = 0; i < threads; ++i) {
    threads_.emplace_back([this, make_work] { run(make_work()); });
  }
}

bool Pool::offer(std::unique_ptr<Exchange>& exchange) {
  {
    const std::scoped_lock lock(mutex_);
    if (stopped_ || queue_.size() >= max_queue_) return false;
    queue_.push_back(std::move(exchange));
  }
  changed_.notify_one();
  return true;
}

void Pool::stop() {
  {
    const std::scoped_lock lock(mutex_);
    stopped_ = true;
    queue_.clear();
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

void Pool::run(const Work& work) {
  for (;;) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return stopped_ || !queue_.empty(); });
    if (stopped_) return;
    auto exchange = std::move(queue_.front());
    queue_.pop_front();
    lock.unlock();
    work(std::move(exchange));
  }
}

}  // namespace toposeg::webhook
