// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gloss {

/// Iterates over the fields of a message in protobuf's wire format and checks all lengths.
class WireReader {
 public:
  /// Wire types.
  enum class Kind { varint = 0, fixed64 = 1, bytes = 2, fixed32 = 5 };

  /// Errors call the message `where`. The bytes must outlive the reader.
  WireReader(std::string_view message, std::string where) : rest_(message), where_(std::move(where)) {}

  /// Moves to the next field; false at the end. Throws InputError if the bytes are not a valid field.
  bool next();
  /// The number of the current field.
  std::uint32_t field() const { return field_; }

  /// The value of the current field; throws InputError, which calls the field `name`, for other wire types.
  std::uint64_t varint(std::string_view name) const;
  std::string_view bytes(std::string_view name) const;
  float number(std::string_view name) const;

 private:
  std::uint64_t read_varint();
  void expect_kind(Kind kind, std::string_view name) const;

  std::string_view rest_;
  std::string where_;
  std::uint32_t field_ = 0;
  Kind kind_ = Kind::varint;
  std::uint64_t varint_ = 0;
  std::string_view bytes_;
};

/// Append one field to a message.
void append_varint(std::string& message, std::uint32_t field, std::uint64_t value);
void append_bytes(std::string& message, std::uint32_t field, std::string_view bytes);
void append_number(std::string& message, std::uint32_t field, float value);
void append_double(std::string& message, std::uint32_t field, double value);

}  // namespace gloss
