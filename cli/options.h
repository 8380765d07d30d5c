#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/fields.h"

namespace gloss {

/// The options of one command: made from fields, read from the command line, then from `--config FILE`, then
/// left at their defaults. The only place that knows Boost.Program_options.
///
/// Every command has --help, --config and --quiet. Fields named `some_name` become `--some-name`. A yes-or-no
/// field is given as `--name`, or as `--name=false` where its default is true.
class Options {
 public:
  /// `name` as typed after `gloss`; `usage` the rest of the usage line, such as "-m DIR [OPTION...] < TEXT".
  Options(std::string name, std::string usage, std::string summary);

  /// Whether the help tells what an option is if it is not given: the field's value, or a thing that is only
  /// known later.
  enum class Defaults { told, untold };
  /// Adds options under a heading; the fields' targets must outlive this object.
  void add(const std::string& heading, Fields fields, Defaults = Defaults::told);
  /// Words that are not options go into `words`.
  void positional(const std::string& name, std::vector<std::string>& words);
  /// A further spelling, such as "-tok" for "--tokenize". Taken literally, only as a whole word.
  void alias(const std::string& spelling, const std::string& option);
  /// Text after the list of options in the help.
  void epilogue(std::string text) { epilogue_ = std::move(text); }

  /// Sets the fields. False if help was asked for and printed. Throws UsageError.
  bool parse(std::span<const std::string> arguments);
  /// The same, but passes over options that it has not, and over help: for what decides which options there
  /// are.
  void look(std::span<const std::string> arguments);
  /// True if the option was on the command line or in the settings file.
  bool given(std::string_view field_name) const { return given_.contains(std::string(field_name)); }
  bool quiet() const { return quiet_; }

  /// The help, at most 80 columns wide.
  std::string help() const;
  /// "gloss NAME: try 'gloss NAME --help'" advice for messages.
  const std::string& name() const { return name_; }

 private:
  struct Group {
    std::string heading;
    Fields fields;
    Defaults defaults;
  };
  void read(std::span<const std::string> arguments, bool with_unknown);

  std::string name_, usage_, summary_, epilogue_, config_;
  std::vector<Group> groups_;
  std::vector<std::string>* words_ = nullptr;
  std::string words_name_;
  std::map<std::string, std::string> aliases_;
  std::set<std::string> given_;
  bool quiet_ = false;
  bool help_ = false;
};

}  // namespace gloss
