// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/index.h"
#include "tests/support/paths.h"

extern char** environ;

namespace gloss {

/// Output and exit status of a program.
struct ProgramResult {
  std::string output, errors;
  int status = -1;  ///< exit status, or 128 + the number of the signal that ended the program
};

namespace support {

struct Pipe {
  int read_end = -1, write_end = -1;
  Pipe() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("pipe2 failed");
    read_end = ends[0];
    write_end = ends[1];
  }
  ~Pipe() {
    close_end(read_end);
    close_end(write_end);
  }
  static void close_end(int& end) {
    if (end >= 0) close(end);
    end = -1;
  }
};

}  // namespace support

/// Runs a program without a shell: `command` is its path and arguments, `input` its standard input,
/// `environment` additional variables as "NAME=value".
inline ProgramResult run_program(const std::vector<std::string>& command, const std::string& input = "",
                                 const std::vector<std::string>& environment = {}) {
  support::Pipe in, out, err;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in.read_end, 0);
  posix_spawn_file_actions_adddup2(&actions, out.write_end, 1);
  posix_spawn_file_actions_adddup2(&actions, err.write_end, 2);
  std::vector<char*> arguments, variables;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  for (const std::string& variable : environment) variables.push_back(const_cast<char*>(variable.c_str()));
  for (char** variable = environ; *variable != nullptr; ++variable) variables.push_back(*variable);
  variables.push_back(nullptr);
  pid_t child = 0;
  const int failure =
      posix_spawn(&child, arguments[0], &actions, nullptr, arguments.data(), variables.data());
  posix_spawn_file_actions_destroy(&actions);
  if (failure != 0) throw std::runtime_error("cannot run " + command.at(0));
  support::Pipe::close_end(in.read_end);
  support::Pipe::close_end(out.write_end);
  support::Pipe::close_end(err.write_end);

  signal(SIGPIPE, SIG_IGN);
  fcntl(in.write_end, F_SETFL, O_NONBLOCK);
  ProgramResult result;
  std::size_t written = 0;
  std::array<char, 65536> buffer;
  while (out.read_end >= 0 || err.read_end >= 0) {
    if (in.write_end >= 0 && written == input.size()) support::Pipe::close_end(in.write_end);
    std::array<pollfd, 3> ends{
        {{in.write_end, POLLOUT, 0}, {out.read_end, POLLIN, 0}, {err.read_end, POLLIN, 0}}};
    poll(ends.data(), ends.size(), -1);
    if (ends[0].revents != 0) {
      const ssize_t count = write(in.write_end, input.data() + written, input.size() - written);
      if (count > 0) written += index(count);
      if (count < 0 && errno != EAGAIN) support::Pipe::close_end(in.write_end);
    }
    const auto take = [&](short events, int& end, std::string& text) {
      if (events == 0) return;
      const ssize_t count = read(end, buffer.data(), buffer.size());
      if (count > 0) {
        text.append(buffer.data(), index(count));
      } else {
        support::Pipe::close_end(end);
      }
    };
    take(ends[1].revents, out.read_end, result.output);
    take(ends[2].revents, err.read_end, result.errors);
  }
  support::Pipe::close_end(in.write_end);
  int status = 0;
  waitpid(child, &status, 0);
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

}  // namespace gloss
