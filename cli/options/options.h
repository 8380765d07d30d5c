// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <initializer_list>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/fields.h"
#include "cli/options/option_parser.h"
#include "cli/table/command_description.h"
#include "cli/table/commands.h"

namespace gloss {

/// The help of options that name a model to use.
inline constexpr const char* kModelHelp =
    "model directory, training directory for its best model, or model of another program";

/// A command with its options: the command declares them as fields; they are read from the command line, then
/// from `--config FILE`, then left at their defaults; then the command runs.
///
/// Every command has --help, --config and --quiet. Fields named `some_name` become `--some-name`. A yes-or-no
/// field is given as `--some-name`, and switched off as `--no-some-name`.
class Options {
 public:
  /// Has the command declare its options. `words` follow its name on the command line.
  Options(const Command&, std::span<const std::string> words);
  Options(const Options&) = delete;
  Options& operator=(const Options&) = delete;

  // For declaring.
  /// Sets the rest of the usage line, such as "-m DIR [OPTION...] < TEXT", and what the command does.
  void usage(std::string usage, std::string summary);
  /// Whether the help shows the value that a field has without the option, or a model decides it.
  enum class Defaults { shown, hidden };
  /// Adds options under a heading; the fields' targets must outlive this object.
  void add(const std::string& heading, Fields fields, Defaults = Defaults::shown);
  /// Words that are not options go into `words`.
  void positional(const std::string& name, std::vector<std::string>& words);
  /// A further spelling, such as "-tok" for "--tokenize" or "--json" for "--format=json". Taken literally, as
  /// a whole word or before "=". Settings files may have those of "--NAME" for options without a value.
  void alias(const std::string& spelling, const std::string& option);
  /// Members whose options most people need: the short help shows these. Each must have an option when the
  /// command line is parsed.
  void common(std::initializer_list<const void*> members);
  /// Marks the options of these fields as chosen from the training text unless they are given.
  void planned(const Fields& fields);
  /// Adds a command line to the examples: `purpose` in one line, and the line.
  void example(std::string purpose, std::string command);
  /// Text after the list of options in the help.
  void epilogue(std::string text) { epilogue_ = std::move(text); }

  /// Sets these fields only and ignores all other words: for options that decide which options there are.
  void look(const Fields&) const;

  // For a command that is declared.
  /// Sets the fields. If help is asked for, returns it instead, whatever else is given. Throws UsageError.
  std::optional<HelpRequest> parse();
  /// Runs the command; the options must have been parsed. Returns the exit status.
  int run() const { return work_(); }
  /// What help, man pages and completion present; the defaults are the present values of the fields.
  CommandDescription description() const;

  // For a command that runs.
  /// True if the option that sets this member was on the command line or in the settings file. There must be
  /// such an option.
  template <class Member>
  bool given(const Member& member) const {
    static_assert(!std::is_array_v<Member>, "options are asked for by the member that they set");
    option_of(&member);
    return given_.contains(&member);
  }
  /// True if that option was on the command line.
  template <class Member>
  bool typed(const Member& member) const {
    return given(member) && !from_file_.contains(&member);
  }
  /// The same as given(member) for any member, by its address; false if no option sets it.
  Given given() const {
    return [this](const void* member) { return given_.contains(member); };
  }
  /// The field of the option that sets this member; there must be one.
  const Field& option_of(const void* member) const;
  bool quiet() const { return quiet_; }
  /// The values of all options that may decide what the command writes: not those of fields that are free on
  /// resume, and not the names of models and outputs. A file is represented by its checksum.
  nlohmann::json deciding_values() const;
  /// If standard input is read from a terminal, a note says that `what` is read there; by default "text".
  void announce_typed(const std::string& what) const;

  /// As typed after `gloss`.
  const std::string& name() const { return name_; }

 private:
  struct Group {
    std::string heading;
    Fields fields;
    Defaults defaults;
  };
  Options(std::string name, std::span<const std::string> words);
  std::vector<const Field*> fields() const;
  void read(UnknownOptions);
  void take(const std::vector<GivenOption>& options);
  void expect_arguments();
  void expect_other_outputs() const;

  std::string name_, usage_, summary_, epilogue_, config_, log_json_;
  std::vector<Group> groups_;
  std::vector<Example> examples_;
  std::set<const void*> common_;
  std::vector<std::string> command_line_;
  std::vector<std::string>* words_ = nullptr;
  std::string words_name_;
  OptionParser::Aliases aliases_;
  std::set<const void*> given_;         // the members that were set
  std::set<const void*> from_file_;     // those of them that the settings file has set
  std::vector<std::string> arguments_;  // those that are not options
  bool quiet_ = false;
  bool help_ = false;
  Work work_;
};

}  // namespace gloss
