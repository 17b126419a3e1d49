#include "webhook/program/serve.h"

#include <prometheus/registry.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <fstream>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "common/base/clock.h"
#include "common/base/log.h"
#include "common/base/random.h"
#include "common/base/waiter.h"
#include "engine/placement/engine.h"
#include "webhook/admission/reviewer.h"
#include "webhook/cluster/listeners.h"
#include "webhook/cluster/live_cluster.h"
#include "webhook/cluster/snapshot.h"
#include "webhook/kube_api/credentials.h"
#include "webhook/program/debug_pages.h"
#include "webhook/program/serving_certificates.h"
#include "webhook/program/signals.h"
#include "webhook/program/state_metrics.h"
#include "webhook/server/server.h"
#include "webhook/waiting/announcer.h"
#include "webhook/waiting/usher.h"

namespace toposeg::webhook {
namespace {

constexpr std::chrono::milliseconds kTurn{1000};     // how often files are looked at
constexpr std::chrono::milliseconds kShortTurn{50};  // while the cluster is being listed
constexpr std::chrono::milliseconds kDrainTurn{50};  // how soon the end of a drain is seen
constexpr int kExitFailed = 1;
constexpr int kExitInvalid = 3;

log::Logger make_logger(const config::LogConfig& config) {
  return log::Logger({.level = log::parse_level(config.level).value_or(log::Level::kInfo),
                      .format = log::parse_format(config.format).value_or(log::Format::kJson)});
}

// The pod's name, in a cluster.
std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 && name[0] != '\0' ? name.data() : "toposeg";
}

// Everything of one serving process, in the order in which it is made; destroyed in the reverse.
struct Process {
  Process(const config::Config& config_, ServingCertificates certificates_)
      : config(config_),
        logger(make_logger(config.log)),
        registry(std::make_shared<prometheus::Registry>()),
        certificates(std::move(certificates_)),
        engine(config.engine, clock),
        state(registry),
        reviewer(engine, config, registry, clock),
        server(config.server, certificates.store(), registry) {
    reviewer.view_age([this] { return view().age(); });
  }

  // Before anything is served.
  void watch_files(const std::vector<std::string>& files) {
    snapshot = std::make_unique<Snapshot>(files, engine, config.workloads, clock);
  }
  void follow(const kube_api::Credentials& credentials) {
    events = std::make_unique<kube_api::EventRecorder>(std::make_unique<kube_api::Client>(credentials, clock),
                                                       kube_api::Reporter{.instance = host_name()},
                                                       kube_api::Environment{clock, waiter, random, logger});
    announcer = std::make_unique<Announcer>(*events);
    usher = std::make_unique<Usher>(reviewer, std::make_unique<kube_api::Client>(credentials, clock),
                                    Usher::Environment{clock, waiter, logger});
    usher->tell([this](const WaitingPod& pod, const Retried& retried) { announcer->tried(pod, retried); });
    listeners = std::make_unique<Listeners>(std::vector<ClusterListener*>{usher.get(), announcer.get()});
    live = std::make_unique<LiveCluster>(credentials, engine, config.workloads, *listeners,
                                         kube_api::Environment{clock, waiter, random, logger});
  }

  // The one of the two that there is.
  [[nodiscard]] const ClusterView& view() const {
    return live != nullptr ? static_cast<const ClusterView&>(*live) : *snapshot;
  }

