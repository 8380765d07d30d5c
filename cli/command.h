#pragma once

#include <span>
#include <string>
#include <string_view>

namespace gloss {

/// One subcommand: `gloss NAME ...`.
struct Command {
  std::string_view name;
  std::string_view group;    ///< heading in the list of commands
  std::string_view summary;  ///< one line for the list of commands and the head of its help
  /// Runs with the words after the name; returns the exit status. Errors are thrown.
  int (*run)(std::span<const std::string> arguments);
};

/// All commands in the order of the list.
std::span<const Command> commands();

/// Runs `gloss` with the words after the program's name; prints errors and returns the exit status.
int run_gloss(std::span<const std::string> arguments);

}  // namespace gloss
