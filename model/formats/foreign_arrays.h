// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "model/formats/foreign_array.h"

namespace gloss {

/// The arrays of one or several files by name.
class ForeignArrays {
 public:
  explicit ForeignArrays(std::string path) : path_(std::move(path)) {}

  /// Adds an array; throws InputError if the name occurs twice.
  void add(const std::string& name, ForeignArray);
  /// Throws InputError for a name that cannot be that of an array: empty, very long, or with control
  /// characters.
  void expect_name(std::string_view name) const;
  /// The names of the file and an array, for messages.
  std::string where(std::string_view name) const;
  const std::map<std::string, ForeignArray>& all() const { return all_; }
  /// Null if there is none of this name.
  const ForeignArray* find(const std::string& name) const;
  /// Throws InputError if there is none of this name.
  const ForeignArray& at(const std::string& name) const;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::map<std::string, ForeignArray> all_;
};

}  // namespace gloss
