#include <nlohmann/json.hpp>

#include "program.h"
#include "unit/catch.h"

namespace toposeg::cli {
namespace {

using Catch::Matchers::Contains;
using nlohmann::json;

json report_of(const std::vector<std::string>& more) {
  std::vector<std::string> arguments{"plan", "-f", kJobFile, "--cluster", kClusterFile, "-o", "json"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return json::parse(toposeg(arguments).out);
}

TEST_CASE("a drained node takes no pod") {
  const std::string host = report_of({})["workloads"][0]["groups"][0]["segments"][0]["pods"][0]["host"];
  const std::string drained = report_of({"--drain", host}).dump();
  CHECK_THAT(drained, !Contains("\"" + host + "\""));
}

TEST_CASE("a drained node that does not exist is named, and the one that was meant") {
  const Answer answer = toposeg({"plan", "-f", kJobFile, "--cluster", kClusterFile, "--drain", "host-a11l"});
  CHECK(answer.status == 3);
  CHECK_THAT(answer.err,
             Contains("error: --drain: no node is named \"host-a11l\" (did you mean \"host-a111\"?)"));
}

TEST_CASE("added nodes count for the plan") {
  const Folder folder;
  std::string nodes;
  for (const char* name : {"new-1", "new-2", "new-3", "new-4"}) {
    nodes += std::string("---\napiVersion: v1\nkind: Node\nmetadata:\n  name: ") + name +
             "\n  labels: {topology.kubernetes.io/zone: zone-c, cloud.provider.com/topology-block: block-c1, "
             "cloud.provider.com/topology-rack: rack-c11, kubernetes.io/hostname: " +
             name +
             "}\nstatus: {allocatable: {cpu: '96', memory: 1000Gi, nvidia.com/gpu: '8', pods: '110'}}\n";
  }
  const Answer before = toposeg({"topology", "--cluster", kClusterFile});
  CHECK_THAT(before.out, !Contains("rack-c11"));
  const Answer after =
      toposeg({"topology", "--cluster", kClusterFile, "--add-nodes", folder.write("new.yaml", nodes)});
  CHECK(after.status == 0);
  CHECK_THAT(after.out, Contains("    rack-c11"));
}

TEST_CASE("an added node that is there already is refused") {
  const Folder folder;
  const std::string again =
      folder.write("again.yaml", "apiVersion: v1\nkind: Node\nmetadata: {name: host-a111}\n");
  const Answer answer = toposeg({"topology", "--cluster", kClusterFile, "--add-nodes", again});
  CHECK(answer.status == 3);
  CHECK_THAT(answer.err, Contains("again.yaml") && Contains("host-a111"));
}

}  // namespace
}  // namespace toposeg::cli
