#include "webhook/program/review_command.h"

#include <prometheus/registry.h>

#include <algorithm>
#include <iostream>
#include <iterator>
#include <memory>

#include "common/json/edit.h"
#include "common/kube/read.h"
#include "engine/placement/engine.h"
#include "webhook/admission/base64.h"
#include "webhook/cluster/snapshot.h"

namespace toposeg::webhook {
namespace {

using json::Document;

constexpr int kExitDenied = 1;
constexpr int kExitInvalid = 3;
constexpr std::chrono::milliseconds kTimeout{10'000};

Hook hook_for(const Document& review) {
  const std::string kind = json::member_text(json::at(review, {"request", "kind"}), "kind");
  if (kind == "Pod") return Hook::kPods;
  if (kind == "Topology") return Hook::kTopologies;
  return Hook::kWorkloads;
}

Result<Document> patch_of(const Document& answer) {
  const std::string* encoded = json::text(json::at(answer, {"response", "patch"}));
  if (encoded == nullptr) return Document::array();
  const auto text = decode_base64(*encoded);
  if (!text) return std::unexpected(text.error());
  return json::decode(*text);
}

void print_for_people(const Document& answer, std::ostream& err) {
  const Document* response = json::member(&answer, "response");
  if (const Document* warnings = json::member(response, "warnings")) {
    for (const Document& warning : *warnings) err << "Warning: " << warning.get<std::string>() << '\n';
  }
  const Document* status = json::member(response, "status");
  if (status != nullptr) err << "denied the request: " << json::member_text(status, "message") << '\n';
}

Result<Document> output_of(const Document& review, const Document& answer, ReviewOutput output) {
  if (output == ReviewOutput::kJson) return answer;
  auto patch = patch_of(answer);
  if (!patch || output == ReviewOutput::kPatch) return patch;
  const Document* object = json::at(review, {"request", "object"});
  return object != nullptr ? json::apply(*object, *patch) : Document();
}

// The reviews that stand in the text. One JSON review is taken as it is, so that it meets the same limits as
// over HTTPS.
Result<std::vector<Document>> reviews_in(const std::string& text, const Sender& sender) {
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  std::vector<Document> documents;
  if (start != std::string::npos && text[start] == '{') {
    auto one = json::decode(text);
    if (!one) return std::unexpected(one.error());
    if (json::member_text(&*one, "kind") == "AdmissionReview") return std::vector<Document>{std::move(*one)};
  }
  auto read = kube::read_documents(text, "standard input");
  if (!read) return std::unexpected(read.error());
  if (read->empty())
    return fail(Code::kInvalid, "holds no object; give an AdmissionReview or a manifest", "standard input");
  unsigned number = 0;
  for (Document& document : *read) {
    ++number;
    if (!document.is_object()) return fail(Code::kInvalid, "a document is no object", "standard input");
    const bool wrapped = json::member_text(&document, "kind") == "AdmissionReview";
    documents.push_back(wrapped ? std::move(document) : wrap_object(std::move(document), sender, number));
  }
  return documents;
}

class Session {
 public:
  Session(const ReviewOptions& options, const config::Config& config)
      : options_(options),
        engine_(config.engine, clock_),
        snapshot_(options.snapshots, engine_, config.workloads, clock_),
        reviewer_(engine_, config, std::make_shared<prometheus::Registry>(), clock_) {}

  Result<SnapshotContent> load() { return options_.snapshots.empty() ? SnapshotContent{} : snapshot_.load(); }

  // Prints the answer to one review; false = denied.
  Result<bool> answer(const Document& review, std::ostream& out, std::ostream& err) {
    const Hook hook = options_.hook.value_or(hook_for(review));
    const ReviewAnswer given = reviewer_.review(hook, review.dump(), kTimeout);
    const auto document = json::decode(given.body);
    if (!document) return std::unexpected(document.error());
    if (given.http_status != 200)
      return fail(Code::kInvalid, json::member_text(&*document, "message"), "standard input");
    const auto shown = output_of(review, *document, options_.output);
    if (!shown) return std::unexpected(shown.error());
    out << shown->dump(2) << '\n';
    print_for_people(*document, err);
    const Document* allowed = json::at(*document, {"response", "allowed"});
    return allowed != nullptr && *allowed == true;
  }

 private:
  const ReviewOptions& options_;
  SystemClock clock_;
  engine::Engine engine_;
  Snapshot snapshot_;
  Reviewer reviewer_;
};

int complain(const Error& error, std::ostream& err) {
  err << "toposeg-webhook: " << error.text() << '\n';
  return kExitInvalid;
}

}  // namespace

int review_command(const ReviewOptions& options, const config::Config& config, std::istream& in,
                   std::ostream& out, std::ostream& err) {
  const std::string text(std::istreambuf_iterator<char>(in), {});
  const auto reviews = reviews_in(text, options.sender);
  if (!reviews) return complain(reviews.error(), err);
  Session session(options, config);
  if (const auto loaded = session.load(); !loaded) return complain(loaded.error(), err);
  int status = 0;
  for (const Document& review : *reviews) {
    const auto allowed = session.answer(review, out, err);
    if (!allowed) return complain(allowed.error(), err);
    if (!*allowed) status = kExitDenied;
  }
  return status;
}

}  // namespace toposeg::webhook
