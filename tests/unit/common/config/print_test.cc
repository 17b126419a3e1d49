#include "common/config/print.h"

#include <fstream>
#include <sstream>
#include <string>

#include "common/config/config.h"
#include "common/config/schema.h"
#include "unit/catch.h"

namespace toposeg::config {
namespace {

std::string read_file(const std::string& name) {
  std::ifstream file(std::string(TOPOSEG_SOURCE_DIR) + "/" + name);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// A configuration in which nothing is as shipped.
Config unusual() {
  Config config = defaults();
  ManagedRule rule;
  rule.name = "\"quotes\" \\ and é";
  rule.annotations_any = {"a/b", "c"};
  rule.group = "system:masters";
  rule.annotation_absent = "x";
  rule.managed = false;
  config.workloads.managed_rules = {rule};
  config.workloads.pools = {{"pool", "", "dc"}, {"pool", "h100", "gpu"}};
  config.workloads.default_topology = "dc";
  config.workloads.automatic_whole = false;
  config.workloads.unknown = UnknownLevel::kWarn;
  config.workloads.native_size_paths = {};
  config.pods.when_unfit = WhenUnfit::kRefuse;
  config.engine.budget = std::chrono::milliseconds(1500);
  config.engine.plan_ttl = std::chrono::seconds(3661);
  config.server.port = 0;
  config.server.server_names = {"a.example", "::1"};
  config.server.max_body_bytes = 1'000'001;
  config.server.lame_duck = std::chrono::seconds(0);
  config.log.level = "trace";
  return config;
}

TEST_CASE("what_is_printed_is_read_back_to_the_same_configuration") {
  for (const Config& config : {defaults(), unusual()}) {
    const auto back = parse(print(config), "printed");
    INFO(print(config));
    REQUIRE(back);
    CHECK(*back == config);
  }
}

TEST_CASE("the_example_file_is_exactly_the_printed_defaults") {
  CHECK(read_file("examples/toposeg.yaml") == print(defaults()));
}

TEST_CASE("printed_lines_fit_on_a_screen_and_every_key_has_a_comment") {
  std::istringstream lines(print(defaults()));
  for (std::string line; std::getline(lines, line);) CHECK(line.size() <= 100);
  Config config = defaults();
  for (const Section& section : sections(config)) {
    CHECK_FALSE(section.comment.empty());
    for (const Field& field : section.fields) CHECK_FALSE(field.comment.empty());
  }
}

TEST_CASE("the_reference_documents_every_key_with_its_default") {
  const std::string reference = read_file("docs/configuration.md");
  REQUIRE_FALSE(reference.empty());
  Config config = defaults();
  for (const Section& section : sections(config)) {
    for (const Field& field : section.fields) {
      const std::string row = "\n| `" + std::string(section.key) + '.' + std::string(field.key) + "` | ";
      const std::size_t start = reference.find(row);
      INFO(row);
      REQUIRE(start != std::string::npos);
      const std::string line = reference.substr(start + 1, reference.find('\n', start + 1) - start - 1);
      const std::string value = print_value(field);
      CHECK(line.find(value.empty() ? "the shipped rules" : "`" + value + "`") != std::string::npos);
    }
  }
  ManagedRule rule;
  for (const Field& field : fields(rule))
    CHECK(reference.find("\n| `" + std::string(field.key) + "` |") != std::string::npos);
  PoolTopology pool;
  for (const Field& field : fields(pool))
    CHECK(reference.find("\n| `" + std::string(field.key) + "` |") != std::string::npos);
}

}  // namespace
}  // namespace toposeg::config
