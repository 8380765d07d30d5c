// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

#include "tests/support/pseudo_terminal.h"
#include "tests/support/run_program.h"
#include "tests/support/started_program.h"
#include "tests/support/temporary_directory.h"

namespace gloss {

/// Runs a program whose standard output is a terminal. Its output must fit into the terminal's buffer (4096
/// bytes).
inline ProgramResult on_terminal(const std::vector<std::string>& command) {
  const TemporaryDirectory folder;
  PseudoTerminal terminal;
  StartedProgram program(command, folder / "errors", terminal.path());
  ProgramResult result;
  result.status = program.wait();
  result.errors = folder.read("errors");
  result.output = terminal.printed();
  return result;
}

/// Runs a program whose standard input is a terminal, into which `text` and Ctrl-D are typed. `text` ends
/// with a newline. The output is not kept.
inline ProgramResult run_typed(const std::vector<std::string>& command, const std::string& text) {
  const TemporaryDirectory folder;
  PseudoTerminal terminal;
  terminal.type(text);
  StartedProgram program(command, folder / "errors", "/dev/null", terminal.path());
  ProgramResult result;
  result.status = program.wait();
  result.errors = folder.read("errors");
  return result;
}

}  // namespace gloss
