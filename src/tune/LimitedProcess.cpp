#include "tune/LimitedProcess.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

extern char** environ;

namespace warploom {

namespace {

using Clock = std::chrono::steady_clock;

/// What is kept of a program's output: its end.
constexpr std::size_t mostOutput = 1 << 20;

/// Reads what is there; false at the end.
bool readSome(int descriptor, std::string& text) {
  char buffer[4096];
  const ssize_t length = read(descriptor, buffer, sizeof buffer);
  if (length < 0) return errno == EINTR || errno == EAGAIN;
  text.append(buffer, static_cast<std::size_t>(length));
  if (text.size() > 2 * mostOutput) text.erase(0, text.size() - mostOutput);
  return length > 0;
}

} // namespace

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> result;
  for (std::string& word : words)
    result.push_back(word.data());
  result.push_back(nullptr);
  return result;
}

std::vector<std::string> environmentWith(const std::vector<std::pair<std::string, std::string>>& changes) {
  std::vector<std::string> result;
  for (char** entry = environ; *entry; ++entry) {
    std::string text = *entry;
    bool replaced = false;
    for (const auto& [name, value] : changes)
      replaced = replaced || text.starts_with(name + "=");
    if (!replaced) result.push_back(text);
  }
  for (const auto& [name, value] : changes)
    result.push_back(name + "=" + value);
  return result;
}

LimitedEnd runLimited(const std::vector<std::string>& command, const ProcessLimits& limits,
                      const std::vector<std::pair<std::string, std::string>>& environment) {
  std::vector<std::string> words = command, variables = environmentWith(environment);
  std::vector<char*> arguments = pointers(words), entries = pointers(variables);
  int pipes[2];
  if (pipe2(pipes, O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "no pipe");
  const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  const pid_t self = getpid(), child = fork();
  if (child == 0) {
    // Until exec only what a signal handler may do: other threads may have held locks.
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != self) _exit(127);
    dup2(nothing, STDIN_FILENO);
    dup2(limits.keepsOutput ? pipes[1] : nothing, STDOUT_FILENO);
    dup2(pipes[1], STDERR_FILENO);
    execvpe(arguments[0], arguments.data(), entries.data());
    _exit(127);
  }
  const int error = errno;
  close(pipes[1]);
  close(nothing);
  if (child < 0) {
    close(pipes[0]);
    throw std::system_error(error, std::generic_category(), "cannot run '" + command[0] + "'");
  }

  LimitedEnd end;
  const auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                           std::chrono::duration<double>(limits.seconds));
  bool isOpen = true;
  int status = 0;
  fcntl(pipes[0], F_SETFL, O_NONBLOCK);
  for (pid_t ended = 0; ended != child;) {
    if (Clock::now() >= deadline) {
      end.timedOut = true;
      kill(-child, SIGKILL);
      kill(child, SIGKILL); // it may not have got to its group yet
    }
    pollfd wanted{isOpen ? pipes[0] : -1, POLLIN, 0};
    poll(&wanted, 1, isOpen ? 20 : 2);
    if (isOpen && wanted.revents) isOpen = readSome(pipes[0], end.output);
    ended = waitpid(child, &status, WNOHANG);
    if (ended < 0 && errno != EINTR) break;
  }
  // What it has written and no one has read yet; others may still hold the pipe.
  for (std::size_t before = 1; isOpen && before != end.output.size();) {
    before = end.output.size();
    isOpen = readSome(pipes[0], end.output);
  }
  close(pipes[0]);
  if (WIFEXITED(status)) end.status = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) end.signal = WTERMSIG(status);
  return end;
}

} // namespace warploom
