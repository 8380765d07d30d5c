// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/formats/stored_numbers.h"

namespace gloss {

/// An array of a file that another program wrote. It does not know what the array means.
class StoredArray {
 public:
  /// Throws InputError with `where`, the names of file and array, unless the source has all the numbers.
  /// After that, memory for them can be allocated without danger: there are no more than the source has.
  StoredArray(const std::string& where, NumberType, std::vector<std::int64_t> shape, StoredNumbers);

  /// The names of the file and the array, for messages.
  const std::string& where() const { return where_; }
  NumberType type() const { return type_; }
  const std::vector<std::int64_t>& shape() const { return shape_; }
  /// The product of the sizes; 1 for a single number, which has no dimensions.
  std::size_t count() const { return count_; }

  /// Reads all numbers in row-major order, widened exactly (f64, i64 and i32: rounded) and divided. Needs
  /// less than 1 MiB besides `all`, which has `count` places.
  void read(std::span<float> all) const;
  /// True if another array has the same numbers; cheap if both are the same part of a file.
  bool same_numbers(const StoredArray& other) const;
  /// The stored bytes of a small array without gaps, such as text; throws InputError if more than `limit`.
  std::string bytes(std::size_t limit) const;

 private:
  void divide(std::span<float> all) const;

  std::string where_;
  NumberType type_;
  std::vector<std::int64_t> shape_;
  StoredNumbers stored_;
  std::size_t count_ = 0;
};

/// "[2, 3]", for messages.
std::string shape_text(const std::vector<std::int64_t>& shape);

/// The arrays of one or several files by name.
class StoredArrays {
 public:
  explicit StoredArrays(std::string path) : path_(std::move(path)) {}

  /// Adds an array; throws InputError if the name occurs twice.
  void add(const std::string& name, StoredArray);
  /// Throws InputError for a name that cannot be that of an array: empty, very long, or with control
  /// characters.
  void expect_name(std::string_view name) const;
  /// The names of the file and an array, for messages.
  std::string where(std::string_view name) const;
  const std::map<std::string, StoredArray>& all() const { return all_; }
  /// Null if there is none of this name.
  const StoredArray* find(const std::string& name) const;
  /// Throws InputError if there is none of this name.
  const StoredArray& at(const std::string& name) const;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::map<std::string, StoredArray> all_;
};

}  // namespace gloss
