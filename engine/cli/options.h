// What the command line asked for.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace toposeg::cli {

struct ClusterOptions {
  std::vector<std::string> files;  // empty = ask kubectl; "-" = standard input
  std::string context;             // passed on to kubectl
  std::string kubeconfig;          // the same
  std::string namespace_;          // the same; also of manifests that name none
  std::vector<std::string> drained;
  std::vector<std::string> added;  // files with further nodes
};

// Who is taken to send the manifest: decides automatic placement.
struct SenderOptions {
  bool managed = false;  // as if a rule of the configuration said so
  std::string user;
  std::vector<std::string> groups;
  std::string field_manager;
};

struct SimulateOptions {
  std::string trace;      // file; "-" = standard input; empty = a trace by lot
  std::string generated;  // kind of cluster; empty = the cluster of ClusterOptions
  int jobs = 1000;
  std::uint64_t seed = 1;
  double load = 0.9;
  std::vector<std::string> policies;  // empty = all
  bool strict_order = false;
  bool timings = false;
  std::string save_trace;  // file
};

struct Options {
  std::vector<std::string> manifests;  // "-" = standard input
  ClusterOptions cluster;
  SenderOptions sender;
  std::string config;
  std::string output = "table";
  std::string topology;  // empty = the manifest's, or the only one
  std::string workload;  // name; empty = the only one
  std::vector<int> sizes;
  bool by_size = false;
  std::string level;
  int moves = 0;
  int segment = 0;
  int group = 0;
  SimulateOptions simulate;
  std::string shell;
  std::string page;  // command whose manual page is wanted; empty = the program's
};

}  // namespace toposeg::cli
