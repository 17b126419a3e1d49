// A client of the API server. Each thread that calls it has its own; only stop() is for others.
//
//   Client client(*in_cluster(), clock);
//   auto answer = client.get("/version");
//   if (!answer) log(answer.error().text());   // "GET https://10.0.0.1:443/version: the API server answered
//   403 …"
#pragma once

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "common/base/clock.h"
#include "webhook/kube_api/api_error.h"
#include "webhook/kube_api/call.h"
#include "webhook/kube_api/connection.h"
#include "webhook/kube_api/credentials.h"
#include "webhook/kube_api/token_source.h"

namespace toposeg::webhook::kube_api {

// Calls from one thread at a time. One connection, kept open between calls. A token is read again every
// minute and after an answer of 401, upon which the call is made once more when it has changed; the
// certificate authority and our own certificate every five minutes, and the connection is new when they have
// changed. Files that cannot be read then do not matter as long as what they held before is good.
class Client {
 public:
  struct Options {
    Connection::Options connection{};
    std::size_t largest_answer = std::size_t{32} << 20U;  // of call(); stream() has no limit
  };

  // `clock` outlives the client. Nothing is read or sent yet.
  Client(Credentials credentials, const Clock& clock);
  Client(Credentials credentials, const Clock& clock, Options options);
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  // The body of an answer of 2xx. A GET whose kept connection turns out to be closed is made again on a new
  // one; other methods are not, since the API server may have acted.
  [[nodiscard]] Answer<std::string> call(const Call& call);
  [[nodiscard]] Answer<std::string> get(const std::string& target);
  [[nodiscard]] Answer<std::string> post(const std::string& target, std::string body);
  [[nodiscard]] Answer<std::string> put(const std::string& target, std::string body);
  [[nodiscard]] Answer<std::string> patch(const std::string& target, std::string_view type, std::string body);

  // The body of an answer of 2xx to the receiver, piece by piece as it comes, without end if there is none.
  // Fails with kSilent when nothing came for `call.silence`.
  [[nodiscard]] Answer<StreamEnd> stream(const Call& call, const Receiver& receiver);

  // Ends the call in work and refuses later ones, all with kStopped. Returns when no call is in work, which
  // is at once unless a name is being resolved or a receiver takes its time; so not to be called by a
  // receiver, nor while holding what a receiver waits for. Thread safe.
  void stop();

  [[nodiscard]] const Credentials& credentials() const { return credentials_; }

 private:
  [[nodiscard]] Answer<StreamEnd> attempt(const Call& call, const Receiver& receiver);
  [[nodiscard]] Answer<StreamEnd> stream_now(const Call& call, const Receiver& receiver);
  [[nodiscard]] Result<void> refresh(Instant now);
  [[nodiscard]] Result<void> refresh_tls(Instant now);
  [[nodiscard]] bool begin();
  void end();
  void use(std::shared_ptr<Connection> connection);

  const Credentials credentials_;
  const Clock& clock_;
  const Options options_;
  TokenSource tokens_;
  std::string token_;
  std::optional<TlsMaterial> material_;
  Instant material_read_at_;

  std::mutex mutex_;
  std::condition_variable idle_;
  std::shared_ptr<Connection> connection_;  // guarded for stop(); changed by the calling thread only
  bool stopped_ = false;
  bool in_call_ = false;
};

}  // namespace toposeg::webhook::kube_api
