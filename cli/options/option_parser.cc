// SPDX-License-Identifier: Apache-2.0

#include "cli/options/option_parser.h"

#include <algorithm>
#include <boost/program_options.hpp>
#include <boost/version.hpp>
#include <cctype>
#include <filesystem>
#include <sstream>

#include "base/error.h"
#include "base/shown.h"
#include "cli/options/foreign_options.h"
#include "cli/options/option_description.h"
#include "cli/options/plain_name.h"
#include "cli/options/settings_file.h"

namespace gloss {
namespace {

namespace po = boost::program_options;

constexpr const char* kWords = "words";  // Boost's name for the plain arguments

/// What Boost needs to know of the options.
po::options_description declared(const std::map<std::string, const Field*>& fields) {
  po::options_description all;
  for (const auto& [name, field] : fields) {
    const std::string spelling = field->letter == 0 ? name : concat(name, ",", field->letter);
    po::typed_value<std::vector<std::string>>* value = po::value<std::vector<std::string>>();
    if (is_list(*field)) value->multitoken();
    if (is_flag(*field)) value->implicit_value({"true"}, "");
    value->composing();
    all.add_options()(spelling.c_str(), value, "");
  }
  return all;
}

/// The option as on the command line, without its value.
std::string as_typed(const po::basic_option<char>& option) {
  const std::string token = option.original_tokens.empty() ? "" : option.original_tokens.front();
  if (token.starts_with("--")) return token.substr(0, token.find('='));
  return token.size() >= 2 && token[0] == '-' ? token.substr(0, 2) : "--" + option.string_key;
}

/// Throws UsageError if an option was read as the value of the one before it.
void expect_values(const GivenOption& option, const std::map<std::string, const Field*>& fields) {
  for (const std::string& value : option.values) {
    const std::string name = value.substr(0, value.find('='));
    if (!name.starts_with("--") || !fields.contains(name.substr(2))) continue;
    throw UsageError(concat(option.typed, " needs a value, found the option ", name));
  }
}

/// Boost's `option` as one of these.
GivenOption given(const po::basic_option<char>& option, const std::map<std::string, const Field*>& fields) {
  const bool plain = option.string_key == kWords;
  GivenOption result{plain ? nullptr : fields.at(option.string_key), option.value, as_typed(option)};
  if (!plain && is_flag(*result.field) && result.values.empty()) result.values = {"true"};
  if (!plain) expect_values(result, fields);
  return result;
}

/// True for a number, perhaps a mistyped one; false for the name of a file after numbers.
bool looks_like_number(const std::string& word) {
  double number = 0;
  if (parse_number(word, number)) return true;
  const std::size_t digit = word.find_first_not_of("+-.");
  std::error_code error;
  return digit != std::string::npos && std::isdigit(static_cast<unsigned char>(word[digit])) != 0 &&
         !std::filesystem::exists(word, error);
}

/// Makes the words after the numbers of a list plain arguments.
void end_number_lists(std::vector<GivenOption>& options) {
  for (std::size_t i = 0; i < options.size(); ++i) {
    std::vector<std::string>& values = options[i].values;
    if (options[i].field == nullptr || !is_number_list(*options[i].field) || values.empty()) continue;
    const auto end = std::find_if_not(values.begin() + 1, values.end(), looks_like_number);
    if (end == values.end()) continue;
    GivenOption plain{nullptr, {end, values.end()}, ""};
    values.erase(end, values.end());
    options.insert(options.begin() + static_cast<std::ptrdiff_t>(i) + 1, std::move(plain));
  }
}

std::vector<GivenOption> known(const po::parsed_options& parsed,
                               const std::map<std::string, const Field*>& fields) {
  std::vector<GivenOption> options;
  for (const po::basic_option<char>& option : parsed.options) {
    if (!option.unregistered && !option.string_key.empty()) options.push_back(given(option, fields));
  }
  return options;
}

/// The whole word of which Boost names only "-v": an unknown option such as "-vs".
std::string whole_word(const std::string& option, std::span<const std::string> words) {
  const bool letter = option.size() == 2 && option[0] == '-' && option[1] != '-';
  const auto word =
      std::ranges::find_if(words, [&](const std::string& one) { return letter && one.starts_with(option); });
  return word == words.end() ? option : *word;
}

/// The meaning of an alias and its value, which is empty or begins with '='. An alias that has a value of its
/// own, such as --format=json for --json, is a switch.
std::string with_value(const std::string& meaning, const std::string& value) {
  const bool is_true = !value.empty() && trimmed(value.substr(1)) == "true";
  return is_true && meaning.find('=') != std::string::npos ? meaning : meaning + value;
}

}  // namespace

OptionParser::OptionParser(std::string command, std::span<const Field* const> fields, const Aliases& aliases)
    : command_(std::move(command)), aliases_(aliases) {
  for (const Field* const field : fields) fields_[option_name(field->name)] = field;
}

/// A switch as `--NAME=VALUE`; other words as they are. Boost would take a plain argument after `--NAME` as
/// its value. `value` is the next word if it is "true" or "false".
std::string OptionParser::as_switch(const std::string& word, const std::string& value) const {
  for (const auto& [name, field] : fields_) {
    if (!is_flag(*field)) continue;
    const bool on = word == "--" + name || (field->letter != 0 && word == concat('-', field->letter));
    if (on) return value.empty() ? concat("--", name, "=true") : word;
    const std::string off = "--no-" + name;
    if (fields_.contains("no-" + name) || !word.starts_with(off)) continue;
    if (word == off && value.empty()) return concat("--", name, "=false");
    if (word == off || word[off.size()] == '=') {
      throw UsageError(concat(off, " takes no value, found ", shown(word == off ? value : word)));
    }
  }
  return word;
}

const Field* OptionParser::with_letter(char letter) const {
  const auto found = std::ranges::find_if(
      fields_, [&](const auto& entry) { return letter != 0 && entry.second->letter == letter; });
  return found == fields_.end() ? nullptr : found->second;
}

/// "-qj2" as "-q" and "-j2": joined switches, and perhaps an option with a value after them; other words as
/// they are.
std::vector<std::string> OptionParser::ungrouped(const std::string& word) const {
  if (word.size() < 3 || word[0] != '-' || word[1] == '-' || is_option(word)) return {word};
  std::vector<std::string> words;
  for (std::size_t i = 1; i < word.size(); ++i) {
    const Field* const field = with_letter(word[i]);
    if (field == nullptr) return {word};
    words.push_back(concat('-', word[i]));
    if (is_flag(*field)) continue;
    const std::string value = word.substr(i + 1);
    if (!value.empty() && std::isalpha(static_cast<unsigned char>(value[0])) != 0) return {word};  // "-bleu"
    words.back() += value;
    break;
  }
  return words;
}

/// The words with aliases and switches as Boost reads them.
std::vector<std::string> OptionParser::in_full(std::span<const std::string> words) const {
  std::vector<std::string> full;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--") {  // plain arguments follow
      full.insert(full.end(), words.begin() + static_cast<std::ptrdiff_t>(i), words.end());
      break;
    }
    const std::size_t end = std::min(words[i].find('='), words[i].size());
    const auto alias = aliases_.find(words[i].substr(0, end));
    const std::string word =
        alias == aliases_.end() ? words[i] : with_value(alias->second, words[i].substr(end));
    const bool valued = i + 1 < words.size() && (words[i + 1] == "true" || words[i + 1] == "false");
    for (const std::string& one : ungrouped(word)) full.push_back(as_switch(one, valued ? words[i + 1] : ""));
  }
  return full;
}

