// SPDX-License-Identifier: Apache-2.0

#include "cli/options/options.h"

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/checksum.h"
#include "base/error.h"
#include "base/files.h"
#include "base/letter_case.h"
#include "base/terminal_text.h"
#include "base/typed_input.h"
#include "cli/options/misplaced_arguments.h"
#include "cli/options/offered_names.h"
#include "cli/options/option_description.h"
#include "cli/options/option_values.h"
#include "cli/options/output_conflicts.h"
#include "cli/options/setting_values.h"
#include "cli/process/event_log.h"

namespace gloss {
namespace {

/// The heading of the options that all commands have.
constexpr const char* kGeneral = "General";

/// The texts of a field of one or several texts, without empty ones.
std::vector<std::string> texts_of(const Field& field) {
  std::vector<std::string> texts;
  if (const auto* list = std::get_if<std::vector<std::string>*>(&field.target)) texts = **list;
  if (const auto* text = std::get_if<std::string*>(&field.target)) texts = {**text};
  std::erase(texts, "");
  return texts;
}

/// The topic of a request for help: the words after `--help` up to the next option. Nothing if help is not
/// asked for.
std::optional<std::string> help_topic(std::span<const std::string> arguments) {
  for (std::size_t i = 0; i < arguments.size() && arguments[i] != "--"; ++i) {
    if (arguments[i].starts_with("--help=")) return arguments[i].substr(arguments[i].find('=') + 1);
    if (arguments[i] != "--help" && arguments[i] != "-h") continue;
    std::vector<std::string> words;
    while (++i < arguments.size() && !arguments[i].starts_with('-')) words.push_back(arguments[i]);
    return join(words, " ");
  }
  return std::nullopt;
}

/// Throws UsageError for an empty name of a file, directory or shard, as an unset variable of a shell gives.
void expect_names(const GivenOption& option) {
  const ValueKind kind = kind_of(*option.field);
  const bool named = kind == ValueKind::file || kind == ValueKind::directory || kind == ValueKind::model ||
                     option.field->value == "I/N";
  if (!named || std::ranges::count(option.values, "") == 0) return;
  throw UsageError(concat(option.typed, ": found an empty value, expected ", option.field->value));
}

/// True for a list of names or numbers, which commas may separate as well.
bool may_have_commas(const Field& field) {
  return is_list(field) &&
         (field.value == "NAME" || field.value == "METRIC" || field.value == "N" || field.value == "X");
}

/// Sets the field to a value, or adds it to a list. Names of metrics may be in capitals, as in "BLEU".
void set_value(const GivenOption& option, const std::string& typed) {
  const Field& field = *option.field;
  if (may_have_commas(field) && typed.find(',') != std::string::npos) {
    for (const std::string& part : split(typed, ',')) set_value(option, part);
    return;
  }
  const std::string value = field.value == "METRIC" ? lower_case(typed) : typed;
  const std::string label = concat(option.place, "--", option_name(field.name));
  if (option.place.empty()) return set_option(field, value, label);
  expect_single_name(field, value, label);
  try {
    set_option(field, value, label);
  } catch (const UsageError& error) {
    throw UsageError(error.what() + settings_advice(field, value));
  }
}

}  // namespace

Options::Options(std::string name, std::span<const std::string> words)
    : name_(std::move(name)), command_line_(words.begin(), words.end()) {}

Options::Options(const Command& command, std::span<const std::string> words)
    : Options(std::string(command.name), words) {
  work_ = command.declare(*this);
  // Added last, so that they are at the end of the help.
  add(kGeneral, {{"config",
                  &config_,
                  "read options from lines 'name = value' of FILE, a line for each value of a list; the "
                  "command line overrides them",
                  {},
                  0,
                  "FILE"},
                 {"log_json",
                  &log_json_,
                  "append start, progress, messages and end of the run to FILE, as lines of JSON",
                  {},
                  0,
                  "FILE",
                  kWritten},
                 {"quiet", &quiet_, "hide progress and notes", {}, 'q'},
                 {"help",
                  &help_,
                  "show this help; 'all': every option; GROUP: those of one group",
                  {},
                  'h',
                  "[all|GROUP]"}});
  std::set<const void*> missing = common_;
  for (Group& group : groups_) {
    for (Field& field : group.fields) {
      if (missing.erase(address_of(field)) > 0) field.traits |= kCommon;
    }
  }
  expects(missing.empty(), "a common option of gloss ", name_, " was not added");
}

void Options::usage(std::string usage, std::string summary) {
  usage_ = std::move(usage);
  summary_ = std::move(summary);
}

void Options::add(const std::string& heading, Fields fields, Defaults defaults) {
  groups_.push_back({heading, std::move(fields), defaults});
}

void Options::positional(const std::string& name, std::vector<std::string>& words) {
  words_name_ = name;
  words_ = &words;
}

void Options::alias(const std::string& spelling, const std::string& option) { aliases_[spelling] = option; }

void Options::common(std::initializer_list<const void*> members) { common_.insert(members); }

void Options::planned(const Fields& fields) {
  for (Group& group : groups_) {
    for (Field& field : group.fields) {
      const auto same = [&](const Field& other) { return address_of(other) == address_of(field); };
      if (std::ranges::any_of(fields, same)) field.traits |= kPlanned;
    }
  }
}

void Options::example(std::string purpose, std::string command) {
  examples_.push_back({std::move(purpose), std::move(command)});
}

std::optional<HelpRequest> Options::parse() {
  if (const auto topic = help_topic(command_line_)) return HelpRequest{description(), *topic};
  CommandDescription command = description();  // the fields still have their defaults
  read(UnknownOptions::refused);
  if (help_) return HelpRequest{std::move(command), ""};
  expect_arguments();
  expect_other_outputs();
  expect_named_file("log-json", log_json_);
  if (!log_json_.empty()) event_log().open(log_json_, name_);
  announce_typed("text");
  return std::nullopt;
}

void Options::announce_typed(const std::string& what) const {
  if (quiet_) return;
  const bool named = std::ranges::any_of(fields(), [](const Field* field) { return field->name == "input"; });
  const std::string note = concat("gloss ", name_, ": reading ", what, " from this terminal; Ctrl-D ends it",
                                  named ? ", and --input FILE (-i) reads a file instead" : "");
  before_typed_input([note] { std::cerr << terminal_text(note) << std::endl; });
}

void Options::expect_other_outputs() const {
  std::vector<NamedFile> read_files, written_files;
  for (const Group& group : groups_) {
    for (const Field& field : group.fields) {
      // An option for models also collects the files after it.
      const ValueKind kind = kind_of(field);
      const bool read = kind == ValueKind::file || kind == ValueKind::model || kind == ValueKind::directory;
      if (!field.has(kWritten) && !read) continue;
      for (const std::string& path : texts_of(field)) {
        (field.has(kWritten) ? written_files : read_files).push_back({"--" + option_name(field.name), path});
      }
    }
  }
  for (const std::string& path : words_ == nullptr ? std::vector<std::string>() : *words_) {
    read_files.push_back({words_name_, path});
  }
  expect_no_conflict(read_files, written_files);
}

void Options::look(const Fields& fields) const {
  Options deciding(name_, command_line_);
  deciding.add("", fields);
  deciding.add(kGeneral, {{"config", &deciding.config_, ""}});
  deciding.read(UnknownOptions::ignored);
}

nlohmann::json Options::deciding_values() const {
  constexpr unsigned kOthers = kFreeOnResume | kWritten | kModelDirectory | kAllProcessors;
  nlohmann::json values = nlohmann::json::object();
  for (const Group& group : groups_) {
    if (group.heading == kGeneral) continue;
    for (const Field& field : group.fields) {
      if (field.has(kOthers)) continue;
      const auto* const text = std::get_if<std::string*>(&field.target);
      const bool file = text != nullptr && field.value == "FILE" && !(*text)->empty() && **text != "-";
      values[field.name] = file ? nlohmann::json(checksum(read_file(**text))) : field_to_json(field);
    }
  }
  return values;
}

std::vector<const Field*> Options::fields() const {
  std::vector<const Field*> all;
  for (const Group& group : groups_) {
    for (const Field& field : group.fields) all.push_back(&field);
  }
  return all;
}

void Options::read(UnknownOptions unknown) {
  const std::vector<const Field*> all = fields();
  const OptionParser parser(name_, all, aliases_);
  take(parser.command_line(command_line_, unknown));
  if (!help_ && !config_.empty()) take(parser.settings_file(config_, unknown));
}

/// Sets the fields of options from one source, except those that an earlier source has set.
void Options::take(const std::vector<GivenOption>& options) {
  std::set<const void*> taken;
  for (const GivenOption& option : options) {
    if (option.field == nullptr) {
      arguments_.insert(arguments_.end(), option.values.begin(), option.values.end());
      continue;
    }
    const void* const member = address_of(*option.field);
    if (given_.contains(member)) continue;
    const bool first = taken.insert(member).second;
    if (!option.place.empty()) from_file_.insert(member);
    const std::string name = option_name(option.field->name);
    if (!first && is_flag(*option.field) && option.place.empty() &&
        option.values != std::vector<std::string>{field_text(*option.field)}) {
      throw UsageError(concat("--", name, " and --no-", name, " exclude each other; give one of them"));
    }
    if (!first && !is_list(*option.field)) {
      throw UsageError(
          concat(option.place, option.place.empty() ? option.typed : name, " is given more than once"));
    }
    if (first && is_list(*option.field)) std::get<std::vector<std::string>*>(option.field->target)->clear();
    if (option.place.empty()) expect_names(option);
    for (const std::string& value : option.values) set_value(option, value);
  }
  given_.insert(taken.begin(), taken.end());
}

/// Gives the plain arguments to the command, which must take them.
void Options::expect_arguments() {
  if (std::ranges::count(arguments_, "") > 0) {
    throw UsageError(concat("found an empty argument", words_ == nullptr ? "" : ", expected " + words_name_,
                            " ('gloss ", name_, " --help' shows the usage)"));
  }
  const ReadCommand command{name_, fields(), given()};
  if (words_ != nullptr) {
    const bool of_files = words_name_ == "FILE";
    const std::string problem = of_files ? missing_model_option(command, arguments_) : "";
    if (!problem.empty()) throw UsageError(problem);
    *words_ = arguments_;
    return;
  }
  std::vector<std::string> misplaced = arguments_;
  if (misplaced.empty()) misplaced = files_among_models(command);
  if (!misplaced.empty()) throw UsageError(unexpected_arguments(command, misplaced));
}

const Field& Options::option_of(const void* member) const {
  for (const Group& group : groups_) {
    for (const Field& field : group.fields) {
      if (address_of(field) == member) return field;
    }
  }
  throw BrokenPromise("no option sets the member that was asked for");
}

CommandDescription Options::description() const {
  CommandDescription command{name_, usage_, summary_, examples_, {}, epilogue_, words_name_};
  for (const Group& group : groups_) {
    command.groups.push_back(OptionGroup{group.heading, {}});
    OptionGroup& last = command.groups.back();
    for (const Field& field : group.fields) {
      last.options.push_back(describe(field, group.defaults == Defaults::shown));
      offer_names(name_, field.name, last.options.back());
    }
  }
  return command;
}

}  // namespace gloss
