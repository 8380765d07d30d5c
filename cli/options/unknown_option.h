// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

namespace gloss {

/// The options of a command.
struct KnownOptions {
  std::vector<std::string> spellings;  ///< with hyphens, such as "--quiet" and "-lc"
  std::vector<std::string> switches;   ///< names without hyphens, of those that take no value
};

/// The message about an option that `gloss COMMAND` does not have: what to use instead, if it is an option of
/// another program, of another command, or mistyped. `typed` has its hyphens and may have a value
/// ("--beam=4"); `known` are the options that the command has.
std::string unknown_option(const std::string& command, const std::string& typed, const KnownOptions& known);
/// The same for a line of a settings file, whose names have no hyphens before them.
std::string unknown_setting(const std::string& command, const std::string& name, const KnownOptions& known);

}  // namespace gloss
