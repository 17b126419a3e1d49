#include "common/workload/managed.h"

#include <algorithm>

#include "common/base/glob.h"
#include "common/workload/annotation.h"

namespace toposeg::workload {

namespace {

class Subject {
 public:
  Subject(const json::Document& object, const Manifest& manifest, const Requester& requester)
      : object_(object), manifest_(manifest), requester_(requester) {}

  [[nodiscard]] bool matches(const config::ManagedRule& rule) const {
    return sent_by(rule) && of_kind(rule) && annotated(rule) && labelled(rule);
  }

 private:
  [[nodiscard]] bool sent_by(const config::ManagedRule& rule) const {
    const auto& groups = requester_.groups;
    return (rule.user.empty() || glob_match(rule.user, requester_.user)) &&
           (rule.group.empty() || std::find(groups.begin(), groups.end(), rule.group) != groups.end()) &&
           (rule.field_manager.empty() || glob_match(rule.field_manager, requester_.field_manager));
  }

  [[nodiscard]] bool of_kind(const config::ManagedRule& rule) const {
    return (rule.kind.empty() || rule.kind == manifest_.identity.kind) &&
           ((rule.owner_kind.empty() && rule.owner_api_group.empty()) || owned(rule));
  }

  [[nodiscard]] bool owned(const config::ManagedRule& rule) const {
    const json::Document* owners = json::at(object_, {"metadata", "ownerReferences"});
    if (owners == nullptr || !owners->is_array()) return false;
    return std::any_of(owners->begin(), owners->end(), [&rule](const json::Document& owner) {
      const std::string* kind = json::text(json::member(&owner, "kind"));
      const std::string* version = json::text(json::member(&owner, "apiVersion"));
      if (kind == nullptr || version == nullptr) return false;
      const std::string_view group = std::string_view(*version).substr(0, version->find('/'));
      return (rule.owner_kind.empty() || rule.owner_kind == *kind) &&
             (rule.owner_api_group.empty() || glob_match(rule.owner_api_group, group));
    });
  }

  [[nodiscard]] bool has(const std::string& key, const std::string& value) const {
    const auto in = [&](const AnnotationMap& map) {
      if (value.empty()) return has_annotation(object_, map, key);
      const std::string* text = annotation_text(object_, map, key);
      return text != nullptr && *text == value;
    };
    return in(manifest_.root) || (manifest_.worker_is_root && in(manifest_.worker));
  }

  [[nodiscard]] bool annotated(const config::ManagedRule& rule) const {
    const auto& any = rule.annotations_any;
    return (rule.annotation.empty() || has(rule.annotation, rule.annotation_value)) &&
           (rule.annotation_absent.empty() || !has(rule.annotation_absent, {})) &&
           (any.empty() ||
            std::any_of(any.begin(), any.end(), [this](const auto& key) { return has(key, {}); }));
  }

  [[nodiscard]] bool labelled(const config::ManagedRule& rule) const {
    if (rule.label.empty()) return true;
    const json::Document* label = json::at(object_, {"metadata", "labels", rule.label});
    if (label == nullptr) return false;
    const std::string* text = json::text(label);
    return rule.label_value.empty() || (text != nullptr && *text == rule.label_value);
  }

  const json::Document& object_;
  const Manifest& manifest_;
  const Requester& requester_;
};

}  // namespace

bool is_managed(const json::Document& object, const Manifest& manifest, const NormaliseContext& context) {
  const Subject subject(object, manifest, context.requester);
  const auto& rules = context.config.managed_rules;
  const auto rule =
      std::find_if(rules.begin(), rules.end(), [&](const auto& r) { return subject.matches(r); });
  return rule != rules.end() && rule->managed;
}

}  // namespace toposeg::workload
