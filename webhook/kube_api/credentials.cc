#include "webhook/kube_api/credentials.h"

#include <fmt/format.h>

#include <cstdlib>

#include "common/base/small_file.h"
#include "common/base/text.h"
#include "common/base/whole_number.h"

namespace toposeg::webhook::kube_api {

namespace {

constexpr const char* kHost = "KUBERNETES_SERVICE_HOST";
constexpr const char* kPort = "KUBERNETES_SERVICE_PORT";

std::optional<std::string> process_variable(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nothing here sets variables
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

}  // namespace

Result<std::string> Source::read() const {
  return file.empty() ? Result<std::string>(data) : read_small_file(file);
}

std::string Credentials::server() const {
  const bool is_ipv6 = host.find(':') != std::string::npos;
  return fmt::format("https://{}{}{}:{}{}", is_ipv6 ? "[" : "", host, is_ipv6 ? "]" : "", port, base_path);
}

Result<Credentials> in_cluster(const std::string& folder, const VariableLookup& environment) {
  const VariableLookup& variable = environment ? environment : VariableLookup(process_variable);
  const auto host = variable(kHost);
  const auto port = variable(kPort);
  if (!host || host->empty() || !port || port->empty()) {
    return fail(
        Code::kInvalid,
        fmt::format("{} and {} are not set, so this is not a pod; give a kubeconfig file", kHost, kPort));
  }
  Credentials credentials;
  credentials.host = *host;
  credentials.port = whole_number<std::uint16_t>(*port).value_or(0);
  if (credentials.port == 0) {
    return fail(Code::kInvalid, fmt::format("{} is no port; expected 1 to 65535", quote(*port)), kPort);
  }
  credentials.ca.file = folder + "/ca.crt";
  credentials.token.file = folder + "/token";
  if (const auto token = credentials.token.read(); !token) {
    Error fault = token.error();
    fault.message += "; the pod needs a service account whose token is mounted";
    return std::unexpected(std::move(fault));
  }
  if (const auto name = read_small_file(folder + "/namespace"))
    credentials.default_namespace = trimmed(*name);
  return credentials;
}

}  // namespace toposeg::webhook::kube_api
