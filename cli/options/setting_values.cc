// SPDX-License-Identifier: Apache-2.0

#include "cli/options/setting_values.h"

#include <algorithm>

#include "base/error.h"
#include "base/paths.h"
#include "base/text.h"
#include "cli/options/option_description.h"

namespace gloss {
namespace {

bool in_quotes(const std::string& value) {
  return value.size() > 1 && (value[0] == '"' || value[0] == '\'') && value.back() == value[0];
}

/// The words of a value, without empty ones.
std::vector<std::string> words_of(std::string value) {
  std::ranges::replace(value, '\t', ' ');
  std::vector<std::string> words = split(value, ' ');
  std::erase(words, "");
  return words;
}

}  // namespace

std::string settings_advice(const Field& field, const std::string& value) {
  if (in_quotes(value)) return "; quotes are part of the value: leave them out";
  if (!is_list(field) || words_of(value).size() < 2) return "";
  const std::string name = option_name(field.name);
  return concat("; a line has one value: write '", name, " = ...' once for each");
}

void expect_single_name(const Field& field, const std::string& value, const std::string& label) {
  const ValueKind kind = kind_of(field);
  const bool named = kind == ValueKind::file || kind == ValueKind::directory || kind == ValueKind::model;
  if (!named || path_exists(value)) return;
  const std::string advice = settings_advice(field, value);
  const bool several = !in_quotes(value) && std::ranges::any_of(words_of(value), path_exists);
  if (advice.empty() || !(several || in_quotes(value))) return;
  throw UsageError(concat(label, ": ", value, " does not exist", advice));
}

}  // namespace gloss
