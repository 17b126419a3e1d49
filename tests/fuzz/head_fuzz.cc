// Any bytes as the head of a request that arrives in pieces: how they are cut changes nothing, and what is
// read keeps to the rules.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "webhook/server/head.h"

namespace {

using namespace toposeg::webhook;  // NOLINT(google-build-using-namespace)

void demand(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "broken: %s\n", what);
  std::abort();
}

// The end that is found when the bytes come in steps of `step`; a refusal may come earlier than in one go,
// not later.
std::size_t end_in_steps(std::string_view input, std::size_t step, const HeadRules& rules, bool& refused) {
  std::size_t scanned = 0;
  for (std::size_t size = step;; size += step) {
    const std::string_view part = input.substr(0, size);
    const auto end = find_head_end(part, scanned, rules);
    refused = !end;
    if (refused || *end > 0 || size >= input.size()) return refused ? 0 : *end;
  }
}

void read(std::string_view input, const HeadRules& rules) {
  bool refused = false;
  const std::size_t whole = end_in_steps(input, input.size() + 1, rules, refused);
  bool refused_in_steps = false;
  const std::size_t stepwise = end_in_steps(input, 1, rules, refused_in_steps);
  demand(refused || stepwise == whole, "the end depends on how the bytes came");
  if (refused || whole == 0) return;
  demand(whole <= rules.max_bytes, "a head beyond the limit is taken");
  const auto head = parse_head(input.substr(0, whole), rules);
  if (!head) return;
  demand(!head->target.empty() && head->target[0] == '/', "a target that is no path is taken");
  demand(head->path().size() <= head->target.size(), "the path is longer than the target");
  demand(rules.body || head->content_length == 0, "a body is taken where none is allowed");
  demand(head->content_length <= rules.max_body_bytes, "a body beyond the limit is taken");
  demand(timeout_of(head->target).count() >= 1, "no time at all");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  read(input, {.method = "POST", .body = true});
  read(input, {.method = "GET", .body = false, .max_bytes = 512});
  return 0;
}
