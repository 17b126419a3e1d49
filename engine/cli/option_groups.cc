#include "engine/cli/option_groups.h"

#include "common/options/checks.h"

namespace toposeg::cli {

std::string examples(std::string_view text, const std::string& program) {
  std::string out = "Examples:\n";
  for (const char c : text) {
    if (c == '%') {
      out += program;
    } else {
      out += c;
    }
  }
  return out;
}

void add_files(CLI::App& app, Options& options, Needed needed) {
  CLI::Option* files = app.add_option("-f,--filename", options.manifests,
                                      "File with workloads, YAML or JSON; - is standard input");
  files->type_name("FILE")->allow_extra_args(false);
  if (needed == Needed::kYes) files->required();
}

void add_cluster_files(CLI::App& app, ClusterOptions& cluster, const std::string& files) {
  app.add_option(
         "--cluster", cluster.files,
         "File with " + files +
             ", as kubectl get prints them; repeatable; - is standard input. Without it kubectl is asked")
      ->type_name("FILE")
      ->allow_extra_args(false);
  app.add_option("--context", cluster.context, "Context of the kubeconfig, for kubectl")->type_name("NAME");
  app.add_option("--kubeconfig", cluster.kubeconfig, "Configuration file, for kubectl")->type_name("FILE");
}

void add_source(CLI::App& app, Options& options, const std::string& files, const std::string& of_namespace) {
  add_cluster_files(app, options.cluster, files);
  app.add_option("-n,--namespace", options.cluster.namespace_, of_namespace)->type_name("NAME");
  app.add_option("--config", options.config, "Configuration file of the webhook")->type_name("FILE");
}

void add_what_if(CLI::App& app, ClusterOptions& cluster) {
  app.add_option("--drain", cluster.drained, "What if this node were drained; repeatable")
      ->type_name("NODE")
      ->allow_extra_args(false);
  app.add_option("--add-nodes", cluster.added, "What if the nodes of this file were there too; repeatable")
      ->type_name("FILE")
      ->allow_extra_args(false);
}

void add_cluster(CLI::App& app, Options& options) {
  add_source(app, options, "nodes, pods and topologies", "Namespace of workloads that name none");
  add_what_if(app, options.cluster);
}

void add_sender(CLI::App& app, SenderOptions& sender) {
  app.add_flag("--managed", sender.managed,
               "Plan as for a managed workload: levels that are not set are filled in");
  app.add_option("--as", sender.user, "User who would send the workload")->type_name("USER");
  app.add_option("--as-group", sender.groups, "Group of that user; repeatable")
      ->type_name("GROUP")
      ->allow_extra_args(false);
  app.add_option("--field-manager", sender.field_manager,
                 "Field manager of the request; kubectl-create unless --as is given")
      ->type_name("NAME");
}

void add_output(CLI::App& app, Options& options, const std::vector<std::string>& forms) {
  app.add_option("-o,--output", options.output, "Form of the answer; table unless given")
      ->type_name("FORM")
      ->check(options::is_one_of(forms));
}

void add_topology_choice(CLI::App& app, Options& options, const std::string& text) {
  app.add_option("--topology", options.topology, text)->type_name("NAME");
}

void add_workload_choice(CLI::App& app, Options& options, const std::string& text) {
  app.add_option("--workload", options.workload, text)->type_name("NAME");
}

void add_pods(CLI::App& app, Options& options) {
  add_topology_choice(app, options, "Topology to look at; needed when there are several");
  add_workload_choice(app, options, "Workload of the file whose pods are meant");
  add_cluster(app, options);
  add_sender(app, options.sender);
}

}  // namespace toposeg::cli
