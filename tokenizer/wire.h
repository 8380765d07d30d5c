#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gloss {

/// Walks the fields of one message in protobuf's wire format without trusting any length.
class WireReader {
 public:
  /// The kinds of value that a field may hold.
  enum class Kind { varint = 0, fixed64 = 1, bytes = 2, fixed32 = 5 };

  /// `where` names the message in errors. The bytes must outlive the reader.
  WireReader(std::string_view message, std::string where) : rest_(message), where_(std::move(where)) {}

  /// Moves to the next field; false at the end. Throws InputError if the bytes are no such field.
  bool next();
  /// The number of the field in its message's definition.
  std::uint32_t field() const { return field_; }

  /// The value as the named kind; throws InputError naming the field as `name` if it is of another kind.
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

/// Adds one field of a message to its end.
void append_varint(std::string& message, std::uint32_t field, std::uint64_t value);
void append_bytes(std::string& message, std::uint32_t field, std::string_view bytes);
void append_number(std::string& message, std::uint32_t field, float value);

}  // namespace gloss
