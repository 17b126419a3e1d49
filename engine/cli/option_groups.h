// Options that several commands share.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "engine/cli/options.h"

namespace toposeg::cli {

// The end of a command's help. `%` stands for the program's name.
[[nodiscard]] std::string examples(std::string_view text, const std::string& program);

enum class Needed : bool { kNo, kYes };

// Files with workloads.
void add_files(CLI::App& app, Options& options, Needed needed);
// The cluster in files, or from kubectl; `files` completes "File with …".
void add_cluster_files(CLI::App& app, ClusterOptions& cluster, const std::string& files);
// That, with a namespace and the webhook's configuration.
void add_source(CLI::App& app, Options& options, const std::string& files, const std::string& of_namespace);
// Nodes to drain and to add.
void add_what_if(CLI::App& app, ClusterOptions& cluster);
// A cluster of nodes, pods and topologies, and what-if.
void add_cluster(CLI::App& app, Options& options);
// Who is taken to send the workload.
void add_sender(CLI::App& app, SenderOptions& sender);
void add_output(CLI::App& app, Options& options, const std::vector<std::string>& forms);
void add_topology_choice(CLI::App& app, Options& options, const std::string& text);
void add_workload_choice(CLI::App& app, Options& options, const std::string& text);
// What a question about room for pods of one shape needs beside its files.
void add_pods(CLI::App& app, Options& options);

}  // namespace toposeg::cli
