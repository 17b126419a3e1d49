#include "webhook/program/command_line.h"

#include <CLI/CLI.hpp>
#include <fstream>
#include <iostream>
#include <map>
#include <optional>
#include <string>

#include "common/base/log.h"
#include "common/config/config.h"
#include "webhook/program/review_command.h"
#include "webhook/program/serve.h"

namespace toposeg::webhook {
namespace {

constexpr int kExitUsage = 2;
constexpr int kExitInvalid = 3;

constexpr const char* kExamples = R"(Examples:
  toposeg-webhook serve --config toposeg.yaml
  toposeg-webhook serve --snapshot cluster.yaml --port 0 --plain-port 0 --write-ca ca.pem
  toposeg-webhook review --snapshot cluster.yaml --field-manager kubectl-create < job.yaml
  toposeg-webhook --print-config > toposeg.yaml)";

constexpr const char* kServeExamples =
    R"(Without --snapshot the cluster is the one that --kubeconfig names, or the
one that the process is a pod of.

Examples:
  toposeg-webhook serve --config toposeg.yaml
  toposeg-webhook serve --kubeconfig ~/.kube/config --context test --port 0 --write-ca ca.pem
  kubectl get nodes,pods,topologies -A -o yaml > cluster.yaml
  toposeg-webhook serve --snapshot cluster.yaml --config toposeg.yaml
  curl --cacert ca.pem -H 'Content-Type: application/json' -d @review.json https://localhost:9443/v1/pods)";

constexpr const char* kReviewExamples = R"(Examples:
  toposeg-webhook review --snapshot cluster.yaml < job.yaml
  toposeg-webhook review --snapshot cluster.yaml -o patched --as system:serviceaccount:team:ci pods.yaml
  toposeg-webhook review --snapshot cluster.yaml --dry-run review.json)";

// What the command line says over the configuration file.
struct Overrides {
  std::optional<std::string> address;
  std::optional<std::uint16_t> port;
  std::optional<std::string> plain_address;
  std::optional<std::uint16_t> plain_port;
  std::optional<std::string> certificate;
  std::optional<std::string> key;
  std::vector<std::string> server_names;
  std::optional<unsigned> workers;
  std::optional<unsigned> lame_duck;
  std::optional<unsigned> drain;
  std::optional<std::string> log_level;
  std::optional<std::string> log_format;
};

template <typename Target, typename Value>
void override_with(Target& target, const std::optional<Value>& value) {
  if (value) target = Target(*value);
}

void apply(const Overrides& overrides, config::Config& config) {
  config::ServerConfig& server = config.server;
  override_with(server.address, overrides.address);
  override_with(server.port, overrides.port);
  override_with(server.plain_address, overrides.plain_address);
  override_with(server.plain_port, overrides.plain_port);
  override_with(server.certificate_file, overrides.certificate);
  override_with(server.key_file, overrides.key);
  if (!overrides.server_names.empty()) server.server_names = overrides.server_names;
  override_with(server.workers, overrides.workers);
  override_with(server.lame_duck, overrides.lame_duck);
  override_with(server.drain, overrides.drain);
  override_with(config.log.level, overrides.log_level);
  override_with(config.log.format, overrides.log_format);
}

void add_serve(CLI::App& app, ServeOptions& options, Overrides& overrides) {
  CLI::App* serve =
      app.add_subcommand("serve", "Serve the webhook over HTTPS for a live cluster, or one in files");
  serve->footer(kServeExamples);
  auto* snapshot = serve
                       ->add_option("--snapshot", options.snapshots,
                                    "Cluster file (YAML or JSON); may be given several times")
                       ->allow_extra_args(false);
  auto* kubeconfig = serve->add_option("--kubeconfig", options.kubeconfig,
                                       "Kubeconfig file of the live cluster, outside of it");
  kubeconfig->excludes(snapshot);
  serve->add_option("--context", options.context, "Context of the kubeconfig")->needs(kubeconfig);
  serve->add_option("--write-ca", options.write_ca, "Write the self-made CA to this file, for clients");
  serve->add_option("--address", overrides.address, "Address of the HTTPS port");
  serve->add_option("--port", overrides.port, "HTTPS port; 0 = any free one");
  serve->add_option("--plain-address", overrides.plain_address, "Address of the plain port");
  serve->add_option("--plain-port", overrides.plain_port,
                    "Port of health, metrics and debug pages; 0 = any free one");
  auto* certificate = serve->add_option("--certificate", overrides.certificate, "Certificate chain, PEM");
  auto* key = serve->add_option("--key", overrides.key, "Its private key, PEM");
  certificate->needs(key);
  key->needs(certificate);
  serve
      ->add_option("--server-name", overrides.server_names,
                   "Name or address in the self-made certificate; repeatable")
      ->allow_extra_args(false);
  serve->add_option("--workers", overrides.workers, "Worker threads; 0 = one a core");
  serve->add_option("--lame-duck", overrides.lame_duck, "Seconds to go on accepting after SIGTERM");
  serve->add_option("--drain", overrides.drain, "Seconds to wait for requests in flight");
  serve->add_option("--log-level", overrides.log_level, "trace, debug, info, warn or error")
      ->check(CLI::IsMember({"trace", "debug", "info", "warn", "error"}));
  serve->add_option("--log-format", overrides.log_format, "json or text")
      ->check(CLI::IsMember({"json", "text"}));
}

