// Any bytes as the body of a review, through every hook on a small cluster: the answer is JSON, follows the
// rules of the API server, and its patch applies to the object that was sent.
#include <prometheus/registry.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "common/base/clock.h"
#include "common/config/config.h"
#include "common/json/edit.h"
#include "engine/placement/engine.h"
#include "unit/webhook/admission/small_cluster.h"
#include "webhook/admission/base64.h"
#include "webhook/admission/reviewer.h"

namespace {

using toposeg::json::Document;
namespace json = toposeg::json;
namespace webhook = toposeg::webhook;

void demand(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "broken: %s\n", what);
  std::abort();
}

void check_response(const Document& sent, const Document& response) {
  const Document* uid = json::at(sent, {"request", "uid"});
  const std::string* sent_uid = json::text(uid);
  demand(sent_uid != nullptr && response.value("uid", std::string()) == *sent_uid, "the uid is not repeated");
  demand(response.contains("allowed"), "neither allowed nor denied");
  demand(response.contains("patch") == response.contains("patchType"), "patch and patchType come together");
  if (!response.contains("patch")) return;
  demand(response["allowed"] == true, "a denial has a patch");
  const auto text = webhook::decode_base64(response["patch"].get<std::string>());
  demand(text.has_value(), "the patch is no base64");
  const auto patch = json::decode(*text);
  demand(patch.has_value() && !patch->empty(), "the patch is no list of operations");
  const Document* object = json::at(sent, {"request", "object"});
  demand(object != nullptr && json::apply(*object, *patch).has_value(), "the patch does not apply");
}

void check_answer(std::string_view body, const webhook::ReviewAnswer& answer) {
  const auto document = json::decode(answer.body);
  demand(document.has_value(), "the answer is no JSON");
  if (answer.http_status == 400) return;
  demand(answer.http_status == 200, "a status other than 200 and 400");
  const auto sent = json::decode(body);
  demand(sent.has_value(), "a body that cannot be decoded was answered");
  const Document* response = json::member(&*document, "response");
  demand(response != nullptr, "an answer without a response");
  check_response(*sent, *response);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const toposeg::config::Config config = toposeg::config::defaults();
  static const toposeg::kube::Cluster cluster = webhook::testing::small_cluster();
  const std::string_view body(reinterpret_cast<const char*>(data), size);
  // Everything anew for each input, so that a finding needs no other input to happen again.
  const toposeg::ManualClock clock;
  toposeg::engine::Engine engine({}, clock);
  engine.replace(cluster);
  webhook::Reviewer reviewer(engine, config, std::make_shared<prometheus::Registry>(), clock);
  for (const auto hook : {webhook::Hook::kWorkloads, webhook::Hook::kPods, webhook::Hook::kTopologies}) {
    check_answer(body, reviewer.review(hook, body, std::chrono::milliseconds(1000)));
  }
  return 0;
}
