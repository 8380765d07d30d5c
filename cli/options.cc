// SPDX-License-Identifier: Apache-2.0

#include "cli/options.h"

#include <algorithm>
#include <boost/program_options.hpp>
#include <boost/version.hpp>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

#include "base/error.h"
#include "base/files.h"
#include "cli/foreign_options.h"
#include "cli/option_description.h"
#include "cli/output_conflicts.h"
#include "pipeline/data/text_reader.h"

namespace gloss {
namespace {

namespace po = boost::program_options;

/// Spells flags `--name=true`: Boost would take a plain argument after `--name` as its value.
void close_flags(std::vector<std::string>& words, const std::map<std::string, const Field*>& known) {
  for (std::size_t i = 0; i < words.size() && words[i] != "--"; ++i) {
    if (i + 1 < words.size() && (words[i + 1] == "true" || words[i + 1] == "false")) continue;
    for (const auto& [name, field] : known) {
      const bool named =
          words[i] == "--" + name || (field->letter != 0 && words[i] == concat('-', field->letter));
      if (is_flag(*field) && named) words[i] = concat("--", name, "=true");
    }
  }
}

/// The texts of a field of one or several texts, without empty ones.
std::vector<std::string> texts_of(const Field& field) {
  std::vector<std::string> texts;
  if (const auto* list = std::get_if<std::vector<std::string>*>(&field.target)) texts = **list;
  if (const auto* text = std::get_if<std::string*>(&field.target)) texts = {**text};
  std::erase(texts, "");
  return texts;
}

/// The lines of a settings file. Names may be written with underscores, as in config.json.
std::stringstream read_settings_file(const std::string& path) {
  std::stringstream text;
  try {
    TextReader reader(path);
    for (std::string line; reader.next(line);) {
      const std::size_t end = std::min(line.find('='), line.size());
      text << option_name(line.substr(0, end)) << line.substr(end) << '\n';
    }
  } catch (const InputError& error) {
    throw UsageError(concat("--config: ", error.what()));
  }
  return text;
}

/// What Boost needs to know of the options.
po::options_description declared(const Fields& fields) {
  po::options_description group;
  for (const Field& field : fields) {
    std::string spelling = option_name(field.name);
    if (field.letter != 0) spelling += concat(",", field.letter);
    po::typed_value<std::vector<std::string>>* value = po::value<std::vector<std::string>>();
    if (is_list(field)) value->multitoken();
    if (is_flag(field)) value->implicit_value({"true"}, "");
    value->composing();
    group.add_options()(spelling.c_str(), value, "");
  }
  return group;
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

/// The option as on the command line, without its value.
std::string as_typed(const po::basic_option<char>& option) {
  const std::string token = option.original_tokens.empty() ? "" : option.original_tokens.front();
  if (token.starts_with("--")) return token.substr(0, token.find('='));
  return token.size() >= 2 && token[0] == '-' ? token.substr(0, 2) : "--" + option.string_key;
}

/// The option that a plain argument may be meant for: that of the model for a directory, else that of the
/// input.
std::string option_for_argument(const std::map<std::string, const Field*>& known,
                                const std::string& argument) {
  const auto model =
      std::ranges::find_if(known, [](const auto& one) { return one.second->has(kModelDirectory); });
  const bool directory = std::filesystem::is_directory(argument);
  std::string option;
  if (known.contains("input") && !directory) option = "--input";
  if (model != known.end() && (directory || option.empty())) option = "--" + model->first;
  return option.empty() ? "" : concat("; did you mean '", option, " ", argument, "'?");
}

}  // namespace

Options::Options(std::string name, std::string usage, std::string summary)
    : name_(std::move(name)), usage_(std::move(usage)), summary_(std::move(summary)) {}

void Options::add(const std::string& heading, Fields fields, Defaults defaults) {
  groups_.push_back({heading, std::move(fields), defaults});
}

void Options::positional(const std::string& name, std::vector<std::string>& words) {
  words_name_ = name;
  words_ = &words;
}

void Options::alias(const std::string& spelling, const std::string& option) { aliases_[spelling] = option; }

void Options::common(std::initializer_list<const void*> members) { common_.insert(members); }

void Options::example(std::string purpose, std::string command) {
  examples_.push_back({std::move(purpose), std::move(command)});
}

void Options::parse(std::span<const std::string> arguments) {
  // Added last, so that they are at the end of the help.
  add("General", {{"config",
                   &config_,
                   "read options from lines 'name = value' of FILE; the command line overrides them",
                   {},
                   0,
                   "FILE"},
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
  if (const auto topic = help_topic(arguments)) throw HelpRequest{description(), *topic};
  CommandDescription command = description();  // the fields still have their defaults
  read(arguments, /*with_unknown=*/false);
  if (help_) throw HelpRequest{std::move(command), ""};
  expect_other_outputs();
}

void Options::expect_other_outputs() const {
  std::vector<NamedFile> read_files, written_files;
  for (const Group& group : groups_) {
    for (const Field& field : group.fields) {
      // An option for models also collects the files after it.
      if (kind_of(field) != ValueKind::file && kind_of(field) != ValueKind::model) continue;
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

void Options::look(std::span<const std::string> arguments) {
  add("General", {{"config", &config_, ""}});
  read(arguments, /*with_unknown=*/true);
}

void Options::read(std::span<const std::string> arguments, bool with_unknown) {
  std::map<std::string, const Field*> known;
  std::vector<std::string> spellings;
  po::options_description all;
  for (const Group& group : groups_) {
    all.add(declared(group.fields));
    for (const Field& field : group.fields) {
      known[option_name(field.name)] = &field;
      spellings.push_back("--" + option_name(field.name));
    }
  }
  po::options_description accepted;
  accepted.add(all);
  constexpr const char* kWords = "words";
  po::positional_options_description positions;
  accepted.add_options()(kWords, po::value<std::vector<std::string>>()->composing(), "");
  positions.add(kWords, -1);

  std::vector<std::string> words;
  for (const std::string& argument : arguments) {
    const std::size_t end = std::min(argument.find('='), argument.size());
    const auto spelling = aliases_.find(argument.substr(0, end));
    words.push_back(spelling == aliases_.end() ? argument : spelling->second + argument.substr(end));
  }
  close_flags(words, known);
  std::string where;  // the settings file, while it is read
  const auto unknown = [&](const std::string& place, const std::string& word) {
    const std::string name = word.substr(0, word.find('='));
    const std::string option = place.empty() ? name : "--" + name;
    const std::string meant = nearest(option, spellings);
    const std::string answer = answer_to_foreign_option(name_, option);
    if (meant != option_name(option) && !answer.empty()) {
      return UsageError(concat(place, "unknown option '", name, "': ", answer));
    }
    return UsageError(concat(place, "unknown option '", name, "'",
                             meant.empty() ? "" : concat("; did you mean '", meant, "'?"), " ('gloss ", name_,
                             " --help all' lists the options)"));
  };

  const auto take = [&](const po::parsed_options& parsed, bool overwrite, const std::string& place) {
    std::set<const void*> taken;
    for (const po::basic_option<char>& option : parsed.options) {
      if (option.unregistered || option.string_key.empty()) continue;
      if (option.string_key == kWords) {
        if (words_ == nullptr) {
          throw UsageError(concat("unexpected argument '", option.value.front(), "'",
                                  option_for_argument(known, option.value.front()), " ('gloss ", name_,
                                  " --help' shows the usage)"));
        }
        words_->insert(words_->end(), option.value.begin(), option.value.end());
        continue;
      }
      const Field& field = *known.at(option.string_key);
      if (!overwrite && given_.contains(address_of(field))) continue;
      const bool first = taken.insert(address_of(field)).second;
      if (!first && !is_list(field)) {
        throw UsageError(concat(place, place.empty() ? as_typed(option) : option_name(field.name),
                                " is given more than once"));
      }
      if (first && is_list(field)) std::get<std::vector<std::string>*>(field.target)->clear();
      const std::string label = concat(place, "--", option_name(field.name));
      if (is_flag(field) && option.value.empty()) set_field(field, "true", label);
      for (const std::string& value : option.value) set_field(field, value, label);
    }
    given_.insert(taken.begin(), taken.end());
  };

  try {
    po::command_line_parser parser(words);
    const auto style = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
    parser.options(accepted).style(style);
    if (with_unknown) {
      parser.allow_unregistered();
    } else {
      parser.positional(positions);
    }
    take(parser.run(), true, "");
    if (help_) return;
    if (!config_.empty()) {
      std::stringstream text = read_settings_file(config_);
      where = concat(config_, ": ");
      take(po::parse_config_file(text, all, with_unknown), false, where);
    }
  } catch (const po::unknown_option& error) {
    throw unknown(where, error.get_option_name());
  } catch (const po::invalid_config_file_syntax& error) {
    throw UsageError(concat(where, "found '", error.tokens(), "', expected 'name = value'"));
  } catch (const po::invalid_command_line_syntax& error) {
    if (error.kind() != po::invalid_syntax::missing_parameter) {
      throw UsageError(concat(error.what(), "; 'gloss ", name_, " --help all' lists the options"));
    }
    throw UsageError(
        concat(error.get_option_name(), " needs a value; 'gloss ", name_, " --help all' lists the options"));
  } catch (const po::error& error) {
    throw UsageError(concat(where, error.what(), "; 'gloss ", name_, " --help all' lists the options"));
  }
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
    for (const Field& field : group.fields)
      last.options.push_back(describe(field, group.defaults == Defaults::shown));
  }
  return command;
}

std::string option_parser_version() {
  std::string version = BOOST_LIB_VERSION;
  std::replace(version.begin(), version.end(), '_', '.');
  return version;
}

}  // namespace gloss
