#include "cli/options.h"

#include <algorithm>
#include <boost/program_options.hpp>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "base/error.h"

namespace gloss {
namespace {

namespace po = boost::program_options;

bool is_flag(const Field& field) { return std::holds_alternative<bool*>(field.target); }
bool is_list(const Field& field) { return std::holds_alternative<std::vector<std::string>*>(field.target); }

std::string placeholder(const Field& field) {
  if (std::holds_alternative<int*>(field.target) || std::holds_alternative<std::int64_t*>(field.target))
    return "N";
  if (std::holds_alternative<double*>(field.target)) return "X";
  if (const auto* choice = std::get_if<Choice>(&field.target)) {
    const std::string names = join(choice->names, "|");
    return names.size() <= 24 ? names : "NAME";
  }
  return is_list(field) ? "TEXT..." : "TEXT";
}

/// The meaning, and for long choices the names, and the default if it is told.
std::string description(const Field& field, Options::Defaults defaults) {
  std::string text = field.help;
  if (const auto* choice = std::get_if<Choice>(&field.target)) {
    if (join(choice->names, "|").size() > 24) text += ": " + join(choice->names, ", ");
  }
  const std::string value = defaults == Options::Defaults::told ? field_text(field) : "";
  if (!value.empty() && !(is_flag(field) && value == "false")) text += " (default " + value + ")";
  return text;
}

po::options_description describe(const std::string& heading, const Fields& fields,
                                 Options::Defaults defaults) {
  constexpr unsigned kColumns = 80;
  po::options_description group(heading, kColumns, kColumns / 2);
  for (const Field& field : fields) {
    std::string spelling = option_name(field.name);
    if (field.letter != 0) spelling += concat(",", field.letter);
    po::typed_value<std::vector<std::string>>* value = po::value<std::vector<std::string>>();
    if (is_list(field)) value->multitoken();
    if (is_flag(field)) value->implicit_value({"true"}, "");
    value->value_name(is_flag(field) ? " " : placeholder(field))->composing();
    group.add_options()(spelling.c_str(), value, description(field, defaults).c_str());
  }
  return group;
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

bool Options::parse(std::span<const std::string> arguments) {
  // Added last, so that they stand at the end of the help.
  add("General", {{"config", &config_, "settings file: lines 'name = value', names as the options"},
                  {"quiet", &quiet_, "no notes and no progress on standard error", {}, 'q'},
                  {"help", &help_, "this text", {}, 'h'}});
  const std::string text_of_help = help();  // the fields still hold their defaults
  read(arguments, /*with_unknown=*/false);
  if (help_) std::cout << text_of_help << std::flush;
  return !help_;
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
    all.add(describe(group.heading, group.fields, group.defaults));
    for (const Field& field : group.fields) {
      known[option_name(field.name)] = &field;
      spellings.push_back("--" + option_name(field.name));
    }
  }
  po::options_description accepted;
  accepted.add(all);
  constexpr const char* kWords = "words";
  po::positional_options_description positions;
  if (words_ != nullptr) {
    accepted.add_options()(kWords, po::value<std::vector<std::string>>()->composing(), "");
    positions.add(kWords, -1);
  }

  std::vector<std::string> words;
  for (const std::string& argument : arguments) {
    const auto spelling = aliases_.find(argument);
    words.push_back(spelling == aliases_.end() ? argument : spelling->second);
  }
  std::string where;  // the settings file, while it is read
  const auto unknown = [&](const std::string& place, const std::string& name) {
    const std::string option = place.empty() ? name : "--" + name;
    const std::string meant = nearest(option, spellings);
    return UsageError(concat(place, "unknown option '", name, "'",
                             meant.empty() ? "" : concat("; did you mean '", meant, "'?"), " ('gloss ", name_,
                             " --help' lists the options)"));
  };

  const auto take = [&](const po::parsed_options& parsed, bool overwrite, const std::string& place) {
    std::set<std::string> taken;
    for (const po::basic_option<char>& option : parsed.options) {
      if (option.unregistered || option.string_key.empty()) continue;
      if (option.string_key == kWords) {
        words_->insert(words_->end(), option.value.begin(), option.value.end());
        continue;
      }
      const Field& field = *known.at(option.string_key);
      if (!overwrite && given_.contains(field.name)) continue;
      const bool first = taken.insert(field.name).second;
      if (!first && !is_list(field)) {
        throw UsageError(concat(place, "'", option_name(field.name), "' is given more than once"));
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
      std::ifstream file(config_);
      if (!file || std::filesystem::is_directory(config_)) {
        throw UsageError(concat("cannot read the settings file ", config_, ": ",
                                file ? "it is a folder" : system_message()));
      }
      // In the file names may be written with underscores, as in config.json.
      std::stringstream text;
      for (std::string line; std::getline(file, line);) {
        const std::size_t end = std::min(line.find('='), line.size());
        text << option_name(line.substr(0, end)) << line.substr(end) << '\n';
      }
      where = concat(config_, ": ");
      take(po::parse_config_file(text, all, with_unknown), false, where);
    }
  } catch (const po::unknown_option& error) {
    throw unknown(where, error.get_option_name());
  } catch (const po::too_many_positional_options_error&) {
    throw UsageError(
        concat("expected only options, found a further word; 'gloss ", name_, " --help' shows the usage"));
  } catch (const po::error& error) {
    throw UsageError(concat(where, error.what(), "; 'gloss ", name_, " --help' lists the options"));
  }
}

std::string Options::help() const {
  std::ostringstream out;
  out << "gloss " << name_ << ": " << summary_ << "\n\nUsage: gloss " << name_ << " " << usage_ << "\n";
  for (const Group& group : groups_) out << "\n" << describe(group.heading, group.fields, group.defaults);
  if (!epilogue_.empty()) out << "\n" << epilogue_ << "\n";
  return out.str();
}

}  // namespace gloss
