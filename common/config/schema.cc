#include "common/config/schema.h"

#include "common/config/names.h"

namespace toposeg::config {

namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr TextRule kAnyText{};
constexpr TextRule kDnsLabel{is_dns_label, "a DNS label (a-z, 0-9 and -, at most 63 characters)"};
constexpr TextRule kDnsName{is_dns_name, "a DNS name (a-z, 0-9, - and dots, at most 253 characters)"};
constexpr TextRule kLabelKey{is_label_key, "a label or annotation key, such as example.com/name"};
constexpr TextRule kLabelValue{is_label_value,
                               "a label value (letters, digits, - _ and dots, at most 63 characters)"};
constexpr TextRule kAddress{is_ip_address, "an IP address"};
constexpr TextRule kServerName{is_server_name, "a DNS name or an IP address"};
constexpr TextRule kFieldPath{is_field_path, "a field path such as spec.workersPerSegment.value"};

Section workloads(WorkloadConfig& config) {
  return {
      "workloads",
      "What a manifest means where it leaves something open.",
      {
          {"managedRules", Rules{&config.managed_rules},
           "Which workloads get automatic placement. The first rule that matches decides; a workload "
           "that matches "
           "none is not managed. All conditions of a rule have to hold; user, fieldManager and "
           "ownerApiGroup know "
           "* and ?."},
          {"pools", Pools{&config.pools},
           "The topology of a node pool, for automatic placement: workloads whose pods select the label "
           "with the "
           "value use the topology."},
          {"defaultTopology", Text{&config.default_topology, kDnsName},
           "Topology of workloads that name none. Empty = the only Topology of the cluster, if there is "
           "just one."},
          {"automaticSegments", Flag{&config.automatic_segments},
           "Managed workloads with a segment size and no segment level: prefer the closest level per "
           "segment. Not "
           "for LeaderWorkerSets."},
          {"automaticWhole", Flag{&config.automatic_whole},
           "Managed workloads without a workload level: prefer the closest level for all pods together."},
          {"unknown", Choice{&config.unknown, {"byStrength", "refuse", "warn"}},
           "A topology or level that does not exist: byStrength refuses the workload where something "
           "names it as "
           "required and warns otherwise; refuse and warn always do that."},
          {"nativeSizePaths", Texts{&config.native_size_paths, kFieldPath},
           "Fields of a DistributedWorkload that may hold the segment size; the first one that is set "
           "counts."},
          {"maxSegments", Number{&config.max_segments, 1, 100'000},
           "Most segments that one group of pods may have."},
          {"deviceTolerations", Flag{&config.device_tolerations},
           "Whether the API server adds tolerations for the devices that pods ask for (its admission plugin "
           "ExtendedResourceToleration, which GKE has on). Workloads are then planned as their pods will "
           "be."},
      }};
}

Section pods(PodConfig& config) {
  return {
      "pods",
      "What is done with pods.",
      {
          {"schedulerNames", Texts{&config.scheduler_names, kDnsName, false},
           "Pods of other schedulers are left alone. A pod that names no scheduler counts as "
           "default-scheduler."},
          {"excludedNamespaces", Texts{&config.excluded_namespaces, kDnsLabel},
           "Namespaces that are left alone, beside kube-system, kube-public, kube-node-lease and "
           "ownNamespace."},
          {"ownNamespace", Text{&config.own_namespace, kDnsLabel, false},
           "Namespace that the webhook runs in."},
          {"whenUnfit", Choice{&config.when_unfit, {"gate", "pin", "refuse"}},
           "A pod whose segment has a required level and no room now: gate holds it with a scheduling gate, "
           "pin "
           "binds it to the best domain all the same, refuse refuses the pod so that its controller tries "
           "again. "
           "Cluster autoscalers do not see gated pods."},
          {"neutralSpreading", Flag{&config.neutral_spreading},
           "Switch off the scheduler's own soft spreading for placed pods that define none; it works against "
           "placing pods together."},
      }};
}

Section engine(EngineConfig& config) {
  return {
      "engine",
      "How long decisions take and reservations hold.",
      {
          {"budget", Duration{&config.budget, milliseconds(1), seconds(30)},
           "Longest time for one decision; the best plan so far is used then."},
          {"planTtl", Duration{&config.plan_ttl, seconds(1), hours(24)},
           "How long the space of a new workload is kept until its pods come."},
          {"podTtl", Duration{&config.pod_ttl, seconds(1), hours(24)},
           "How long the space of an admitted pod is kept until the pod is bound to a node."},
          {"groupTtl", Duration{&config.group_ttl, seconds(1), hours(7 * 24)},
           "How long the space of missing pods is kept while others of their group live."},
          {"passing", Choice{&config.passing, {"harmless", "free"}},
           "Whether a workload may start before one that waits longer for a required level: harmless lets it "
           "where that takes nothing that the other could come to use, free wherever there is room. free "
           "keeps the cluster busier, and a large workload may wait for very long."},
      }};
}

std::vector<Field> endpoint_fields(ServerConfig& config) {
  return {
      {"address", Text{&config.address, kAddress, false}, "Where reviews are answered, over HTTPS."},
      {"port", Number{&config.port, 0, 65535}, "HTTPS port; 0 = any free one."},
      {"plainAddress", Text{&config.plain_address, kAddress, false},
       "Where /livez, /readyz, /metrics and /debug are answered, over plain HTTP."},
      {"plainPort", Number{&config.plain_port, 0, 65535}, "HTTP port; 0 = any free one."},
      {"certificateFile", Text{&config.certificate_file, kAnyText},
       "PEM file with the certificate chain, read again when it changes. Empty, together with keyFile = the "
       "webhook "
       "makes its own."},
      {"keyFile", Text{&config.key_file, kAnyText}, "PEM file with the private key of certificateFile."},
      {"serverNames", Texts{&config.server_names, kServerName},
       "DNS names and addresses in the certificate that the webhook makes."},
      {"clientCaFile", Text{&config.client_ca_file, kAnyText},
       "PEM file with the CA that client certificates must come from. Empty = none is asked for."},
  };
}

std::vector<Field> limit_fields(ServerConfig& config) {
  constexpr std::uint64_t kKi = 1U << 10U;
  constexpr std::uint64_t kMi = 1U << 20U;
  return {
      {"workers", Number{&config.workers, 0, 1024}, "Threads that answer reviews; 0 = one a core."},
      {"maxConnections", Number{&config.max_connections, 1, 100'000},
       "Connections open at once; one more is answered 429 and closed."},
      {"maxQueue", Number{&config.max_queue, 1, 100'000},
       "Complete requests that wait for a thread; one more is answered 429."},
      {"maxHeaderBytes", Size{&config.max_header_bytes, kKi, kMi}, "Largest request header."},
      {"maxBodyBytes", Size{&config.max_body_bytes, kKi, 64 * kMi},
       "Largest request body. The API server sends objects of up to 3 MiB, on an update the old one too."},
      {"headerTimeout", Duration{&config.header_timeout, seconds(1), hours(1)},
       "Longest time to send a header."},
      {"bodyTimeout", Duration{&config.body_timeout, seconds(1), hours(1)}, "Longest time to send a body."},
      {"idleTimeout", Duration{&config.idle_timeout, seconds(1), hours(1)},
       "How long a connection may stay open without a request. The API server keeps its own for 90 seconds."},
      {"lameDuck", Duration{&config.lame_duck, seconds(0), minutes(10)},
       "After SIGTERM: how long new connections are still accepted while readiness is off."},
      {"drain", Duration{&config.drain, seconds(0), minutes(10)},
       "After that: how long requests may take to finish."},
  };
}

Section server(ServerConfig& config) {
  Section section{"server", "How requests are taken.", endpoint_fields(config)};
  for (Field& field : limit_fields(config)) section.fields.push_back(std::move(field));
  return section;
}

Section log(LogConfig& config) {
  return {"log",
          "What is written to standard error.",
          {
              {"level", Choice{&config.level, {"trace", "debug", "info", "warn", "error"}},
               "The least severe line shown."},
              {"format", Choice{&config.format, {"json", "text"}},
               "json = one object a line; text = for reading."},
          }};
}

}  // namespace

std::vector<Section> sections(Config& config) {
  return {workloads(config.workloads), pods(config.pods), engine(config.engine), server(config.server),
          log(config.log)};
}

std::vector<Field> fields(ManagedRule& rule) {
  return {
      {"name", Text{&rule.name, kAnyText, false}, "Names the rule in messages.", true},
      {"user", Text{&rule.user, kAnyText}, "User name of the request; glob."},
      {"group", Text{&rule.group, kAnyText}, "A group of the user."},
      {"fieldManager", Text{&rule.field_manager, kAnyText}, "Field manager of the request; glob."},
      {"kind", Text{&rule.kind, kAnyText}, "Kind of the workload."},
      {"ownerKind", Text{&rule.owner_kind, kAnyText}, "Kind of an owner of the workload."},
      {"ownerApiGroup", Text{&rule.owner_api_group, kAnyText}, "API group of that owner; glob."},
      {"annotation", Text{&rule.annotation, kLabelKey}, "Key of an annotation that the workload has."},
      {"annotationValue", Text{&rule.annotation_value, kAnyText}, "Value of that annotation; empty = any."},
      {"annotationAbsent", Text{&rule.annotation_absent, kLabelKey},
       "Key of an annotation that it does not have."},
      {"annotationsAny", Texts{&rule.annotations_any, kLabelKey},
       "Keys of annotations; it has at least one of them."},
      {"label", Text{&rule.label, kLabelKey}, "Key of a label that the workload has."},
      {"labelValue", Text{&rule.label_value, kLabelValue}, "Value of that label; empty = any."},
      {"managed", Flag{&rule.managed}, "The verdict.", true},
  };
}

std::vector<Field> fields(PoolTopology& pool) {
  return {
      {"label", Text{&pool.label, kLabelKey, false}, "Key of the label in the pods' nodeSelector.", true},
      {"value", Text{&pool.value, kLabelValue}, "Its value.", true},
      {"topology", Text{&pool.topology, kDnsName, false}, "Name of the Topology.", true},
  };
}

}  // namespace toposeg::config
