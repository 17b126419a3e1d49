#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>

#include "common/base/text.h"
#include "common/kube/quantity.h"
#include "engine/cli/chosen_workload.h"
#include "engine/cli/commands.h"
#include "engine/cli/exit_status.h"
#include "engine/cli/manifest_source.h"
#include "engine/cli/table.h"
#include "engine/cli/yaml_text.h"

namespace toposeg::cli {
namespace {

struct Question {
  std::string topology;
  kube::PodSpec shape;
  std::vector<int> sizes{2, 4, 8, 16, 32};
  std::string about;  // whose pods are counted
};

std::expected<Question, std::vector<Error>> ask(const Options& options, const Streams& streams,
                                                Session& session) {
  Question question;
  question.topology = options.topology;
  if (options.manifests.empty()) {
    question.shape = session.engine().whole_host(options.topology);
    question.about = "one whole host each";
  } else {
    const auto manifests = read_manifests(options.manifests, streams);
    if (!manifests) return std::unexpected(std::vector<Error>{manifests.error()});
    const auto planned = choose_workload(manifests->workloads, options, streams, session);
    if (!planned) return std::unexpected(planned.error());
    const workload::Workload& workload = planned->workload();
    if (question.topology.empty()) question.topology = workload.topology;
    question.shape = workload.worker;
    question.about = "as the workers of " + title(workload.identity);
    if (workload.segments.size > 0) question.sizes.push_back(workload.segments.size);
    // Its own plan must not count against it.
    session.engine().remove_workload(workload.identity);
  }
  if (!options.sizes.empty()) question.sizes = options.sizes;
  std::sort(question.sizes.begin(), question.sizes.end());
  question.sizes.erase(std::unique(question.sizes.begin(), question.sizes.end()), question.sizes.end());
  return question;
}

std::string requests_text(const kube::PodSpec& shape) {
  std::vector<std::string> parts;
  for (const auto& [resource, amount] : shape.requests) {
    parts.push_back(resource + "=" + kube::format_amount(resource, amount));
  }
  return parts.empty() ? "nothing requested" : join(parts, ",");
}

void print_table(std::ostream& out, const engine::Slots& slots, const Question& question,
                 const Session& session, bool colour) {
  std::vector<Column> columns{{"LEVEL"}};
  for (const int size : slots.sizes) columns.push_back({fmt::format("SIZE-{}", size), true});
  Table table(std::move(columns));
  for (const engine::SlotsRow& row : slots.rows) {
    std::vector<Cell> cells{{session.level_name(slots.topology, row.level)}};
    for (const std::int64_t count : row.slots) {
      cells.push_back({std::to_string(count), count == 0 ? Paint::kBad : Paint::kPlain});
    }
    table.add(std::move(cells));
  }
  table.print(out, colour);
  out << "\nHow many more segments of each size fit into topology " << slots.topology << " now.\n"
      << "Pods: " << question.about << " (" << requests_text(question.shape) << ")\n";
}

nlohmann::ordered_json report(const engine::Slots& slots, const Question& question) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const engine::SlotsRow& row : slots.rows) {
    rows.push_back({{"level", slots.levels[static_cast<std::size_t>(row.level)]}, {"slots", row.slots}});
  }
  return {{"apiVersion", "toposeg.io/v1"},        {"kind", "SlotsReport"}, {"topology", slots.topology},
          {"pod", requests_text(question.shape)}, {"sizes", slots.sizes},  {"levels", std::move(rows)}};
}

}  // namespace

int slots_command(const Options& options, const Streams& streams, const Environment& environment) {
  const auto session = Session::open(options, streams, environment);
  if (!session) {
    print_errors(streams.err, session.error());
    return kExitInvalid;
  }
  const auto question = ask(options, streams, **session);
  if (!question) {
    print_errors(streams.err, question.error());
    return kExitInvalid;
  }
  const auto slots = (*session)->engine().slots(question->topology, question->shape, question->sizes);
  if (!slots) {
    print_errors(streams.err, {slots.error()});
    return kExitInvalid;
  }
  if (options.output == "json") {
    streams.out << report(*slots, *question).dump(2) << '\n';
  } else if (options.output == "yaml") {
    write_yaml(streams.out, report(*slots, *question));
  } else {
    print_table(streams.out, *slots, *question, **session, wants_colour(streams, environment));
  }
  return kExitPlaced;
}

}  // namespace toposeg::cli
