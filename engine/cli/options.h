// What the command line asked for.
#pragma once

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

struct Options {
  std::vector<std::string> manifests;  // "-" = standard input
  ClusterOptions cluster;
  SenderOptions sender;
  std::string config;
  std::string output = "table";
  std::string topology;  // empty = the manifest's, or the only one
  std::string workload;  // name; empty = the only one
  std::vector<int> sizes;
  int segment = 0;
  int group = 0;
  std::string shell;
  std::string page;  // command whose manual page is wanted; empty = the program's
};

}  // namespace toposeg::cli
