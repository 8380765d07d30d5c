// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace gloss {

/// A member of an object; null if there is none.
const nlohmann::json& json_member(const nlohmann::json& object, const char* name);
/// True if the member `type` is this one.
bool json_has_type(const nlohmann::json& object, const char* type);
/// True if a member has this value or is missing.
bool json_is_or_missing(const nlohmann::json& object, const char* name, const nlohmann::json& value);
/// The steps of a sequence, in its member `list`, or the only one; none for null.
std::vector<nlohmann::json> json_steps_of(const nlohmann::json& object, const char* list);

/// A tokenizer.json taken apart, for the readers of its kinds. Parts that are missing are null.
class TokenizerParts {
 public:
  /// Reads the file.
  explicit TokenizerParts(const std::string& path);

  const std::string& path() const { return path_; }
  const nlohmann::json& part(const char* name) const { return json_member(file_, name); }
  const nlohmann::json& model() const { return part("model"); }
  /// The pieces of the model by their ids.
  std::vector<std::string> pieces() const;
  /// The merges of the model, in order.
  std::vector<std::pair<std::string, std::string>> merges() const;

  /// Throws InputError unless a member of a part has this value or is missing.
  void expect(const nlohmann::json& object, const std::string& part, const char* name,
              const nlohmann::json& value) const;
  /// Throws InputError that names a part, what was found there and what was expected.
  [[noreturn]] void refuse(const std::string& part, const nlohmann::json& found,
                           const std::string& expected) const;

 private:
  std::string path_;
  nlohmann::json file_;
};

}  // namespace gloss
