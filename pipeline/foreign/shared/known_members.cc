// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/shared/known_members.h"

#include <algorithm>

#include "base/error.h"
#include "base/json.h"
#include "base/shown.h"
#include "base/text.h"

namespace gloss {
namespace {

using nlohmann::json;

bool is_off(const json& value) {
  return value == false || value == 0 || value == "" || (value.is_structured() && value.empty());
}

}  // namespace

std::vector<std::string> check_members(const ForeignConfig& config, const KnownMembers& known) {
  std::vector<std::string> notes;
  const auto has = [](const KnownMembers::Values& values, const json& value) {
    return std::ranges::find(values, value) != values.end();
  };
  for (const std::string& name : config.unread()) {
    if (known.harmless.contains(name)) continue;
    const json& value = config.at(name);
    if (const auto fixed = known.fixed.find(name); fixed != known.fixed.end()) {
      std::vector<std::string> expected;
      for (const json& one : fixed->second) expected.push_back(one.dump());
      if (!has(fixed->second, value))
        config.refuse(name, expected.empty() ? "no such member" : join(expected, " or "));
      continue;
    }
    const auto noted = known.noted.find(name);
    if (noted != known.noted.end() ? has(noted->second, value) : is_off(value)) continue;
    notes.push_back(concat(config.path(), ": ", shown(name), " is ", ascii_json_line(value).substr(0, 80),
                           ", which gloss does not follow"));
  }
  return notes;
}

}  // namespace gloss
