// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "tests/support/run_program.h"
#include "tests/support/started_program.h"
#include "tests/support/temporary_directory.h"

namespace gloss {

/// Runs a program whose standard output is a terminal. Both outputs must fit into the terminal's buffer
/// (4096 bytes). The terminal ends lines with "\r\n".
inline ProgramResult on_terminal(const std::vector<std::string>& command) {
  const TemporaryDirectory folder;
  const int terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (terminal < 0 || grantpt(terminal) != 0 || unlockpt(terminal) != 0) {
    throw std::runtime_error("no pseudo-terminal");
  }
  const int other_end = open(ptsname(terminal), O_RDWR | O_NOCTTY | O_CLOEXEC);
  ProgramResult result;
  StartedProgram program(command, folder / "errors", ptsname(terminal));
  result.status = program.wait();
  result.errors = folder.read("errors");
  fcntl(terminal, F_SETFL, O_NONBLOCK);
  std::string buffer(4096, ' ');
  for (ssize_t count; (count = read(terminal, buffer.data(), buffer.size())) > 0;) {
    result.output.append(buffer, 0, static_cast<std::size_t>(count));
  }
  close(other_end);
  close(terminal);
  return result;
}

}  // namespace gloss
