#include <filesystem>
#include <fstream>
#include <sstream>

#include "engine/cli/child_process.h"
#include "program.h"
#include "unit/catch.h"

namespace toposeg::cli {
namespace {

using Catch::Matchers::Contains;

std::string example_cluster() {
  std::ostringstream text;
  text << std::ifstream(kClusterFile).rdbuf();
  return text.str();
}

TEST_CASE("without a cluster file kubectl is asked with the person's own flags") {
  Program program;
  program.kubectl = example_cluster();
  const Answer answer =
      program.run({"plan", "-f", kJobFile, "--context", "prod", "--kubeconfig", "/k", "-n", "team"});
  CHECK(answer.status == 0);
  CHECK(answer.err.empty());
  REQUIRE(program.executed.size() == 1);
  CHECK(program.executed[0] ==
        std::vector<std::string>{"kubectl", "get", "nodes,pods,topologies.kai.scheduler", "-A", "-o", "json",
                                 "--context", "prod", "--kubeconfig", "/k", "-n", "team"});
}

TEST_CASE("progress is shown to a person at a terminal") {
  Program program;
  program.kubectl = example_cluster();
  program.terminal = true;
  CHECK_THAT(program.run({"topology"}).err,
             Contains("Reading nodes, pods and topologies with kubectl ... 32 nodes, 12 pods."));
}

TEST_CASE("without kubectl a cluster file is asked for") {
  const Answer answer = toposeg({"topology"});
  CHECK(answer.status == 3);
  CHECK_THAT(answer.err, Contains("kubectl: cannot be run") && Contains("give --cluster FILE"));
}

TEST_CASE("a cluster that knows no topology is told how to give one") {
  Program program;
  program.kubectl = fail(Code::kUnavailable, R"(error: the server doesn't have a resource type "topologies")",
                         "kubectl get");
  const Answer answer = program.run({"topology"});
  CHECK(answer.status == 3);
  CHECK_THAT(answer.err, Contains("write a Topology") && Contains("give both with --cluster"));
}

Result<std::string> output_of(const std::vector<std::string>& command) {
  std::string text;
  const auto done = run_child(command, [&](std::istream& output) -> Result<void> {
    text.assign(std::istreambuf_iterator<char>(output), {});
    return {};
  });
  if (!done) return std::unexpected(done.error());
  return text;
}

TEST_CASE("a child's arguments reach it untouched by any shell") {
  CHECK(output_of({"printf", "%s|", "a b", "$HOME", "`id`"}) == "a b|$HOME|`id`|");
}

TEST_CASE("a child that fails is reported with its own words") {
  const auto failed = output_of({"sh", "-c", "echo half; echo no such context >&2; exit 4"});
  REQUIRE_FALSE(failed);
  CHECK(failed.error().code == Code::kUnavailable);
  CHECK(failed.error().message == "no such context");
}

TEST_CASE("a child that does not exist is reported") {
  const auto failed = output_of({"toposeg-no-such-program"});
  REQUIRE_FALSE(failed);
  CHECK(failed.error().text() == "toposeg-no-such-program: cannot be run: No such file or directory");
}

TEST_CASE("what the reader says wins when the child ends well") {
  const auto done = run_child({"printf", "x"}, [](std::istream&) -> Result<void> {
    return fail(Code::kInvalid, "is no cluster", "kubectl:1");
  });
  REQUIRE_FALSE(done);
  CHECK(done.error().text() == "kubectl:1: is no cluster");
}

TEST_CASE("of a child that fails its last words for people are told, not its log") {
  const auto said = [](const std::string& script) {
    const auto done =
        run_child({"sh", "-c", script + "; exit 1"}, [](std::istream&) { return Result<void>(); });
    REQUIRE_FALSE(done);
    return done.error().message;
  };
  CHECK(said("echo 'E1130 02:57:04.000761   12021 memcache.go:265] unhandled' >&2; echo refused >&2") ==
        "refused");
  CHECK(said("echo one >&2; echo >&2; echo '  two' >&2") == "one   two");
  CHECK(said("echo 'Error 02' >&2") == "Error 02");
  CHECK(
      said("i=0; while [ $i -lt 900 ]; do echo 'I0101 00:00:00.0 x]' >&2; i=$((i+1)); done; echo end >&2") ==
      "end");
  CHECK(said("true") == "failed with status 1");
  CHECK(said("kill -9 $$") == "was ended by signal 9");
}

}  // namespace
}  // namespace toposeg::cli