  const config::Config& config;
  SystemClock clock;
  SystemWaiter waiter;
  SystemRandom random;
  log::Logger logger;
  std::shared_ptr<prometheus::Registry> registry;
  ServingCertificates certificates;
  engine::Engine engine;
  StateMetrics state;
  Reviewer reviewer;
  std::unique_ptr<Snapshot> snapshot;
  std::unique_ptr<kube_api::EventRecorder> events;
  std::unique_ptr<Announcer> announcer;
  std::unique_ptr<Usher> usher;
  std::unique_ptr<Listeners> listeners;
  std::unique_ptr<LiveCluster> live;
  Server server;
};

void report_reading(Process& process, const Result<SnapshotContent>& result) {
  process.state.read(result);
  if (!result) {
    process.logger.error("Cluster file refused, the last good one stays", {{"err", result.error().text()}});
    return;
  }
  process.logger.info("Cluster file read", {{"nodes", result->nodes},
                                            {"pods", result->pods},
                                            {"topologies", result->topologies},
                                            {"workloads", result->workloads}});
  for (const std::string& note : result->notes) process.logger.info("Cluster file note", {{"note", note}});
}

// One line a review: what came out, and the names under which audit logs know it. Objects that are left alone
// are told at debug level only, they are most of the traffic.
void report_review(const Process& process, const char* path, const Call& call, const ReviewAnswer& answer,
                   std::chrono::duration<double> took) {
  if (!answer.fault.empty()) {
    process.logger.error(
        "Review failed",
        {{"path", path}, {"uid", answer.uid}, {"decision", answer.decision}, {"err", answer.fault}});
    return;
  }
  const std::initializer_list<log::Field> fields{{"path", path},
                                                 {"uid", answer.uid},
                                                 {"decision", answer.decision},
                                                 {"outcome", answer.outcome},
                                                 {"status", answer.http_status},
                                                 {"seconds", took.count()},
                                                 {"traceparent", call.trace_parent}};
  if (answer.decision.empty()) {
    process.logger.debug("Review answered", fields);
  } else {
    process.logger.info("Review answered", fields);
  }
}

Answer still_reading() {
  const nlohmann::ordered_json status{
      {"apiVersion", "v1"},  {"kind", "Status"},
      {"status", "Failure"}, {"reason", "ServiceUnavailable"},
      {"code", 503},         {"message", "toposeg is still reading the cluster; try again in a second"}};
  return {.status = 503, .body = status.dump()};
}

void add_hook(Process& process, const char* path, Hook hook) {
  process.server.post(path, [&process, path, hook](const Call& call) {
    // Half a view would split segments; the API server asks again while its time for the hook lasts.
    if (!process.view().loaded()) return still_reading();
    const Instant start = process.clock.now();
    ReviewAnswer answer = process.reviewer.review(hook, call.body, call.timeout);
    report_review(process, path, call, answer, process.clock.now() - start);
    return Answer{.status = answer.http_status, .body = std::move(answer.body)};
  });
}

Answer readiness(const Process& process) {
  const bool certificate = process.certificates.store()->get() != nullptr;
  const bool cluster = process.view().loaded();
  const bool draining = process.server.draining();
  const bool ready = certificate && cluster && !draining;
  const nlohmann::ordered_json page{
      {"ready", ready}, {"certificate", certificate}, {"cluster", cluster}, {"draining", draining}};
  return {.status = ready ? 200 : 503, .body = page.dump() + "\n"};
}

void add_pages(Process& process) {
  Server& server = process.server;
  server.get("/livez", [](const Call&) { return Answer{.body = "{\"live\":true}\n"}; });
  server.get("/readyz", [&process](const Call&) { return readiness(process); });
  server.get("/metrics", [&process](const Call&) {
    return Answer{.content_type = "text/plain; version=0.0.4; charset=utf-8",
                  .body = process.state.page(process.engine, process.view(), process.live.get(),
                                             process.usher.get(), *process.certificates.store())};
  });
  server.get("/debug/topology",
             [&process](const Call&) { return Answer{.body = topology_page(process.engine)}; });
  server.get("/debug/ledger",
             [&process](const Call&) { return Answer{.body = ledger_page(process.engine)}; });
  server.get("/debug/waiting",
             [&process](const Call&) { return Answer{.body = waiting_page(process.engine)}; });
}

bool write_ca(const std::string& file, const std::string& pem, std::ostream& err) {
  if (file.empty()) return true;
  if (pem.empty()) {
    err << "toposeg-webhook: --write-ca has no effect with certificate files: their CA is not known here\n";
    return true;
  }
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out << pem << std::flush;
  if (!out) err << "toposeg-webhook: " << file << ": cannot be written\n";
  return out.good();
}

void announce(const Process& process, const std::string& ca_file, std::ostream& out) {
  const config::ServerConfig& server = process.config.server;
  nlohmann::ordered_json line{{"address", server.address},
                              {"port", process.server.port()},
                              {"plain_address", server.plain_address},
                              {"plain_port", process.server.plain_port()}};
  if (!ca_file.empty()) line["ca"] = ca_file;
  out << line.dump() << std::endl;
  process.logger.info("Serving", {{"address", server.address},
                                  {"port", process.server.port()},
                                  {"plain_address", server.plain_address},
                                  {"plain_port", process.server.plain_port()}});
}

void look_at_files(Process& process, bool again) {
  if (process.snapshot == nullptr) return;
  if (again) {
    report_reading(process, process.snapshot->load());
  } else if (const auto polled = process.snapshot->poll()) {
    report_reading(process, *polled);
  }
}

// The view is complete: reservations are rebuilt, waiting pods are let in from now on.
void look_at_cluster(Process& process) {
  if (process.live == nullptr) return;
  const auto plan_ttl = std::chrono::duration_cast<std::chrono::seconds>(process.config.engine.plan_ttl);
  if (!process.live->settle(plan_ttl)) return;
  process.usher->open();
  for (const auto& [resource, statistics] : process.live->statistics()) {
    process.logger.info("Resource listed", {{"resource", resource}, {"objects", statistics.objects}});
  }
  process.logger.info("Ready");
}

void run_until_stopped(Process& process, const Signals& signals) {
  for (;;) {
    look_at_cluster(process);
    const auto signal = signals.wait(process.view().loaded() ? kTurn : kShortTurn);
    if (signal == Signal::kStop) return;
    look_at_files(process, signal == Signal::kReload);
    process.state.renewed(process.certificates.refresh(process.logger));
  }
}

void drain(Process& process, const Signals& signals) {
  process.logger.info("Draining", {{"lame_duck_seconds", process.config.server.lame_duck.count()}});
  std::atomic<bool> drained = false;
  const std::jthread worker([&] {
    process.server.shut_down();
    drained = true;
  });
  while (!drained) {
    if (signals.wait(kDrainTurn) != Signal::kStop) continue;
    process.logger.warn("Second signal, ending at once");
    process.server.shut_down(true);
  }
}

// Reads the files, or begins to follow the cluster.
Result<void> begin_view(Process& process, const ServeOptions& options) {
  if (!options.snapshots.empty()) {
    process.watch_files(options.snapshots);
    const auto first = process.snapshot->load();
    if (!first) return std::unexpected(first.error());
    report_reading(process, first);
    return {};
  }
  auto credentials = options.kubeconfig.empty()
                         ? kube_api::in_cluster()
                         : kube_api::from_kubeconfig(options.kubeconfig, options.context);
  if (!credentials) {
    Error error = credentials.error();
    if (options.kubeconfig.empty()) {
      error.message += " (--kubeconfig FILE), or a cluster file (--snapshot FILE)";
    }
    return std::unexpected(std::move(error));
  }
  process.logger.info("Following the cluster", {{"server", credentials->server()}});
  process.follow(*credentials);
  process.events->start();
  process.usher->start();
  process.live->start();
  return {};
}

}  // namespace

