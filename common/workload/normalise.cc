#include "common/workload/normalise.h"

#include "common/workload/additions.h"
#include "common/workload/kinds/kind.h"
#include "common/workload/managed.h"
#include "common/workload/near_miss.h"
#include "common/workload/reading.h"
#include "common/workload/wrong_place.h"

namespace toposeg::workload {

namespace {

const Kind* kind_of(const json::Document& object) {
  const std::string* version = json::text(json::member(&object, "apiVersion"));
  const std::string* kind = json::text(json::member(&object, "kind"));
  if (version == nullptr || kind == nullptr) return nullptr;
  return find_kind(std::string_view(*version).substr(0, version->find('/')), *kind);
}

}  // namespace

bool is_workload(const json::Document& object) { return kind_of(object) != nullptr; }

Normalised normalise(const json::Document& object, const NormaliseContext& context) {
  const Kind* kind = kind_of(object);
  if (kind == nullptr) return {};
  const Manifest manifest = kind->read(object, context.config);
  Findings findings{manifest.causes, {}};
  warn_of_wrong_places(object, manifest, findings);
  warn_of_near_misses(object, manifest, findings);
  const bool managed = is_managed(object, manifest, context);
  Reading reading = read_meaning(object, manifest, managed, context, std::move(findings));
  Normalised& result = reading.result;
  if (result.causes.empty() && result.relevant) {
    result.additions = additions_for(object, manifest, result.workload, reading.automatic);
  }
  return std::move(result);
}

}  // namespace toposeg::workload
