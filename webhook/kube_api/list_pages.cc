#include "webhook/kube_api/list_pages.h"

#include <utility>

#include "common/json/pointer.h"
#include "webhook/kube_api/object_text.h"

namespace toposeg::webhook::kube_api {

namespace {

std::unexpected<ApiError> malformed(std::string message, const Resource& resource) {
  return failed(Failure::kMalformed, Code::kInvalid, std::move(message), "list of " + resource.name());
}

Query page_query(const ListRequest& request, const std::string& token) {
  Query query;
  if (request.limit > 0) query.emplace_back("limit", std::to_string(request.limit));
  // A token stands for the version too, and must not come with one.
  if (!token.empty()) {
    query.emplace_back("continue", token);
  } else if (!request.version.empty()) {
    query.emplace_back("resourceVersion", request.version);
  }
  return query;
}

// The list without its items.
Answer<json::Document> read_page(Client& client, const Resource& resource, const ListRequest& request,
                                 const std::string& token, const ListFramer::Sink& sink) {
  ListFramer framer(request.largest_object);
  Result<bool> framed = true;
  const auto take = [&](std::string_view chunk) {
    framed = framer.feed(chunk, sink);
    return framed && *framed;
  };
  const auto done = client.stream(
      {.target = resource.target(page_query(request, token)), .silence = request.silence}, take);
  if (!framed) return malformed(framed.error().text(), resource);
  if (!done) return std::unexpected(done.error());
  if (!*framed) return failed(Failure::kStopped, Code::kUnavailable, "stopped", {});
  if (!framer.complete()) return malformed("the list ends before it is complete", resource);
  auto envelope = kube::parse_object(framer.envelope(), kube::Filter::kRecords, "list of " + resource.name());
  if (!envelope) return malformed(envelope.error().message, resource);
  return *std::move(envelope);
}

}  // namespace

Answer<void> read_list(Client& client, const Resource& resource, const ListRequest& request,
                       const ListFramer::Sink& sink, ListProgress& progress) {
  std::string token;
  for (;;) {
    const auto page = read_page(client, resource, request, token, sink);
    if (!page) return std::unexpected(page.error());
    progress.version = version_of(*page);
    if (progress.version.empty()) return malformed("the list has no metadata.resourceVersion", resource);
    ++progress.pages;
    const std::string* next = json::text(json::at(*page, {"metadata", "continue"}));
    if (next == nullptr || next->empty()) return {};
    if (*next == token) return malformed("the list gives the same page again and again", resource);
    token = *next;
  }
}

}  // namespace toposeg::webhook::kube_api
