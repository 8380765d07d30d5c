// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/shared/foreign_config.h"

#include "base/error.h"
#include "base/json.h"
#include "base/shown.h"
#include "base/text.h"

namespace gloss {

ForeignConfig::ForeignConfig(std::string path, nlohmann::json value)
    : path_(std::move(path)), value_(std::move(value)) {
  if (!value_.is_object())
    throw InputError(concat(path_, ": expected an object with the settings of a model"));
}

int ForeignConfig::integer(const std::string& name, int otherwise, int least, int most) const {
  return has(name) ? required_integer(name, least, most) : otherwise;
}

int ForeignConfig::required_integer(const std::string& name, int least, int most) const {
  const std::string expected = concat("a whole number from ", least, " to ", most);
  if (!has(name))
    throw InputError(concat(path_, ": the member ", shown(name), " is missing; expected ", expected));
  const nlohmann::json& member = value_.at(name);
  if (!member.is_number_integer() || member < least || member > most) refuse(name, expected);
  return member.get<int>();
}

double ForeignConfig::number(const std::string& name, double otherwise, double least, double most) const {
  if (!has(name)) return otherwise;
  const nlohmann::json& member = value_.at(name);
  // Not a number is in no range.
  if (!member.is_number() || !(member.get<double>() >= least && member.get<double>() <= most)) {
    refuse(name, concat("a number from ", number_text(least), " to ", number_text(most)));
  }
  return member.get<double>();
}

const nlohmann::json& ForeignConfig::at(const std::string& name) const {
  if (!has(name)) refuse(name, "this member");
  return value_.at(name);
}

std::vector<int> ForeignConfig::integers(const std::string& name, int least, int most) const {
  const std::string expected = concat("a list of whole numbers from ", least, " to ", most);
  if (!has(name) || !value_.at(name).is_array()) refuse(name, expected);
  std::vector<int> numbers;
  for (const nlohmann::json& member : value_.at(name)) {
    if (!member.is_number_integer() || member < least || member > most) refuse(name, expected);
    numbers.push_back(member.get<int>());
  }
  return numbers;
}

bool ForeignConfig::flag(const std::string& name, bool otherwise) const {
  if (!has(name)) return otherwise;
  if (!value_.at(name).is_boolean()) refuse(name, "true or false");
  return value_.at(name).get<bool>();
}

std::string ForeignConfig::text(const std::string& name, const std::string& otherwise) const {
  if (!has(name)) return otherwise;
  if (!value_.at(name).is_string()) refuse(name, "text");
  return value_.at(name).get<std::string>();
}

std::vector<std::string> ForeignConfig::names() const {
  std::vector<std::string> all;
  for (const auto& [name, member] : value_.items()) all.push_back(name);
  return all;
}

std::vector<std::string> ForeignConfig::unread() const {
  std::vector<std::string> unread;
  for (const auto& [name, member] : value_.items()) {
    if (!member.is_null() && !asked_->contains(name)) unread.push_back(name);
  }
  return unread;
}

void ForeignConfig::refuse(const std::string& name, const std::string& expected) const {
  const std::string found = has(name) ? ascii_json_line(value_.at(name)).substr(0, 80) : "nothing";
  throw InputError(concat(path_, ": ", shown(name), " is ", found, "; expected ", expected));
}

}  // namespace gloss