/// All options that a mistyped one may mean.
KnownOptions OptionParser::known_options() const {
  KnownOptions all;
  for (const auto& [name, field] : fields_) {
    all.spellings.push_back("--" + name);
    if (is_switched_on(*field)) all.spellings.push_back("--no-" + name);
    if (is_flag(*field)) all.switches.push_back(name);
  }
  for (const auto& [alias, option] : aliases_) {
    if (option.find('=') == std::string::npos) all.spellings.push_back(alias);
  }
  return all;
}

/// True if `typed` is an option in any spelling, or switches one off.
bool OptionParser::is_option(const std::string& typed) const {
  const std::string name = plain_name(typed);
  if (fields_.contains(name)) return true;
  const auto off = name.starts_with("no-") ? fields_.find(name.substr(3)) : fields_.end();
  return off != fields_.end() && is_flag(*off->second);
}

/// Throws UsageError for an option such as "-model", which would be read as "-m odel".
void OptionParser::expect_two_hyphens(std::span<const std::string> words) const {
  for (const std::string& word : words) {
    if (word == "--") return;
    if (word.size() < 3 || word[0] != '-' || word[1] == '-') continue;
    const std::string option = word.substr(0, word.find('='));
    const Field* const first = with_letter(word[1]);
    const bool no_group = first != nullptr && is_flag(*first);  // such as "-qx"
    if (no_group || is_option(option) || !answer_to_foreign_option(command_, option).empty()) {
      throw UsageError(unknown_option(command_, option, known_options()));
    }
  }
}

