#include "engine/cli/manifest_source.h"

#include <fmt/format.h>

#include <cstddef>
#include <istream>
#include <iterator>
#include <utility>

#include "common/base/text.h"
#include "common/kube/read.h"
#include "common/workload/kinds/kind.h"
#include "common/workload/normalise.h"
#include "engine/cli/text_input.h"

namespace toposeg::cli {
namespace {

std::string known_kinds() {
  std::vector<std::string> names;
  for (const auto& kind : workload::kinds())
    names.push_back(fmt::format("{} ({})", kind->name(), kind->api_group()));
  return join(names, ", ");
}

std::string kind_of(const json::Document& object) {
  const std::string* kind = json::text(json::member(&object, "kind"));
  return kind == nullptr || kind->empty() ? "object without kind" : *kind;
}

Result<void> read_one(const std::string& file, const Streams& streams, Manifests& into) {
  return with_input(file, streams, [&](std::istream& input, const std::string& name) -> Result<void> {
    const std::string text(std::istreambuf_iterator<char>(input), {});
    auto documents = kube::read_documents(text, name);
    if (!documents) return std::unexpected(documents.error());
    for (std::size_t i = 0; i < documents->size(); ++i) {
      json::Document& document = (*documents)[i];
      if (document.is_null()) continue;
      if (!document.is_object()) {
        return fail(
            Code::kInvalid,
            fmt::format("document {} is a {}; expected a Kubernetes object", i + 1, document.type_name()),
            name);
      }
      if (workload::is_workload(document)) {
        into.workloads.push_back(std::move(document));
      } else {
        ++into.passed_over[kind_of(document)];
      }
    }
    return {};
  });
}

}  // namespace

std::string counted(const std::map<std::string, int>& kinds) {
  std::vector<std::string> parts;
  for (const auto& [kind, count] : kinds) parts.push_back(fmt::format("{} {}", count, kind));
  return join(parts, ", ");
}

Result<Manifests> read_manifests(const std::vector<std::string>& files, const Streams& streams) {
  Manifests manifests;
  for (const std::string& file : files) {
    const auto read = read_one(file, streams, manifests);
    if (!read) return std::unexpected(read.error());
  }
  if (manifests.workloads.empty()) {
    const std::string found = manifests.passed_over.empty() ? "nothing" : counted(manifests.passed_over);
    return fail(Code::kInvalid,
                fmt::format("no workload in it (found {}); expected one of {}", found, known_kinds()),
                join(files, ", "));
  }
  return manifests;
}

}  // namespace toposeg::cli
