// The step between a complete request and its handler: routing by exact path and the writing of the HTTP
// answer, both by cpp-httplib's Server over a stream in memory. It never sees a socket, and of the client's
// header only the target: ranges, compression and multipart bodies of the library stay out of reach.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "webhook/server/exchange.h"
#include "webhook/server/metrics.h"
#include "webhook/server/server.h"

namespace toposeg::webhook {

using Routes = std::map<std::string, Handler, std::less<>>;

// Used by one thread at a time; each worker has its own.
class Router {
 public:
  // Routes and metrics outlive the router. `method` is the one that the routes are served with. `closing` is
  // asked when the handler has returned: answers end their connections now.
  Router(const Routes& routes, std::string method, FrontMetrics& metrics, std::function<bool()> closing);
  ~Router();
  Router(const Router&) = delete;
  Router& operator=(const Router&) = delete;

  // An unknown path is 404; a handler that throws is 500 with a fixed text, logged and counted. Never throws
  // itself.
  [[nodiscard]] Finished answer(const Exchange& exchange);

 private:
  class Library;
  std::unique_ptr<Library> library_;
};

}  // namespace toposeg::webhook
