// SPDX-License-Identifier: Apache-2.0

#include "cli/options/named_settings.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/fields.h"

namespace gloss {
namespace {

/// The names of a command's options, without hyphens before them.
std::set<std::string> names_of_options(const Options& options) {
  std::set<std::string> names;
  for (const OptionGroup& group : options.description().groups) {
    for (const OptionDescription& option : group.options) names.insert(option.name);
  }
  return names;
}

/// True if a word of a message, found between such characters, may name a setting: others are parts of paths
/// or values.
bool is_plain(char before, char after) {
  constexpr std::string_view kBefore = " (", kAfter = " ,;:)";
  return kBefore.find(before) != std::string_view::npos && kAfter.find(after) != std::string_view::npos;
}

std::string with_options(const std::string& message, const std::set<std::string>& names) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz_0123456789";
  std::string named;
  for (std::size_t begin = 0; begin < message.size();) {
    const std::size_t end = std::min(message.find_first_not_of(kLetters, begin), message.size());
    const std::string word = message.substr(begin, end - begin), option = option_name(word);
    const char before = begin == 0 ? ' ' : message[begin - 1],
               after = end == message.size() ? ' ' : message[end];
    const bool setting =
        word.find('_') != std::string::npos && is_plain(before, after) && names.contains(option);
    named += setting ? "--" + option : word;
    if (end < message.size()) named += message[end];
    begin = end + 1;
  }
  return named;
}

}  // namespace

void naming_options(const Options& options, const std::function<void()>& work) {
  try {
    work();
  } catch (const UsageError& error) {
    throw UsageError(with_options(error.what(), names_of_options(options)));
  }
}

}  // namespace gloss
