// Lets waiting pods in: when the cluster changes, the segments that our gate holds are tried again, the
// oldest workload first and in order within one; a segment that has room now is reserved whole, and each of
// its pods gets its place and loses the gate in one patch. Pods that go on waiting say why, as it is now.
//
//   Usher usher(reviewer, std::make_unique<Client>(credentials, clock), environment);
//   usher.start();
//   …                     // as a ClusterListener it hears of pods and room
//   usher.open();         // once the view is complete; nothing is let in before
//   usher.stop();
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "common/base/clock.h"
#include "common/base/log.h"
#include "common/base/waiter.h"
#include "webhook/admission/reviewer.h"
#include "webhook/cluster/cluster_listener.h"
#include "webhook/kube_api/client.h"
#include "webhook/waiting/reasons.h"
#include "webhook/waiting/waiting_list.h"

namespace toposeg::webhook {

struct UsherStatistics {
  std::size_t waiting_pods = 0;
  std::uint64_t let_in = 0;  // pods that lost their gate
  std::uint64_t failed = 0;  // patches that the API server refused, or that did not reach it
  std::uint64_t passes = 0;
};

// Thread safe.
class Usher final : public ClusterListener {
 public:
  struct Environment {
    const Clock& clock;
    Waiter& waiter;
    log::Logger logger;
  };
  struct Options {
    std::chrono::milliseconds patience{2'000};      // for one decision
    std::chrono::milliseconds least_pause{50};      // between passes; longer after long ones
    std::chrono::milliseconds longest_wait{5'000};  // reservations end without a word
    std::chrono::seconds after_failure{10};         // before the same pod is tried again
    std::chrono::seconds reason_every{30};          // how often the reason on waiting pods is renewed at most
    std::chrono::milliseconds reason_pause{500};    // between looking after reasons
    int reason_calls = 20;                          // for reasons, while there may be pods to be let in
  };
  // Called on the usher's thread when a pod was let in, or waits.
  using Told = std::function<void(const WaitingPod& pod, const Retried& retried)>;

  Usher(Reviewer& reviewer, std::unique_ptr<kube_api::Client> client, Environment environment);
  Usher(Reviewer& reviewer, std::unique_ptr<kube_api::Client> client, Environment environment,
        Options options);
  ~Usher() override;  // stops
  Usher(const Usher&) = delete;
  Usher& operator=(const Usher&) = delete;

  void tell(Told told) { told_ = std::move(told); }  // before start()
  void start();                                      // once
  void open();
  void stop();

  void pod_seen(const kube::Pod& pod) override;
  void pod_gone(std::string_view namespace_, std::string_view name) override;
  void workload_seen(const workload::Workload& workload, const json::Document& object, bool fresh) override;
  void workload_gone(const workload::Identity& identity) override;
  void room_changed() override;

  [[nodiscard]] UsherStatistics statistics() const;

 private:
  enum class Step : std::uint8_t { kGoOn, kStopHere, kBeginAgain };
  enum class Sent : std::uint8_t {
    kDone,
    kOutrun,   // the pod has changed since: decide again, on what it is now
    kGone,     // there is nothing left to let in
    kRefused,  // the API server does not take this change
  };

  [[nodiscard]] static std::string target_of(const WaitingPod& pod);
  void run();
  void pass();
  void begin_pass(const std::vector<std::vector<WaitingPod>>& workloads,
                  const std::set<std::string>& outdated);
  [[nodiscard]] Step let_in(const WaitingPod& pod);
  [[nodiscard]] std::optional<Step> try_once(const WaitingPod& pod);
  void forget(const WaitingPod& pod);
  void was_let_in(const WaitingPod& pod, const Retried& retried);
  [[nodiscard]] bool must_begin_again();
  [[nodiscard]] const json::Document* document(const WaitingPod& pod);
  [[nodiscard]] Sent send(const WaitingPod& pod, const json::Document& object, const json::Document& patch);
  [[nodiscard]] Sent why_not(const WaitingPod& pod, const std::string& version,
                             const kube_api::ApiError& error);
  void renew_reasons();
  [[nodiscard]] bool renew_reasons_of(const std::vector<WaitingPod>& pods, int& calls);
  [[nodiscard]] std::string ask_reason(const WaitingPod& pod, const WaitingPod& first);
  void write_reason(const WaitingPod& pod, const std::string& reason);
  [[nodiscard]] bool has_other_work() const;
  void failed(const WaitingPod& pod, const std::string& error);
  void wake();

  Reviewer& reviewer_;
  const std::unique_ptr<kube_api::Client> client_;
  const Environment environment_;
  const Options options_;
  Told told_;

  // Of the usher's thread.
  std::map<std::string, json::Document> documents_;  // by uid
  std::map<std::string, Instant> not_before_;        // by uid
  Reasons reasons_;
  std::optional<Instant> reasons_renewed_;
  bool overtakes_ = false;  // an older workload was tried in this pass, and waits
  int begun_again_ = 0;     // passes in a row that were broken off

  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  WaitingList list_;
  std::set<std::string> outdated_;  // uids of documents that are old
  UsherStatistics statistics_;
  bool open_ = false;
  bool woken_ = false;
  bool stopping_ = false;

  std::thread thread_;
};

}  // namespace toposeg::webhook
