// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/fields.h"
#include "cli/options/unknown_option.h"

namespace gloss {

/// An option as it was given, or plain arguments between options.
struct GivenOption {
  const Field* field = nullptr;  ///< null: plain arguments
  std::vector<std::string> values;
  std::string typed;       ///< as on the command line, without its value, such as "-o"
  std::string place = {};  ///< "FILE:LINE: " of a settings file; empty: the command line
};

/// What happens to unknown options.
enum class UnknownOptions { refused, ignored };

/// Reads the command lines and settings files of one command. The only place that knows
/// Boost.Program_options.
///
/// A switch NAME is given as `--NAME`, switched off as `--no-NAME`, and both as `--NAME=VALUE`. Switches of
/// one letter can be joined with each other and with an option after them: `-qj2` is `-q -j 2`.
///
/// An option with several values takes all words up to the next option; one with several numbers only those
/// that look like numbers.
class OptionParser {
 public:
  /// Further spellings, such as "-tok" for "--tokenize", by what was typed.
  using Aliases = std::map<std::string, std::string>;

  /// `fields` and `aliases` must outlive the parser.
  OptionParser(std::string command, std::span<const Field* const> fields, const Aliases& aliases);

  /// The options and plain arguments in their order. Throws UsageError.
  std::vector<GivenOption> command_line(std::span<const std::string> words, UnknownOptions) const;
  /// The options of lines `name = value`. Throws UsageError, whose message begins with the path and the line.
  std::vector<GivenOption> settings_file(const std::string& path, UnknownOptions) const;

 private:
  std::vector<std::string> in_full(std::span<const std::string> words) const;
  std::vector<std::string> ungrouped(const std::string& word) const;
  const Field* with_letter(char letter) const;
  std::string setting_in_full(const std::string& line) const;
  std::vector<GivenOption> setting(const std::string& line, const std::string& place, UnknownOptions) const;
  std::string as_switch(const std::string& word, const std::string& value) const;
  std::string needs_value(const std::string& typed) const;
  void expect_two_hyphens(std::span<const std::string> words) const;
  bool is_option(const std::string& typed) const;
  KnownOptions known_options() const;

  std::string command_;
  std::map<std::string, const Field*> fields_;  // by the name of the option, without hyphens
  const Aliases& aliases_;
};

/// The version of Boost.Program_options.
std::string option_parser_version();

}  // namespace gloss
