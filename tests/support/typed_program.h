// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "base/files.h"
#include "tests/support/temporary_directory.h"

extern char** environ;

namespace gloss {

/// Messages and exit status of a program.
struct TypedResult {
  std::string errors;
  int status = -1;
};

/// Runs a program whose standard input is a terminal, into which `text` and Ctrl-D are typed. `text` ends
/// with a newline.
inline TypedResult run_typed(const std::vector<std::string>& command, const std::string& text) {
  const TemporaryDirectory folder;
  const std::string errors = folder / "errors";
  const int terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (terminal < 0 || grantpt(terminal) != 0 || unlockpt(terminal) != 0) {
    throw std::runtime_error("cannot open a terminal");
  }
  const std::string typed = text + "\x04";
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, ptsname(terminal), O_RDWR | O_NOCTTY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 2, errors.c_str(), O_WRONLY | O_CREAT, 0600);
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t child = 0;
  const bool started = write(terminal, typed.data(), typed.size()) > 0 &&
                       posix_spawn(&child, arguments[0], &actions, nullptr, arguments.data(), environ) == 0;
  posix_spawn_file_actions_destroy(&actions);
  int status = -1;
  if (started) waitpid(child, &status, 0);
  close(terminal);
  if (!started) throw std::runtime_error("cannot run " + command.at(0));
  return {read_file(errors), WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status)};
}

}  // namespace gloss
