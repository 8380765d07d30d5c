// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <vector>

namespace gloss {

/// What is at a path.
struct Place {
  std::string path;
  std::vector<std::string> names{};  ///< of a directory, in their order

  bool has(const std::string& name) const { return std::ranges::count(names, name) > 0; }
  /// The names with one of these endings.
  std::vector<std::string> ending(const std::vector<std::string>& endings) const {
    std::vector<std::string> found;
    for (const std::string& name : names) {
      const auto ends = [&](const std::string& end) { return name.ends_with(end); };
      if (std::ranges::any_of(endings, ends)) found.push_back(name);
    }
    return found;
  }
};

/// A rule says why a path is no model, or nothing.
using ModelRule = std::string (*)(const Place&);
/// The reason of the first rule that has one.
std::string first_reason(std::span<const ModelRule> rules, const Place&);

/// The first few of several names.
std::string some_of(std::vector<std::string> names);

// Rules for files and for directories.

/// Files that were not downloaded as they are.
std::string not_downloaded_well(const Place&);
/// A checkpoint without dictionaries.
std::string checkpoint_alone(const Place&);
/// Archives and compressed files.
std::string packed(const Place&);
/// Weights in a form that gloss does not read.
std::string unread_form(const Place&);

/// The rules for directories; the last one has a reason for each.
std::span<const ModelRule> rules_of_directories();

}  // namespace gloss