int serve(const ServeOptions& options, const config::Config& config, std::ostream& out, std::ostream& err) {
  const auto signals = Signals::create();
  if (!signals) {
    err << "toposeg-webhook: " << signals.error().text() << '\n';
    return kExitFailed;
  }
  const SystemClock clock;
  auto certificates = ServingCertificates::create(config.server, config.pods.own_namespace, clock);
  if (!certificates) {
    err << "toposeg-webhook: " << certificates.error().text() << '\n';
    return kExitInvalid;
  }
  const std::string ca = certificates->ca_pem();
  Process process(config, std::move(*certificates));
  if (const auto begun = begin_view(process, options); !begun) {
    err << "toposeg-webhook: " << begun.error().text() << '\n';
    return kExitInvalid;
  }
  add_hook(process, "/v1/workloads", Hook::kWorkloads);
  add_hook(process, "/v1/pods", Hook::kPods);
  add_hook(process, "/v1/topologies", Hook::kTopologies);
  add_pages(process);
  if (!write_ca(options.write_ca, ca, err)) return kExitInvalid;
  if (const auto started = process.server.start(); !started) {
    err << "toposeg-webhook: " << started.error().text() << '\n';
    return kExitFailed;
  }
  announce(process, ca.empty() ? std::string() : options.write_ca, out);
  run_until_stopped(process, *signals);
  if (process.usher != nullptr) process.usher->stop();
  drain(process, *signals);
  if (process.live != nullptr) process.live->stop();
  if (process.events != nullptr) process.events->stop();
  process.logger.info("Ended");
  return 0;
}

}  // namespace toposeg::webhook
