#include "engine/cli/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <limits>
#include <string_view>

#include "common/base/text.h"
#include "common/options/checks.h"
#include "engine/cli/option_groups.h"
#include "engine/simulation/made_cluster.h"
#include "engine/simulation/policy.h"

namespace toposeg::cli {
namespace {

constexpr std::string_view kPlugin = "kubectl-toposeg";
constexpr int kDefaultMoves = 3;
constexpr int kMostMoves = 10;

void add_plan(CLI::App& app, Options& options, const std::string& program) {
  CLI::App* plan = app.add_subcommand("plan", "Tell where each segment of a workload would go");
  plan->footer(
      examples("  % plan -f job.yaml --cluster cluster.yaml\n"
               "  kubectl get nodes,pods,topologies -A -o json | % plan -f job.yaml --cluster -\n"
               "  % plan -f job.yaml --drain node-7 -o wide\n"
               "  % plan -f job.yaml -o html > plan.html\n"
               "Exit status: 0 placed, 1 something required does not fit, 2 wrong usage, 3 invalid input",
               program));
  add_files(*plan, options, Needed::kYes);
  add_cluster(*plan, options);
  add_sender(*plan, options.sender);
  add_output(*plan, options, {"table", "wide", "json", "yaml", "dot", "svg", "html", "name"});
}

void add_slots(CLI::App& app, Options& options, const std::string& program) {
  CLI::App* slots = app.add_subcommand("slots", "Tell how many more segments fit at each level");
  slots->footer(
      examples("  % slots --cluster cluster.yaml\n"
               "  % slots -f job.yaml --size 4 --size 8\n"
               "  % slots --by-size --cluster cluster.yaml",
               program));
  add_files(*slots, options, Needed::kNo);
  slots->add_option("--size", options.sizes, "Pods in a segment; repeatable; 2, 4, 8, 16, 32 unless given")
      ->type_name("N")
      ->delimiter(',')
      ->check(options::is_whole_number(1));
  slots->add_flag("--by-size", options.by_size,
                  "Compare sizes: what fits now, what would fit were every node healthy and empty");
  add_pods(*slots, options);
  add_output(*slots, options, {"table", "json", "yaml"});
}

void add_defrag(CLI::App& app, Options& options, const std::string& program) {
  CLI::App* defrag =
      app.add_subcommand("defrag", "Advise which few segments to move, and where, so that more slots appear");
  defrag->footer(
      examples("  kubectl get nodes,pods,topologies,pytorchjobs,leaderworkersets -A -o yaml > cluster.yaml\n"
               "  % defrag --size 16 --level rack --cluster cluster.yaml\n"
               "  % defrag -f job.yaml --size 4 --level block --moves 3\n"
               "Nothing is moved. Only segments move whose pods toposeg has placed, and whole ones.",
               program));
  add_files(*defrag, options, Needed::kNo);
  defrag->add_option("--size", options.sizes, "Pods in a slot")
      ->type_name("N")
      ->required()
      ->expected(1)
      ->check(options::is_whole_number(1));
  defrag->add_option("--level", options.level, "Level of the slots: node label, alias or short name")
      ->type_name("LEVEL")
      ->required();
  options.moves = kDefaultMoves;
  defrag
      ->add_option("--moves", options.moves,
                   fmt::format("Segments to move at most; {} unless given", kDefaultMoves))
      ->type_name("K")
      ->check(options::is_whole_number(1, kMostMoves));
  add_pods(*defrag, options);
  add_output(*defrag, options, {"table", "json", "yaml"});
}

void add_topology(CLI::App& app, Options& options, const std::string& program) {
  CLI::App* topology =
      app.add_subcommand("topology", "Show the tree: totals, what is free, what is unhealthy");
  topology->footer(
      examples("  % topology --cluster cluster.yaml\n"
               "  % topology -o svg > topology.svg",
               program));
  add_topology_choice(*topology, options, "Topology to show; needed when there are several");
  add_cluster(*topology, options);
  add_output(*topology, options, {"table", "wide", "json", "dot", "svg", "html"});
}

void add_explain(CLI::App& app, Options& options, const std::string& program) {
  CLI::App* explain =
      app.add_subcommand("explain", "Tell why a segment goes where it goes, and the next best");
  explain->footer(
      examples("  % explain -f job.yaml --segment 3 --cluster cluster.yaml\n"
               "  % explain -f lws.yaml --group 1 --segment 0",
               program));
  add_files(*explain, options, Needed::kYes);
  explain->add_option("--segment", options.segment, "Number of the segment, from 0")
      ->type_name("N")
      ->required()
      ->check(options::is_whole_number(0));
  explain->add_option("--group", options.group, "Replica group of a LeaderWorkerSet, from 0")
      ->type_name("N")
      ->check(options::is_whole_number(0));
  add_workload_choice(*explain, options, "Workload to explain; needed when the file holds several");
  add_cluster(*explain, options);
  add_sender(*explain, options.sender);
  add_output(*explain, options, {"table", "json"});
}

void add_status(CLI::App& app, Options& options, const std::string& program) {
  CLI::App* status =
      app.add_subcommand("status", "Tell where the pods of a workload run, segment by segment");
  status->footer(
      examples("  % status pytorchjob/train -n research\n"
               "  kubectl get nodes,pods,topologies,pytorchjobs -A -o yaml > cluster.yaml\n"
               "  % status train --cluster cluster.yaml -o wide\n"
               "Exit status: 0 all placed, 1 something waits or stands apart, 2 wrong usage, 3 invalid input "
               "or no such "
               "workload",
               program));
  status->add_option("workload", options.workload, "The workload, KIND/NAME or NAME")
      ->type_name("WORKLOAD")
      ->required();
  add_topology_choice(*status, options,
                      "Topology by which to judge; the workload's unless given, else the only one");
  add_source(*status, options, "nodes, pods, topologies and workloads", "Namespace of the workload");
  add_output(*status, options, {"table", "wide", "json", "yaml", "name"});
}

std::vector<std::string> policy_names() {
  std::vector<std::string> names;
  for (const simulation::PolicyName& policy : simulation::policies()) names.emplace_back(policy.name);
  return names;
}

std::string kinds_of_cluster() {
  std::vector<std::string_view> names;
  for (const simulation::ClusterName& cluster : simulation::made_clusters()) names.push_back(cluster.name);
  return join(names, ", ");
}

void add_trace(CLI::App& app, SimulateOptions& simulate) {
  CLI::Option* trace =
      app.add_option(
             "--trace", simulate.trace,
             "File with jobs, CSV or a JSON object a line; - is standard input. Without it the jobs are "
             "drawn by lot")
          ->type_name("FILE");
  app.add_option("--jobs", simulate.jobs, "Jobs to draw; 1000 unless given")
      ->type_name("N")
      ->check(options::is_whole_number(1, 1'000'000))
      ->excludes(trace);
  app.add_option("--load", simulate.load,
                 "Work that the drawn jobs bring, as a share of what the cluster can do; 0.9 unless given")
      ->type_name("SHARE")
      ->check(options::is_number(0.01, 10))
      ->excludes(trace);
  app.add_option("--seed", simulate.seed, "What is drawn follows from this number; 1 unless given")
      ->type_name("N")
      ->check(options::is_whole_number(0, std::numeric_limits<std::int64_t>::max()));
  app.add_option("--save-trace", simulate.save_trace, "Write the jobs to this file, as CSV")
      ->type_name("FILE");
}

void add_simulate(CLI::App& app, Options& options, const std::string& program) {
  CLI::App* simulate =
      app.add_subcommand("simulate", "Play a trace of jobs through several policies and compare them");
  simulate->footer(
      examples("  % simulate --generate nvl72 --jobs 1000 --seed 1 --load 0.9\n"
               "  % simulate --trace jobs.csv --cluster cluster.yaml -o html > report.html\n"
               "  % simulate --trace jobs.csv --policy toposeg --policy tightest -o csv",
               program));
  add_trace(*simulate, options.simulate);
  add_cluster_files(*simulate, options.cluster, "nodes, pods and topologies");
  add_what_if(*simulate, options.cluster);
  CLI::Option* generated =
      simulate->add_option("--generate", options.simulate.generated,
                           "Simulate on a made cluster of this kind, see generate --help");
  generated->type_name("KIND");
  for (const char* option : {"--cluster", "--context", "--kubeconfig", "--drain", "--add-nodes"}) {
    generated->excludes(simulate->get_option(option));
  }
  simulate->add_option("--policy", options.simulate.policies, "Policy to play; repeatable; all unless given")
      ->type_name("POLICY")
      ->allow_extra_args(false)
      ->check(options::is_one_of(policy_names()));
  simulate->add_flag("--strict-order", options.simulate.strict_order,
                     "No job starts before an older one, even where it takes nothing from it");
  simulate->add_flag("--timings", options.simulate.timings,
                     "Also tell how long decisions took; this alone differs from run to run");
  add_topology_choice(*simulate, options, "Topology to use; needed when there are several");
  add_output(*simulate, options, {"table", "json", "csv", "html"});
}

void add_generate(CLI::App& app, Options& options, const std::string& program) {
  CLI::App* generate = app.add_subcommand("generate", "Print a made cluster: its nodes and their topology");
  generate->footer(
      examples("  % generate nvl72 > cluster.yaml\n"
               "  % generate eks:20x16 -o json > cluster.json",
               program));
  generate
      ->add_option(
          "kind", options.simulate.generated,
          "One of " + kinds_of_cluster() + "; with :RxN of R racks (or what is closest) with N nodes")
      ->type_name("KIND")
      ->required();
  generate->add_option("-o,--output", options.output, "Form of the answer; yaml unless given")
      ->type_name("FORM")
      ->check(options::is_one_of({"yaml", "json"}));
}

}  // namespace

std::string program_name(const std::string& called_as) {
  const std::size_t slash = called_as.rfind('/');
  const std::string base = slash == std::string::npos ? called_as : called_as.substr(slash + 1);
  return base == kPlugin ? "kubectl toposeg" : "toposeg";
}

void describe(CLI::App& app, Options& options, const std::string& program) {
  app.name(program);
  app.description("Topology-aware placement of training pods, answered without submitting anything");
  app.footer(
      examples("  kubectl get nodes,pods,topologies -A -o yaml > cluster.yaml\n"
               "  % plan -f job.yaml --cluster cluster.yaml\n"
               "  % explain -f job.yaml --segment 3 --cluster cluster.yaml",
               program));
  app.require_subcommand(1);
  app.set_version_flag("--version", TOPOSEG_VERSION, "Print the version");
  add_plan(app, options, program);
  add_slots(app, options, program);
  add_defrag(app, options, program);
  add_topology(app, options, program);
  add_explain(app, options, program);
  add_status(app, options, program);
  add_simulate(app, options, program);
  add_generate(app, options, program);
  app.add_subcommand("version", "Print the version");
  CLI::App* completion = app.add_subcommand("completion", "Print a completion script for a shell");
  completion->add_option("shell", options.shell, "bash, zsh or fish")
      ->type_name("SHELL")
      ->required()
      ->check(options::is_one_of({"bash", "zsh", "fish"}));
  completion->footer(examples("  % completion bash > /etc/bash_completion.d/toposeg", program));
  CLI::App* man = app.add_subcommand("man", "Print a manual page");
  man->add_option("command", options.page, "Command; the program's own page unless given")
      ->type_name("COMMAND");
  man->footer(examples("  % man plan | man -l -", program));
  man->group("");
}

}  // namespace toposeg::cli
