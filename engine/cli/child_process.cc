#include "engine/cli/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <istream>
#include <memory>
#include <sstream>
#include <streambuf>
#include <string_view>
#include <system_error>

#include "common/base/text.h"

extern char** environ;  // NOLINT: POSIX leaves its declaration to the program

namespace toposeg::cli {
namespace {

// Owns a file descriptor.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() { reset(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  void reset() {
    if (number_ >= 0) ::close(number_);
    number_ = -1;
  }
  [[nodiscard]] int number() const { return number_; }

 private:
  int number_;
};

// Reads a descriptor block by block: what a large cluster prints is never held as a whole.
class DescriptorBuffer final : public std::streambuf {
 public:
  explicit DescriptorBuffer(int number) : number_(number) {}

 protected:
  int_type underflow() override {
    ssize_t got = 0;
    do {
      got = ::read(number_, block_.data(), block_.size());
    } while (got < 0 && errno == EINTR);
    if (got <= 0) return traits_type::eof();
    setg(block_.data(), block_.data(), block_.data() + got);
    return traits_type::to_int_type(block_[0]);
  }

 private:
  int number_;
  std::array<char, 1U << 16U> block_{};
};

class SpawnActions {
 public:
  SpawnActions() { posix_spawn_file_actions_init(&actions_); }
  ~SpawnActions() { posix_spawn_file_actions_destroy(&actions_); }
  SpawnActions(const SpawnActions&) = delete;
  SpawnActions& operator=(const SpawnActions&) = delete;
  void redirect(int from, int to) { posix_spawn_file_actions_adddup2(&actions_, from, to); }
  [[nodiscard]] const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

// kubectl's own log lines: "E1130 02:57:04.000761   12021 memcache.go:265] …".
bool is_log_line(std::string_view line) {
  constexpr std::string_view kHead = "E0000 00:00:00";
  if (line.size() < kHead.size() || std::string_view("IWEF").find(line.front()) == std::string_view::npos)
    return false;
  return std::equal(kHead.begin() + 1, kHead.end(), line.begin() + 1, [](char pattern, char c) {
    return pattern == '0' ? c >= '0' && c <= '9' : c == pattern;
  });
}

// What was written to a file for a person, as one line: its end, without log lines.
std::string last_words(int file) {
  constexpr off_t kMostBytes = 4096;
  const off_t size = ::lseek(file, 0, SEEK_END);
  std::string text(static_cast<std::size_t>(std::clamp<off_t>(size, 0, kMostBytes)), ' ');
  const ssize_t got = ::pread(file, text.data(), text.size(), std::max<off_t>(0, size - kMostBytes));
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  std::string words;
  std::istringstream lines(text);
  if (size > kMostBytes) lines.ignore(kMostBytes, '\n');
  for (std::string line; std::getline(lines, line);) {
    if (line.find_first_not_of(" \t\r") == std::string::npos || is_log_line(line)) continue;
    if (!words.empty()) words += ' ';
    words += line;
  }
  return truncated(words, 600);
}

Result<pid_t> start(const std::vector<std::string>& command, int out, int err) {
  SpawnActions actions;
  actions.redirect(out, STDOUT_FILENO);
  actions.redirect(err, STDERR_FILENO);
  std::vector<std::string> words = command;
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t child = 0;
  const int fault = posix_spawnp(&child, arguments[0], actions.get(), nullptr, arguments.data(), environ);
  if (fault != 0) {
    return fail(Code::kUnavailable, "cannot be run: " + std::generic_category().message(fault),
                command.front());
  }
  return child;
}

int wait_for(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

std::string end_of(int status) {
  return WIFSIGNALED(status) ? fmt::format("was ended by signal {}", WTERMSIG(status))
                             : fmt::format("failed with status {}", WEXITSTATUS(status));
}

}  // namespace

Result<void> run_child(const std::vector<std::string>& command, const OutputReader& reader) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    return fail(Code::kInternal, "no pipe can be made", command.front());
  Descriptor read_end(ends[0]);
  Descriptor write_end(ends[1]);
  // Standard error goes to a file: a second pipe could fill up while the first one is read.
  const File said(std::tmpfile(), &std::fclose);
  if (!said) return fail(Code::kInternal, "no temporary file can be made", command.front());
  const auto child = start(command, write_end.number(), ::fileno(said.get()));
  if (!child) return std::unexpected(child.error());
  write_end.reset();
  Result<void> read;
  {
    DescriptorBuffer buffer(read_end.number());
    std::istream output(&buffer);
    read = reader(output);
  }
  read_end.reset();
  const int status = wait_for(*child);
  const std::string words = last_words(::fileno(said.get()));
  if (status != 0 && (read || !words.empty()))
    return fail(Code::kUnavailable, words.empty() ? end_of(status) : words, join(command, " "));
  return read;
}

}  // namespace toposeg::cli
