// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

namespace gloss {

/// What a shell may offer as the value of an option.
enum class ValueKind { none, text, choice, file, directory, model };

/// One option as help, man pages and completion present it.
struct OptionDescription {
  std::string name;          ///< without hyphens, such as "beam-size"
  char letter = 0;           ///< short option, or 0
  std::string value;         ///< name of the value, such as "FILE..."; empty for a switch
  std::string help;          ///< without the default
  std::string default_text;  ///< empty: there is none to show
  std::vector<std::string>
      choices;  ///< the names that a shell offers; others are possible unless it is a Choice
  ValueKind kind = ValueKind::text;
  bool list = false;    ///< takes several values
  bool common = false;  ///< part of the short help
  bool on = false;      ///< a switch that is on by default, which --no-NAME switches off
};

/// Options under one heading.
struct OptionGroup {
  std::string heading;
  std::vector<OptionDescription> options;
};

/// A command line worth copying.
struct Example {
  std::string purpose;  ///< what it does, one line
  std::string command;  ///< the line
};

/// One command as help, man pages and completion present it: plain text, independent of the settings that the
/// options set.
struct CommandDescription {
  std::string name;
  std::string usage;    ///< the rest of the usage line, such as "-m DIR [OPTION...] < TEXT"
  std::string summary;  ///< one line
  std::vector<Example> examples;
  std::vector<OptionGroup> groups;
  std::string notes;      ///< paragraphs and lists that follow the options
  std::string arguments;  ///< name of the arguments that are not options, such as "DIR"; empty: it takes none
};

/// The help that the user asks for.
struct HelpRequest {
  CommandDescription command;
  std::string topic;  ///< empty: the short help; "all", or a heading
};

}  // namespace gloss