/// The message about an option without its value.
std::string OptionParser::needs_value(const std::string& typed) const {
  const auto found = fields_.find(plain_name(typed));
  const Field* const field = typed.size() == 2        ? with_letter(typed[1])
                             : found == fields_.end() ? nullptr
                                                      : found->second;
  const Choice* const choice = field == nullptr ? nullptr : std::get_if<Choice>(&field->target);
  return concat(typed, " needs a value", choice == nullptr ? "" : ": one of " + join(choice->names, ", "));
}

std::vector<GivenOption> OptionParser::command_line(std::span<const std::string> words,
                                                    UnknownOptions unknown) const {
  const std::string help = concat("; 'gloss ", command_, " --help all' lists the options");
  po::options_description accepted = declared(fields_);
  accepted.add_options()(kWords, po::value<std::vector<std::string>>()->composing(), "");
  po::positional_options_description positions;
  positions.add(kWords, -1);
  const std::vector<std::string> full = in_full(words);
  if (unknown == UnknownOptions::refused) expect_two_hyphens(full);
  try {
    po::command_line_parser parser(full);
    parser.options(accepted).style(po::command_line_style::unix_style &
                                   ~po::command_line_style::allow_guessing);
    if (unknown == UnknownOptions::ignored) {
      parser.allow_unregistered();
    } else {
      parser.positional(positions);
    }
    std::vector<GivenOption> options = known(parser.run(), fields_);
    end_number_lists(options);
    return options;
  } catch (const po::unknown_option& error) {
    throw UsageError(unknown_option(command_, whole_word(error.get_option_name(), full), known_options()));
  } catch (const po::invalid_command_line_syntax& error) {
    const bool no_value = error.kind() == po::invalid_syntax::missing_parameter ||
                          error.kind() == po::invalid_syntax::empty_adjacent_parameter;
    throw UsageError(concat(no_value ? needs_value(error.get_option_name()) : error.what(), help));
  } catch (const po::error& error) {
    throw UsageError(error.what() + help);
  }
}

std::vector<GivenOption> OptionParser::settings_file(const std::string& path, UnknownOptions unknown) const {
  std::vector<GivenOption> options;
  int number = 0;
  for (const std::string& line : read_settings_file(path)) {
    const std::string place = concat(path, ":", ++number, ": ");
    for (GivenOption& option : setting(line, place, unknown)) options.push_back(std::move(option));
  }
  return options;
}

/// The line with the name of an option for its alias.
std::string OptionParser::setting_in_full(const std::string& line) const {
  const std::size_t end = std::min(line.find('='), line.size());
  const auto alias = aliases_.find("--" + std::string(trimmed(line.substr(0, end))));
  if (alias == aliases_.end()) return line;
  const std::string full = with_value(alias->second, line.substr(end));
  const std::size_t name_end = full.find('=');
  return plain_name(full.substr(0, name_end)) + full.substr(std::min(name_end, full.size()));
}

/// The option of one line, if it has one.
std::vector<GivenOption> OptionParser::setting(const std::string& line, const std::string& place,
                                               UnknownOptions unknown) const {
  std::istringstream text(setting_in_full(line));
  const po::options_description accepted = declared(fields_);
  try {
    std::vector<GivenOption> options =
        known(po::parse_config_file(text, accepted, unknown == UnknownOptions::ignored), fields_);
    for (GivenOption& option : options) option.place = place;
    return options;
  } catch (const po::unknown_option& error) {
    throw UsageError(place + unknown_setting(command_, error.get_option_name(), known_options()));
  } catch (const po::invalid_config_file_syntax& error) {
    throw UsageError(concat(place, "found ", shown(error.tokens()), ", expected 'name = value'"));
  } catch (const po::error& error) {
    throw UsageError(concat(place, error.what(), "; 'gloss ", command_, " --help all' lists the options"));
  }
}

std::string option_parser_version() {
  std::string version = BOOST_LIB_VERSION;
  std::replace(version.begin(), version.end(), '_', '.');
  return version;
}

}  // namespace gloss
