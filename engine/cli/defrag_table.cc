#include "engine/cli/defrag_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "engine/cli/plan_words.h"
#include "engine/cli/table.h"

namespace toposeg::cli {
namespace {

using nlohmann::ordered_json;

std::string counted(std::int64_t number, const char* noun) {
  return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

// Pods for a slot, with one digit after the point where it is not whole.
std::string price(const engine::DefragOption& option) {
  if (option.pods % option.gained == 0) return std::to_string(option.pods / option.gained);
  return fmt::format("{:.1f}", static_cast<double>(option.pods) / static_cast<double>(option.gained));
}

void print_options(std::ostream& out, const engine::DefragAdvice& advice, bool colour) {
  Table table({{"OPTION"}, {"MOVES", true}, {"PODS", true}, {"SLOTS-GAINED", true}, {"PODS-PER-SLOT", true}});
  for (std::size_t i = 0; i < advice.options.size(); ++i) {
    const engine::DefragOption& option = advice.options[i];
    table.add({{std::to_string(i + 1)},
               {std::to_string(option.moves.size())},
               {std::to_string(option.pods)},
               {fmt::format("+{}", option.gained), Paint::kGood},
               {price(option)}});
  }
  table.print(out, colour);
}

std::string domain(const std::vector<std::string>& path) {
  return path.empty() ? "the whole topology" : path_text(path);
}

void print_moves(std::ostream& out, const engine::DefragOption& option, std::size_t number) {
  out << fmt::format("\nOption {}, in this order:\n", number);
  int step = 0;
  for (const engine::SegmentMove& move : option.moves) {
    out << fmt::format("  {}. {} {}/{}{} segment {}, {}\n", ++step, move.kind, move.namespace_, move.workload,
                       move.group > 0 ? fmt::format(" group {}", move.group) : "", move.segment,
                       counted(static_cast<std::int64_t>(move.pods.size()), "pod"));
    out << fmt::format("     from {}\n     to   {}\n", domain(move.from), domain(move.to));
  }
}

void print_slots(std::ostream& out, const engine::DefragAdvice& advice, const Session& session, bool colour) {
  std::vector<Column> columns{{"LEVEL"}, {"NOW", true}};
  for (std::size_t i = 0; i < advice.options.size(); ++i)
    columns.push_back({fmt::format("OPTION-{}", i + 1), true});
  Table table(std::move(columns));
  for (std::size_t level = 0; level < advice.levels.size(); ++level) {
    std::vector<Cell> row{{session.level_name(advice.topology, static_cast<int>(level))},
                          {std::to_string(advice.slots[level])}};
    for (const engine::DefragOption& option : advice.options) {
      const std::int64_t more = option.slots[level] - advice.slots[level];
      const Paint paint = more > 0 ? Paint::kGood : more < 0 ? Paint::kBad : Paint::kPlain;
      row.push_back({std::to_string(option.slots[level]), paint});
    }
    table.add(std::move(row));
  }
  table.print(out, colour);
}

std::int64_t most_gained(const std::vector<engine::DefragOption>& options) {
  return std::max_element(options.begin(), options.end(),
                          [](const auto& a, const auto& b) { return a.gained < b.gained; })
      ->gained;
}

void print_proof(std::ostream& out, const engine::DefragAdvice& advice) {
  if (advice.proven_moves >= advice.moves) {
    out << fmt::format("Proven: with up to {} there is nothing better.\n", counted(advice.moves, "move"));
    return;
  }
  const std::int64_t found = advice.options.empty() ? 0 : most_gained(advice.options);
  if (advice.proven_moves == 0) {
    out << "Not proven: the search ended early";
  } else {
    out << fmt::format("Proven for up to {} only: the search ended early",
                       counted(advice.proven_moves, "move"));
  }
  out << (found == advice.at_most
              ? fmt::format(".\n{} gain no more than {}, but perhaps with fewer pods.\n",
                            counted(advice.moves, "move"), counted(found, "slot"))
              : fmt::format(".\n{} may gain more, up to {}.\n", counted(advice.moves, "move"),
                            counted(advice.at_most, "slot")));
}

void print_segments(std::ostream& out, const engine::DefragAdvice& advice) {
  out << counted(advice.movable, "segment") << " may move";
  if (advice.unknown > 0) {
    out << fmt::format(
        ", {} of them of workloads that are not in the input: those keep\n"
        "the level they have, inside the domain that their workload has",
        advice.unknown);
  }
  out << ".\n";
  if (advice.fixed.total() == 0) return;
  out << fmt::format("{} stay: {} incomplete, {} of several pod shapes or with host ports, {} outside.\n",
                     advice.fixed.total(), advice.fixed.incomplete, advice.fixed.mixed, advice.fixed.outside);
}

ordered_json move_report(const engine::SegmentMove& move) {
  ordered_json pods = ordered_json::array();
  for (std::size_t i = 0; i < move.pods.size(); ++i) {
    pods.push_back({{"index", move.pods[i]}, {"from", move.old_hosts[i]}, {"to", move.hosts[i]}});
  }
  return {{"namespace", move.namespace_},
          {"kind", move.kind},
          {"workload", move.workload},
          {"group", move.group},
          {"segment", move.segment},
          {"from", move.from},
          {"to", move.to},
          {"pods", std::move(pods)}};
}

}  // namespace

void print_defrag_table(std::ostream& out, const engine::DefragAdvice& advice, const Session& session,
                        bool colour) {
  const std::string level = session.level_name(advice.topology, advice.level);
  if (advice.options.empty()) {
    out << fmt::format("No way was found to gain a slot of {} at level {} of topology {}.\n\n",
                       counted(advice.size, "pod"), level, advice.topology);
  } else {
    print_options(out, advice, colour);
    for (std::size_t i = 0; i < advice.options.size(); ++i) print_moves(out, advice.options[i], i + 1);
    out << '\n';
  }
  print_slots(out, advice, session, colour);
  out << fmt::format("\nSlots of {} in topology {}; wanted at level {}. Advice only: nothing is moved.\n",
                     counted(advice.size, "pod"), advice.topology, level);
  print_proof(out, advice);
  print_segments(out, advice);
}

ordered_json defrag_report(const engine::DefragAdvice& advice) {
  ordered_json options = ordered_json::array();
  for (const engine::DefragOption& option : advice.options) {
    ordered_json moves = ordered_json::array();
    for (const engine::SegmentMove& move : option.moves) moves.push_back(move_report(move));
    options.push_back({{"gained", option.gained},
                       {"pods", option.pods},
                       {"moves", std::move(moves)},
                       {"slots", option.slots}});
  }
  return {{"topology", advice.topology},
          {"levels", advice.levels},
          {"level", advice.levels[static_cast<std::size_t>(advice.level)]},
          {"size", advice.size},
          {"moves", advice.moves},
          {"slots", advice.slots},
          {"options", std::move(options)},
          {"provenMoves", advice.proven_moves},
          {"gainAtMost", advice.at_most},
          {"movable", advice.movable},
          {"unknown", advice.unknown},
          {"fixed",
           {{"incomplete", advice.fixed.incomplete},
            {"mixed", advice.fixed.mixed},
            {"outside", advice.fixed.outside}}}};
}

}  // namespace toposeg::cli
