#include "webhook/program/command_line.h"

#include <CLI/CLI.hpp>
#include <array>
#include <fstream>
#include <iostream>
#include <map>
#include <optional>
#include <string>

#include "common/base/log.h"
#include "common/config/config.h"
#include "common/options/checks.h"
#include "common/options/usage.h"
#include "webhook/program/review_command.h"
#include "webhook/program/serve.h"

namespace toposeg::webhook {
namespace {

constexpr const char* kName = "toposeg-webhook";
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

// Keys of the configuration with a flag that takes one value, and what stands for a value in the help.
struct SettingFlag {
  const char* flag;
  const char* key;
  const char* value;
};
constexpr std::array<SettingFlag, 11> kSettingFlags{{
    {"--address", "server.address", "ADDRESS"},
    {"--port", "server.port", "PORT"},
    {"--plain-address", "server.plainAddress", "ADDRESS"},
    {"--plain-port", "server.plainPort", "PORT"},
    {"--certificate", "server.certificateFile", "FILE"},
    {"--key", "server.keyFile", "FILE"},
    {"--workers", "server.workers", "N"},
    {"--lame-duck", "server.lameDuck", "DURATION"},
    {"--drain", "server.drain", "DURATION"},
    {"--log-level", "log.level", "LEVEL"},
    {"--log-format", "log.format", "FORMAT"},
}};

using Settings = std::vector<config::Setting>;

void add_settings(CLI::App& app, Settings& settings) {
  for (const auto& [flag, key, value] : kSettingFlags) {
    const auto set = [&settings, flag = flag, key = key](const std::string& given) {
      settings.push_back({key, {given}, flag});
    };
    app.add_option_function<std::string>(flag, set, std::string(config::meaning_of(key)))->type_name(value);
  }
  const auto set_names = [&settings](const std::vector<std::string>& names) {
    settings.push_back({"server.serverNames", names, "--server-name"});
  };
  app.add_option_function<std::vector<std::string>>(
         "--server-name", set_names,
         "DNS name or address in the certificate that the webhook makes; repeatable")
      ->type_name("NAME")
      ->allow_extra_args(false);
}

void add_serve(CLI::App& app, ServeOptions& options, Settings& settings) {
  CLI::App* serve =
      app.add_subcommand("serve", "Serve the webhook over HTTPS for a live cluster, or one in files");
  serve->footer(kServeExamples);
  CLI::Option* snapshot = serve
                              ->add_option("--snapshot", options.snapshots,
                                           "Cluster file (YAML or JSON); may be given several times")
                              ->type_name("FILE")
                              ->allow_extra_args(false);
  CLI::Option* kubeconfig = serve
                                ->add_option("--kubeconfig", options.kubeconfig,
                                             "Kubeconfig file of the live cluster, outside of it")
                                ->type_name("FILE");
  kubeconfig->excludes(snapshot);
  serve->add_option("--context", options.context, "Context of the kubeconfig")
      ->type_name("NAME")
      ->needs(kubeconfig);
  serve->add_option("--write-ca", options.write_ca, "Write the self-made CA to this file, for clients")
      ->type_name("FILE");
  add_settings(*serve, settings);
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
      ->check(options::is_one_of({"auto", "workloads", "pods", "topologies"}));
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
      ->check(options::is_one_of({"json", "patch", "patched"}));
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
    err << kName << ": " << flags.file << ": cannot be opened\n";
    return kExitInvalid;
  }
  return review_command(flags.options, config, file, out, err);
}

void tell(const std::vector<Error>& faults, std::ostream& err) {
  for (const Error& fault : faults) err << kName << ": " << fault.text() << '\n';
}

}  // namespace

int run(int argc, const char* const* argv, std::istream& in, std::ostream& out, std::ostream& err) {
  CLI::App app("Topology-aware placement of training pods, as a Kubernetes admission webhook", kName);
  app.footer(kExamples);
  app.set_version_flag("--version", TOPOSEG_VERSION);
  app.fallthrough();
  std::string config_file;
  bool print_config = false;
  app.add_option("--config", config_file, "Configuration file (YAML)");
  app.add_flag("--print-config", print_config, "Print the configuration in use, with comments, and exit");
  ServeOptions serve_options;
  Settings settings;
  ReviewFlags review_flags;
  add_serve(app, serve_options, settings);
  add_review(app, review_flags);
  app.add_subcommand("version", "Print the version");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error, out, err);
    options::tell_wrong_usage(err, kName, options::usage_message(error, app), app);
    return kExitUsage;
  }
  if (app.got_subcommand("version")) {
    out << TOPOSEG_VERSION << '\n';
    return 0;
  }
  const std::expected<config::Config, std::vector<Error>> from_file =
      config_file.empty() ? config::defaults() : config::load(config_file);
  if (!from_file) {
    tell(from_file.error(), err);
    return kExitInvalid;
  }
  const auto config = config::with_settings(*from_file, settings);
  if (!config) {
    tell(config.error(), err);
    return kExitUsage;
  }
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
