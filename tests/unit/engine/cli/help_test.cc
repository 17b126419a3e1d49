#include "program.h"
#include "unit/catch.h"

namespace toposeg::cli {
namespace {

using Catch::Matchers::Contains;

TEST_CASE("each command has help with an example") {
  for (const std::string command :
       {"plan", "slots", "defrag", "topology", "explain", "status", "simulate", "generate", "completion"}) {
    const Answer answer = toposeg({command, "--help"});
    INFO(command);
    CHECK(answer.status == 0);
    CHECK_THAT(answer.out, Contains("Examples:\n") && Contains("  toposeg " + command));
  }
}

TEST_CASE("as a plugin the usage speaks of kubectl") {
  Program program;
  program.called_as = "/usr/local/bin/kubectl-toposeg";
  const Answer answer = program.run({"plan", "--help"});
  CHECK_THAT(answer.out,
             Contains("Usage: kubectl toposeg plan") && Contains("  kubectl toposeg plan -f job.yaml"));
  CHECK_THAT(toposeg({"plan", "--help"}).out, Contains("Usage: toposeg plan"));
}

TEST_CASE("the version is printed by command and by flag") {
  CHECK(toposeg({"version"}).out == "toposeg " TOPOSEG_VERSION "\n");
  CHECK_THAT(toposeg({"--version"}).out, Contains(TOPOSEG_VERSION));
}

TEST_CASE("the manual page tells the same as the help") {
  const Answer page = toposeg({"man", "plan"});
  CHECK(page.status == 0);
  CHECK_THAT(page.out, Contains(".TH \"TOPOSEG-PLAN\" 1") && Contains(".SH EXAMPLES"));
  CHECK_THAT(page.out,
             Contains("\\fB\\-o, \\-\\-output\\fR \\fIFORM\\fR") && Contains("one of table, wide, json"));
  CHECK_THAT(page.out, Contains("What if this node were drained"));
  CHECK_THAT(toposeg({"man"}).out,
             Contains(".SH COMMANDS") && Contains("toposeg slots") && !Contains("toposeg man"));
}

TEST_CASE("completions know commands, options and fixed values") {
  for (const std::string shell : {"bash", "zsh", "fish"}) {
    const std::string script = toposeg({"completion", shell}).out;
    INFO(shell);
    CHECK_THAT(script, Contains("explain") && Contains("add-nodes") &&
                           Contains("table wide json yaml dot svg html name"));
  }
  CHECK(toposeg({"completion", "powershell"}).status == 2);
}

}  // namespace
}  // namespace toposeg::cli
