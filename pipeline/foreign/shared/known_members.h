// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "pipeline/foreign/shared/foreign_config.h"

namespace gloss {

/// What is known about the members of a file besides those that an importer reads.
struct KnownMembers {
  using Values = std::vector<nlohmann::json>;

  std::set<std::string> harmless;  ///< they change no result
  std::map<std::string, Values>
      noted;  ///< other values than these are noted: they change what a search finds
  std::map<std::string, Values> fixed;  ///< other values than these are refused
};

/// Notes on the members that nobody has read (ForeignConfig::unread), known and unknown ones: unknown members
/// that are off (false, 0, empty) are left out. Throws InputError for a member that must have another value.
std::vector<std::string> check_members(const ForeignConfig&, const KnownMembers&);

}  // namespace gloss
