// Where the API server is and how we show who we are: from a kubeconfig file, or from the files that a pod
// gets.
//
//   auto credentials = inside_pod ? in_cluster() : from_kubeconfig("/home/ann/.kube/config", "");
//   if (!credentials) die(credentials.error());
//   Client client(*std::move(credentials), clock);
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "common/base/error.h"

namespace toposeg::webhook::kube_api {

// NOLINTBEGIN(readability-redundant-member-init): GCC wants them in designated initialisers.

// A text that is given, or a file that holds it and may be renewed; neither = absent.
struct Source {
  std::string data{};
  std::string file{};

  [[nodiscard]] bool empty() const { return data.empty() && file.empty(); }
  // The data, or what the file holds now. Errors name the file only.
  [[nodiscard]] Result<std::string> read() const;
};

// Secrets within: never to be printed as a whole.
struct Credentials {
  std::string host{};  // a name or an address, without brackets
  std::uint16_t port = 443;
  std::string base_path{};        // before every path: empty, or /k8s/clusters/one
  std::string tls_server_name{};  // the name that the certificate must have; empty = host
  bool skip_verification = false;
  Source ca{};                  // PEM; absent = the authorities of the system
  Source client_certificate{};  // PEM, with client_key
  Source client_key{};
  Source token{};  // for `Authorization: Bearer`
  std::string default_namespace{};

  [[nodiscard]] std::string server() const;  // https://10.0.0.1:443
};

// One context of a kubeconfig file, the current one when `context` is empty. Relative paths in it are
// relative to its folder. Files are named, not read, so that they can be renewed. What we cannot do (`exec`,
// `auth-provider`, a proxy, impersonation, http) is kInvalid and tells what to do instead; so is what names
// something that the file has not.
[[nodiscard]] Result<Credentials> from_kubeconfig(const std::string& path, const std::string& context);

using VariableLookup = std::function<std::optional<std::string>(const char* name)>;

// The variables KUBERNETES_SERVICE_HOST and _PORT, and token, ca.crt and namespace in the folder of the
// service account. kInvalid outside a pod. Tests give another folder and other variables.
[[nodiscard]] Result<Credentials> in_cluster(
    const std::string& folder = "/var/run/secrets/kubernetes.io/serviceaccount",
    const VariableLookup& environment = {});

// NOLINTEND(readability-redundant-member-init)

}  // namespace toposeg::webhook::kube_api
