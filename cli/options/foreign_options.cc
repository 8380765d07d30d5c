// SPDX-License-Identifier: Apache-2.0

#include "cli/options/foreign_options.h"

#include <algorithm>
#include <vector>

#include "base/enumeration.h"
#include "base/error.h"
#include "base/fields.h"
#include "base/text.h"
#include "cli/options/foreign_option_table.h"

namespace gloss {
namespace {

using Words = std::vector<std::string>;

/// One answer: for options with any of the spellings in any of the commands. Words without hyphens are
/// programs that have the options that follow; options before the first program are general.
struct ForeignOption {
  Words commands, spellings;
  std::string answer;
};

/// Adds the answers of a table, whose first lines have its format.
void add_answers(std::string_view table, std::vector<ForeignOption>& answers) {
  std::map<std::string, Words> groups;  // of commands
  for (const std::string& line : split(table, '\n')) {
    if (line.empty() || line.starts_with('#')) continue;
    const Words columns = split(line, '\t');
    expects(columns.size() == 2 || columns.size() == 3, "not an answer to a foreign option: ", line);
    if (columns.size() == 2) {
      groups[columns[0]] = split(columns[1], ' ');
      continue;
    }
    const auto group = groups.find(columns[0]);
    answers.push_back(
        {group == groups.end() ? split(columns[0], ' ') : group->second, split(columns[1], ' '), columns[2]});
  }
}

const std::vector<ForeignOption>& foreign_options() {
  static const std::vector<ForeignOption> all = [] {
    std::vector<ForeignOption> answers;
    for (const std::string_view table : foreign_option_tables()) add_answers(table, answers);
    return answers;
  }();
  return all;
}

bool contains_word(const Words& words, std::string_view wanted) {
  return std::ranges::find(words, wanted) != words.end();
}

/// An answer that was found, and the programs that have the option.
struct Found {
  const ForeignOption* row = nullptr;
  Words programs;
};

/// What `row` answers to `option`, if it does.
Found found_in(const ForeignOption& row, std::string_view option) {
  Found found;
  std::string program;
  for (const std::string& word : row.spellings) {
    if (!word.starts_with('-')) {
      program = word;
    } else if (word == option) {
      found.row = &row;
      if (!program.empty()) found.programs.push_back(program);
    } else if (option_name(word) == option_name(std::string(option))) {
      found.row = &row;  // the user's own variant of a name
    }
  }
  return found;
}

/// The answer to this very spelling, or else to a variant of it.
Found find(std::string_view command, std::string_view option) {
  Found variant;
  for (const ForeignOption& row : foreign_options()) {
    if (!contains_word(row.commands, command)) continue;
    const Found found = found_in(row, option);
    if (contains_word(row.spellings, option)) return found;
    if (variant.row == nullptr) variant = found;
  }
  return variant;
}

}  // namespace

std::string answer_to_foreign_option(std::string_view command, std::string_view option) {
  Found found = find(command, option);
  const bool one_hyphen = option.size() > 2 && option[0] == '-' && option[1] != '-';
  if (found.row == nullptr && one_hyphen) found = find(command, concat('-', option));
  if (found.row == nullptr) return "";
  if (found.programs.empty()) return found.row->answer;
  return concat("it is an option of ", enumeration(found.programs), "; ", found.row->answer);
}

std::map<std::string, std::string> answers_to_common_options(std::string_view command) {
  std::map<std::string, std::string> found;
  for (const ForeignOption& row : foreign_options()) {
    if (!contains_word(row.commands, command)) continue;
    for (const std::string& word : row.spellings) {
      if (!word.starts_with('-')) break;
      found.emplace(word, row.answer);
    }
  }
  return found;
}

}  // namespace gloss
