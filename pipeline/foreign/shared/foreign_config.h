// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace gloss {

/// The settings of a foreign model: a file with an object. Members of another type are InputErrors that name
/// the file and the member.
class ForeignConfig {
 public:
  /// Throws InputError if the value is not an object.
  ForeignConfig(std::string path, nlohmann::json value);

  /// True if the member is there and not null.
  bool has(const std::string& name) const {
    asked_->insert(name);
    return value_.contains(name) && !value_.at(name).is_null();
  }
  bool is_null(const std::string& name) const { return value_.contains(name) && !has(name); }
  /// A whole number from `least` to `most`; `otherwise` if the member is missing or null.
  int integer(const std::string& name, int otherwise, int least = 0, int most = 1 << 24) const;
  /// The same; throws InputError if the member is missing.
  int required_integer(const std::string& name, int least = 0, int most = 1 << 24) const;
  double number(const std::string& name, double otherwise, double least, double most) const;
  /// The member; throws InputError if it is missing.
  const nlohmann::json& at(const std::string& name) const;
  /// A list of whole numbers; throws InputError if the member is missing.
  std::vector<int> integers(const std::string& name, int least = 0, int most = 1 << 24) const;
  bool flag(const std::string& name, bool otherwise) const;
  std::string text(const std::string& name, const std::string& otherwise) const;
  /// Throws InputError that the value of the member is not supported.
  [[noreturn]] void refuse(const std::string& name, const std::string& expected) const;
  /// The names of all members.
  std::vector<std::string> names() const;
  /// The names of the members that are not null and for which nobody has asked.
  std::vector<std::string> unread() const;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  nlohmann::json value_;
  std::shared_ptr<std::set<std::string>> asked_ = std::make_shared<std::set<std::string>>();
};

}  // namespace gloss
