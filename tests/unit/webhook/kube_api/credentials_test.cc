#include "webhook/kube_api/credentials.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "unit/catch.h"
#include "unit/folder.h"
#include "webhook/kube_api/server_url.h"
#include "webhook/kube_api/token_source.h"

namespace toposeg::webhook::kube_api {
namespace {

using toposeg::test::Folder;

std::string kubeconfig(const std::string& cluster, const std::string& user) {
  return "apiVersion: v1\nkind: Config\ncurrent-context: dev\n"
         "clusters:\n- name: one\n  cluster: {" +
         cluster +
         "}\n- name: two\n  cluster: {server: 'https://two.example'}\n"
         "contexts:\n- name: dev\n  context: {cluster: one, user: ann, namespace: research}\n"
         "- name: prod\n  context: {cluster: two}\n- name: broken\n  context: {cluster: three}\n"
         "users:\n- name: ann\n  user: {" +
         user + "}\n";
}

Result<Credentials> read(const Folder& folder, const std::string& cluster, const std::string& user,
                         const std::string& context = {}) {
  return from_kubeconfig(folder.write("config", kubeconfig(cluster, user)), context);
}

const std::string kServer = "server: 'https://10.0.0.1:6443'";

TEST_CASE("a kubeconfig with data needs no other file") {
  const Folder folder;
  const auto read_one =
      read(folder, kServer + ", certificate-authority-data: Q0EgcGVt, tls-server-name: api.example",
           "client-certificate-data: Y2VydA==, client-key-data: a2V5, token: abc");
  REQUIRE(read_one);
  CHECK(read_one->host == "10.0.0.1");
  CHECK(read_one->port == 6443);
  CHECK(read_one->ca.read().value() == "CA pem");
  CHECK(read_one->client_certificate.read().value() == "cert");
  CHECK(read_one->client_key.read().value() == "key");
  CHECK(read_one->token.read().value() == "abc");
  CHECK(read_one->tls_server_name == "api.example");
  CHECK(read_one->default_namespace == "research");
  CHECK_FALSE(read_one->skip_verification);
}

TEST_CASE("files of a kubeconfig are relative to its folder, and the token file wins over the token") {
  const Folder folder;
  const auto credentials =
      read(folder, kServer + ", certificate-authority: pki/ca.crt",
           "client-certificate: /abs/c.crt, client-key: c.key, token: abc, tokenFile: t");
  REQUIRE(credentials);
  CHECK(credentials->ca.file == folder.path() + "/pki/ca.crt");
  CHECK(credentials->client_certificate.file == "/abs/c.crt");
  CHECK(credentials->client_key.file == folder.path() + "/c.key");
  CHECK(credentials->token.file == folder.path() + "/t");
}

TEST_CASE("another context than the current one can be named") {
  const Folder folder;
  const auto credentials = read(folder, kServer, "token: abc", "prod");
  REQUIRE(credentials);
  CHECK(credentials->server() == "https://two.example:443");
  CHECK(credentials->token.empty());
}

TEST_CASE("insecure-skip-tls-verify is honoured, but not beside an authority") {
  const Folder folder;
  CHECK(read(folder, kServer + ", insecure-skip-tls-verify: true", "token: a").value().skip_verification);
  const auto both =
      read(folder, kServer + ", insecure-skip-tls-verify: true, certificate-authority: x", "token: a");
  REQUIRE_FALSE(both);
  CHECK(both.error().code == Code::kConflict);
}

TEST_CASE("what a kubeconfig cannot give us is named with what to do instead") {
  const Folder folder;
  const auto message = [&](const std::string& cluster, const std::string& user,
                           const std::string& context = {}) {
    const auto credentials = read(folder, cluster, user, context);
    REQUIRE_FALSE(credentials);
    std::string text = credentials.error().text();
    REQUIRE(text.starts_with(folder.path() + "/config"));
    return text.substr(folder.path().size() + 7);
  };
  const std::string programs =
      "programs that make credentials are not run; give a token (kubectl create token NAME) or a client "
      "certificate";
  CHECK(message(kServer, "exec: {command: aws}") == ": users[\"ann\"].user.exec: " + programs);
  CHECK(message(kServer, "auth-provider: {name: gcp}") == ": users[\"ann\"].user.auth-provider: " + programs);
  CHECK(
      message(kServer, "as: root") ==
      ": users[\"ann\"].user.as: acting as somebody else is not supported; give that one's own credentials");
  CHECK(message(kServer, "username: u, password: p") ==
        ": users[\"ann\"].user.username: API servers no longer take passwords; give a token or a client "
        "certificate");
  CHECK(message(kServer + ", proxy-url: 'http://p'", "") ==
        ": clusters[\"one\"].cluster.proxy-url: a proxy is not supported; give an address that is reached "
        "directly");
  CHECK(message(kServer, "client-certificate: a") ==
        ": users[\"ann\"].user: has a client-certificate but no client-key; give both");
  CHECK(message(kServer, "client-key-data: a2V5") ==
        ": users[\"ann\"].user: has a client-key but no client-certificate; give both");
  CHECK(message(kServer, "client-key-data: '!secret!'") ==
        ": users[\"ann\"].user.client-key-data: is not valid base64");
  CHECK(message("insecure-skip-tls-verify: true", "") == ": clusters[\"one\"].cluster.server: is missing");
  CHECK(message(kServer, "", "prd") == ": contexts: there is no context \"prd\" (did you mean \"prod\"?)");
  CHECK(message(kServer, "", "broken").starts_with(": clusters: there is no cluster \"three\""));
  CHECK(message(kServer, "token: 12").starts_with(": users[\"ann\"].user.token: "));
}

TEST_CASE("a file that is no kubeconfig is refused") {
  const Folder folder;
  CHECK(from_kubeconfig(folder.path() + "/none", "").error().code == Code::kUnavailable);
  CHECK(from_kubeconfig(folder.write("list", "- a\n"), "").error().message ==
        "is no kubeconfig file; expected one document of kind Config");
  CHECK(from_kubeconfig(folder.write("empty", "kind: Config\n"), "").error().message ==
        "has no current-context; name a context");
  CHECK_FALSE(from_kubeconfig(folder.write("bad", "a: [\n"), ""));
}

TEST_CASE("addresses of API servers") {
  const auto url = [](std::string_view text) { return parse_server_url(text, "server"); };
  CHECK(url("https://a.example")->port == 443);
  CHECK(url("https://[fd00::1]:6443")->host == "fd00::1");
  CHECK(url("https://[fd00::1]:6443")->port == 6443);
  CHECK(url("https://[fd00::1]")->port == 443);
  CHECK(url("https://a.example:1/k8s/clusters/c/")->base_path == "/k8s/clusters/c");
  CHECK(url("http://a.example").error().message ==
        R"("http://a.example" is not encrypted; expected https://HOST:PORT)");
  for (const char* bad :
       {"", "a.example", "https://", "https://a:0", "https://a:65536", "https://a:x", "https://u@a",
        "https://[fd00::1", "https://[::1]x", "https://a/b?c", "https://a b", "https://a\r\nX: y"}) {
    INFO(bad);
    CHECK(url(bad).error().code == Code::kInvalid);
  }
  Credentials credentials;
  credentials.host = "fd00::1";
  credentials.port = 6443;
  CHECK(credentials.server() == "https://[fd00::1]:6443");
}

struct Variables {
  std::map<std::string, std::string> values;
  std::optional<std::string> operator()(const char* name) const {
    const auto found = values.find(name);
    return found == values.end() ? std::nullopt : std::optional(found->second);
  }
};

TEST_CASE("in a pod, address and files are where Kubernetes puts them") {
  const Folder folder;
  folder.write("token", "abc");
  folder.write("namespace", "toposeg-system\n");
  const auto credentials =
      in_cluster(folder.path(),
                 Variables{{{"KUBERNETES_SERVICE_HOST", "fd00::1"}, {"KUBERNETES_SERVICE_PORT", "6443"}}});
  REQUIRE(credentials);
  CHECK(credentials->server() == "https://[fd00::1]:6443");
  CHECK(credentials->default_namespace == "toposeg-system");
  CHECK(credentials->ca.file == folder.path() + "/ca.crt");
  CHECK(credentials->token.file == folder.path() + "/token");
}

TEST_CASE("outside a pod, the way out is told") {
  const Folder folder;
  CHECK(in_cluster(folder.path(), Variables{}).error().message ==
        "KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set, so this is not a pod; give a "
        "kubeconfig file");
  const auto port = in_cluster(
      folder.path(), Variables{{{"KUBERNETES_SERVICE_HOST", "a"}, {"KUBERNETES_SERVICE_PORT", "70000"}}});
  CHECK(port.error().text() == R"(KUBERNETES_SERVICE_PORT: "70000" is no port; expected 1 to 65535)");
  const auto token = in_cluster(
      folder.path(), Variables{{{"KUBERNETES_SERVICE_HOST", "a"}, {"KUBERNETES_SERVICE_PORT", "1"}}});
  REQUIRE_FALSE(token);
  CHECK(token.error().text() ==
        folder.path() +
            "/token: cannot be read: No such file or directory; the pod needs a service account "
            "whose token is mounted");
}

TEST_CASE("a token file is read again after a minute, or when it was refused") {
  const Folder folder;
  const std::string file = folder.write("token", "  one\n");
  ManualClock clock;
  TokenSource tokens({.file = file});
  CHECK(tokens.get(clock.now()).value() == "one");
  folder.write("token", "two");
  clock.advance(std::chrono::seconds(59));
  CHECK(tokens.get(clock.now()).value() == "one");
  clock.advance(std::chrono::seconds(1));
  CHECK(tokens.get(clock.now()).value() == "two");
  folder.write("token", "three");
  tokens.forget();
  CHECK(tokens.get(clock.now()).value() == "three");
}

TEST_CASE("the token before stays in use while the file is empty or gone") {
  const Folder folder;
  const std::string file = folder.write("token", "one");
  ManualClock clock;
  TokenSource tokens({.file = file});
  REQUIRE(tokens.get(clock.now()));
  folder.write("token", " \n");
  clock.advance(std::chrono::minutes(2));
  CHECK(tokens.get(clock.now()).value() == "one");
  std::filesystem::remove(file);
  clock.advance(std::chrono::minutes(2));
  CHECK(tokens.get(clock.now()).value() == "one");
}

TEST_CASE("a token that is missing, empty or several words is refused and not shown") {
  const Folder folder;
  const ManualClock clock;
  CHECK(TokenSource({.file = folder.path() + "/none"}).get(clock.now()).error().code == Code::kUnavailable);
  CHECK(TokenSource({.file = folder.write("empty", "\n")}).get(clock.now()).error().message ==
        "is empty; expected a bearer token");
  const auto words = TokenSource({.data = "secret\r\nX-Evil: 1"}).get(clock.now());
  CHECK(words.error() ==
        Error{Code::kInvalid, "holds more than a token; expected one word of visible ASCII", "token"});
  CHECK(TokenSource({}).get(clock.now()).value().empty());
}

}  // namespace
}  // namespace toposeg::webhook::kube_api