struct ReviewFlags {
  ReviewOptions options;
  std::string file = "-";
  std::string hook = "auto";
  std::string output = "json";
};

void add_review(CLI::App& app, ReviewFlags& flags) {
  CLI::App* review =
      app.add_subcommand("review", "Answer AdmissionReviews or bare objects from standard input");
  review->footer(kReviewExamples);
  review->add_option("file", flags.file, "File to read; - = standard input");
  review->add_option("--snapshot", flags.options.snapshots, "Cluster file; may be given several times")
      ->allow_extra_args(false);
  review->add_option("--hook", flags.hook, "auto, workloads, pods or topologies")
      ->check(CLI::IsMember({"auto", "workloads", "pods", "topologies"}));
  review->add_option("--as", flags.options.sender.user, "User who sends a bare object");
  review->add_option("--group", flags.options.sender.groups, "Group of that user; repeatable")
      ->allow_extra_args(false);
  review->add_option("--field-manager", flags.options.sender.field_manager,
                     "Field manager, e.g. kubectl-create");
  review->add_option("-n,--namespace", flags.options.sender.namespace_,
                     "Namespace of objects that name none");
  review->add_flag("--dry-run", flags.options.sender.dry_run, "Reserve nothing");
  review
      ->add_option("-o,--output", flags.output,
                   "json (the answer), patch, or patched (the object as it will be)")
      ->check(CLI::IsMember({"json", "patch", "patched"}));
}

int run_review(ReviewFlags& flags, const config::Config& config, std::istream& in, std::ostream& out,
               std::ostream& err) {
  static const std::map<std::string, Hook> hooks{
      {"workloads", Hook::kWorkloads}, {"pods", Hook::kPods}, {"topologies", Hook::kTopologies}};
  static const std::map<std::string, ReviewOutput> outputs{
      {"json", ReviewOutput::kJson}, {"patch", ReviewOutput::kPatch}, {"patched", ReviewOutput::kPatched}};
  if (const auto hook = hooks.find(flags.hook); hook != hooks.end()) flags.options.hook = hook->second;
  flags.options.output = outputs.at(flags.output);
  if (flags.file == "-") return review_command(flags.options, config, in, out, err);
  std::ifstream file(flags.file, std::ios::binary);
  if (!file) {
    err << "toposeg-webhook: " << flags.file << ": cannot be opened\n";
    return kExitInvalid;
  }
  return review_command(flags.options, config, file, out, err);
}

std::optional<config::Config> read_config(const std::string& file, std::ostream& err) {
  if (file.empty()) return config::defaults();
  auto config = config::load(file);
  if (config) return std::move(*config);
  for (const Error& fault : config.error()) err << "toposeg-webhook: " << fault.text() << '\n';
  return std::nullopt;
}

}  // namespace

int run(int argc, const char* const* argv, std::istream& in, std::ostream& out, std::ostream& err) {
  CLI::App app("Topology-aware placement of training pods, as a Kubernetes admission webhook",
               "toposeg-webhook");
  app.footer(kExamples);
  app.set_version_flag("--version", TOPOSEG_VERSION);
  app.fallthrough();
  std::string config_file;
  bool print_config = false;
  app.add_option("--config", config_file, "Configuration file (YAML)");
  app.add_flag("--print-config", print_config, "Print the configuration in use, with comments, and exit");
  ServeOptions serve_options;
  Overrides overrides;
  ReviewFlags review_flags;
  add_serve(app, serve_options, overrides);
  add_review(app, review_flags);
  app.add_subcommand("version", "Print the version");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error, out, err) == 0 ? 0 : kExitUsage;
  }
  if (app.got_subcommand("version")) {
    out << TOPOSEG_VERSION << '\n';
    return 0;
  }
  auto config = read_config(config_file, err);
  if (!config) return kExitInvalid;
  apply(overrides, *config);
  if (print_config) {
    out << config::print(*config);
    return 0;
  }
  if (app.got_subcommand("serve")) return serve(serve_options, *config, out, err);
  if (app.got_subcommand("review")) return run_review(review_flags, *config, in, out, err);
  err << app.help();
  return kExitUsage;
}

}  // namespace toposeg::webhook
