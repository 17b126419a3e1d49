#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <ostream>

#include "engine/cli/commands.h"
#include "engine/cli/exit_status.h"
#include "engine/cli/size_table.h"
#include "engine/cli/slots_question.h"
#include "engine/cli/table.h"
#include "engine/cli/yaml_text.h"

namespace toposeg::cli {
namespace {

void print_table(std::ostream& out, const engine::Slots& slots, const Session& session, bool colour) {
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
  out << "\nHow many more segments of each size fit into topology " << slots.topology << " now.\n";
}

nlohmann::ordered_json report(const engine::Slots& slots, const SlotsQuestion& question) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const engine::SlotsRow& row : slots.rows) {
    rows.push_back({{"level", slots.levels[static_cast<std::size_t>(row.level)]}, {"slots", row.slots}});
  }
  return {{"apiVersion", "toposeg.io/v1"},        {"kind", "SlotsReport"}, {"topology", slots.topology},
          {"pod", requests_text(question.shape)}, {"sizes", slots.sizes},  {"levels", std::move(rows)}};
}

int answer_slots(Session& session, const SlotsQuestion& question, const Options& options,
                 const Streams& streams, bool colour) {
  const auto slots = session.engine().slots(question.topology, question.shape, question.sizes);
  if (!slots) {
    print_errors(streams.err, {slots.error()});
    return kExitInvalid;
  }
  if (options.output == "json") {
    streams.out << report(*slots, question).dump(2) << '\n';
  } else if (options.output == "yaml") {
    write_yaml(streams.out, report(*slots, question));
  } else {
    print_table(streams.out, *slots, session, colour);
    print_about(streams.out, question);
  }
  return kExitPlaced;
}

Result<SizesAnswer> compare_sizes(Session& session, const SlotsQuestion& question, const Options& options) {
  engine::Engine& engine = session.engine();
  std::vector<int> sizes = question.sizes;
  if (options.sizes.empty()) {
    const auto intact = engine.intact_slots(question.topology, question.shape, {});
    if (!intact) return std::unexpected(intact.error());
    sizes = useful_sizes(*intact);
  }
  auto now = engine.slots(question.topology, question.shape, sizes);
  auto intact = engine.intact_slots(question.topology, question.shape, sizes);
  if (!now || !intact) return std::unexpected(now ? intact.error() : now.error());
  return SizesAnswer{*std::move(now), *std::move(intact)};
}

nlohmann::ordered_json full_report(const SizesAnswer& answer, const SlotsQuestion& question) {
  nlohmann::ordered_json full{{"apiVersion", "toposeg.io/v1"},
                              {"kind", "SizesReport"},
                              {"topology", answer.now.topology},
                              {"pod", requests_text(question.shape)}};
  full.update(sizes_report(answer));
  return full;
}

int answer_by_size(Session& session, const SlotsQuestion& question, const Options& options,
                   const Streams& streams, bool colour) {
  const auto answer = compare_sizes(session, question, options);
  if (!answer) {
    print_errors(streams.err, {answer.error()});
    return kExitInvalid;
  }
  if (options.output == "json") {
    streams.out << full_report(*answer, question).dump(2) << '\n';
  } else if (options.output == "yaml") {
    write_yaml(streams.out, full_report(*answer, question));
  } else {
    print_sizes_table(streams.out, *answer, session, colour);
    print_about(streams.out, question);
  }
  return kExitPlaced;
}

}  // namespace

int slots_command(const Options& options, const Streams& streams, const Environment& environment) {
  const auto session = Session::open(options, streams, environment);
  if (!session) {
    print_errors(streams.err, session.error());
    return kExitInvalid;
  }
  const auto question = ask_slots(options, streams, **session);
  if (!question) {
    print_errors(streams.err, question.error());
    return kExitInvalid;
  }
  const bool colour = wants_colour(streams, environment);
  return options.by_size ? answer_by_size(**session, *question, options, streams, colour)
                         : answer_slots(**session, *question, options, streams, colour);
}

}  // namespace toposeg::cli
