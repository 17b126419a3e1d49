#include "engine/cli/slots_question.h"

#include <algorithm>
#include <ostream>

#include "common/base/text.h"
#include "common/kube/quantity.h"
#include "engine/cli/chosen_workload.h"
#include "engine/cli/manifest_source.h"

namespace toposeg::cli {

std::expected<SlotsQuestion, std::vector<Error>> ask_slots(const Options& options, const Streams& streams,
                                                           Session& session) {
  SlotsQuestion question;
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

void print_about(std::ostream& out, const SlotsQuestion& question) {
  out << "Pods: " << question.about << " (" << requests_text(question.shape) << ")";
  std::vector<std::string> tolerated;
  for (const kube::Toleration& toleration : question.shape.tolerations)
    tolerated.push_back(toleration.key.empty() ? "every taint" : toleration.key);
  tolerated.erase(std::unique(tolerated.begin(), tolerated.end()), tolerated.end());
  if (!tolerated.empty()) out << ", tolerating " << join(tolerated, ", ");
  out << '\n';
}

}  // namespace toposeg::cli
