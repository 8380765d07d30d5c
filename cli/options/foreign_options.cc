// SPDX-License-Identifier: Apache-2.0

#include "cli/options/foreign_options.h"

#include <algorithm>

#include "base/enumeration.h"
#include "base/fields.h"
#include "base/text.h"
#include "cli/options/foreign_option_table.h"

namespace gloss {
namespace {

bool contains_word(std::string_view words, std::string_view wanted) {
  const std::vector<std::string> all = split(words, ' ');
  return std::ranges::find(all, wanted) != all.end();
}

/// An answer that was found, and the programs that have the option.
struct Found {
  const ForeignOption* row = nullptr;
  std::vector<std::string> programs;
};

/// What `row` answers to `option`, if it does.
Found found_in(const ForeignOption& row, std::string_view option) {
  Found found;
  std::string program;
  for (const std::string& word : split(row.spellings, ' ')) {
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
  for (const std::span<const ForeignOption> table : {foreign_training_options(), foreign_use_options()}) {
    for (const ForeignOption& row : table) {
      if (!contains_word(row.commands, command)) continue;
      const Found found = found_in(row, option);
      if (contains_word(row.spellings, option)) return found;
      if (variant.row == nullptr) variant = found;
    }
  }
  return variant;
}

}  // namespace

std::string answer_to_foreign_option(std::string_view command, std::string_view option) {
  Found found = find(command, option);
  const bool one_hyphen = option.size() > 2 && option[0] == '-' && option[1] != '-';
  if (found.row == nullptr && one_hyphen) found = find(command, concat('-', option));
  if (found.row == nullptr) return "";
  if (found.programs.empty()) return std::string(found.row->answer);
  return concat("it is an option of ", enumeration(found.programs), "; ", found.row->answer);
}

std::map<std::string, std::string> answers_to_common_options(std::string_view command) {
  std::map<std::string, std::string> found;
  for (const std::span<const ForeignOption> table : {foreign_training_options(), foreign_use_options()}) {
    for (const ForeignOption& row : table) {
      if (!contains_word(row.commands, command)) continue;
      for (const std::string& word : split(row.spellings, ' ')) {
        if (!word.starts_with('-')) break;
        found.emplace(word, row.answer);
      }
    }
  }
  return found;
}

}  // namespace gloss
