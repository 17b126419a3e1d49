#include "webhook/program/signals.h"

#include <poll.h>
#include <pthread.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <utility>

namespace toposeg::webhook {

Result<Signals> Signals::create() {
  sigset_t wanted;
  sigemptyset(&wanted);
  for (const int number : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&wanted, number);
  std::signal(SIGPIPE, SIG_IGN);
  const int blocked = pthread_sigmask(SIG_BLOCK, &wanted, nullptr);
  const int descriptor = blocked == 0 ? signalfd(-1, &wanted, SFD_CLOEXEC | SFD_NONBLOCK) : -1;
  if (descriptor < 0)
    return fail(Code::kInternal, std::string("signals cannot be received: ") + std::strerror(errno));
  return Signals(descriptor);
}

Signals::~Signals() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Signals::Signals(Signals&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

std::optional<Signal> Signals::wait(std::chrono::milliseconds timeout) const {
  pollfd waiting{.fd = descriptor_, .events = POLLIN, .revents = 0};
  if (::poll(&waiting, 1, static_cast<int>(timeout.count())) <= 0) return std::nullopt;
  signalfd_siginfo info{};
  if (::read(descriptor_, &info, sizeof info) != static_cast<ssize_t>(sizeof info)) return std::nullopt;
  return info.ssi_signo == SIGHUP ? Signal::kReload : Signal::kStop;
}

}  // namespace toposeg::webhook
