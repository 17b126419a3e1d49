// One HTTPS connection to the API server, opened by the first call and again when it was lost. The only place
// that knows the HTTP library's client.
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <string>

#include "webhook/kube_api/api_error.h"
#include "webhook/kube_api/call.h"
#include "webhook/kube_api/peer.h"

namespace toposeg::webhook::kube_api {

class Connection {
 public:
  struct Options {
    std::chrono::milliseconds connect_timeout{10'000};  // for TCP, and again for TLS
    std::string user_agent = "toposeg-webhook";
  };

  // Nothing is sent yet. kInvalid when the material does not parse.
  [[nodiscard]] static Result<std::unique_ptr<Connection>> create(const Credentials& credentials,
                                                                  const TlsMaterial& material,
                                                                  const Options& options);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // The body of an answer of 2xx goes to `receiver`; another status is an error. One call at a time.
  [[nodiscard]] Answer<StreamEnd> send(const Call& call, const std::string& token, const Receiver& receiver);

  // True when the last call failed without a byte of an answer on a connection that an earlier call had
  // opened: most likely the server had closed it meanwhile.
  [[nodiscard]] bool was_stale() const { return was_stale_; }

  // Ends what a call waits for, except the resolving of a name. Thread safe.
  void shut();

 private:
  struct Library;
  struct Progress;

  Connection(const Credentials& credentials, const Options& options);
  void opened(int socket);
  [[nodiscard]] ApiError explain(const Call& call, const Progress& progress, int library_error) const;
  [[nodiscard]] std::string place(const Call& call) const;

  std::string server_;
  std::string base_path_;
  std::string host_header_;
  std::string user_agent_;
  std::chrono::milliseconds connect_timeout_;
  Peer peer_;  // outlives the library's context
  std::unique_ptr<Library> library_;
  bool was_opened_ = false;  // by the call in work
  bool was_stale_ = false;

  std::mutex mutex_;
  int socket_ = -1;  // a duplicate, ours: the library's own number may be another socket's by now
};

}  // namespace toposeg::webhook::kube_api
