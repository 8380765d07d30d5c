// SPDX-License-Identifier: Apache-2.0

#include "tokenizer/wire.h"

#include <bit>

#include "base/error.h"
#include "base/index.h"

namespace gloss {
namespace {

void append_raw_varint(std::string& message, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) message += static_cast<char>(value | 0x80);
  message += static_cast<char>(value);
}

template <class Bits>
void append_little_endian(std::string& message, Bits bits) {
  for (std::size_t i = 0; i < sizeof bits; ++i) message += static_cast<char>(bits >> 8 * i & 0xFF);
}

void append_tag(std::string& message, std::uint32_t field, WireReader::Kind kind) {
  append_raw_varint(message, static_cast<std::uint64_t>(field) << 3 | static_cast<std::uint64_t>(kind));
}

}  // namespace

std::uint64_t WireReader::read_varint() {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    if (rest_.empty()) throw InputError(concat(where_, " ends within a number; the file is truncated"));
    const auto byte = static_cast<unsigned char>(rest_[0]);
    rest_.remove_prefix(1);
    value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
    if (byte < 0x80) return value;
  }
  throw InputError(concat(where_, " has a number of more than 64 bits; the file is damaged"));
}

bool WireReader::next() {
  if (rest_.empty()) return false;
  const std::uint64_t tag = read_varint();
  const std::uint64_t number = tag >> 3;
  if (number == 0 || number >= (1U << 29)) {
    throw InputError(concat(where_, " has the invalid field number ", number, "; the file is damaged"));
  }
  field_ = static_cast<std::uint32_t>(number);
  kind_ = static_cast<Kind>(tag & 7);
  std::uint64_t size = 0;
  switch (kind_) {
    case Kind::varint:
      varint_ = read_varint();
      break;
    case Kind::fixed64:
      size = 8;
      break;
    case Kind::fixed32:
      size = 4;
      break;
    case Kind::bytes:
      size = read_varint();
      break;
    default:
      throw InputError(concat(where_, ": field ", number, " has the unknown wire type ", tag & 7,
                              "; the file is damaged"));
  }
  if (size > rest_.size()) {
    throw InputError(concat(where_, ": field ", number, " has ", size, " bytes, but only ", rest_.size(),
                            " are left; the file is truncated or damaged"));
  }
  bytes_ = rest_.substr(0, size);
  rest_.remove_prefix(size);
  return true;
}

void WireReader::expect_kind(Kind kind, std::string_view name) const {
  if (kind_ != kind) {
    throw InputError(concat(where_, ": the field ", name, " has the wire type ", static_cast<int>(kind_),
                            "; expected ", static_cast<int>(kind), "; the file is damaged"));
  }
}

std::uint64_t WireReader::varint(std::string_view name) const {
  expect_kind(Kind::varint, name);
  return varint_;
}

std::string_view WireReader::bytes(std::string_view name) const {
  expect_kind(Kind::bytes, name);
  return bytes_;
}

float WireReader::number(std::string_view name) const {
  expect_kind(Kind::fixed32, name);
  std::uint32_t bits = 0;
  for (int i = 3; i >= 0; --i) bits = bits << 8 | static_cast<unsigned char>(bytes_[index(i)]);
  return std::bit_cast<float>(bits);
}

void append_varint(std::string& message, std::uint32_t field, std::uint64_t value) {
  append_tag(message, field, WireReader::Kind::varint);
  append_raw_varint(message, value);
}

void append_bytes(std::string& message, std::uint32_t field, std::string_view bytes) {
  append_tag(message, field, WireReader::Kind::bytes);
  append_raw_varint(message, bytes.size());
  message += bytes;
}

void append_number(std::string& message, std::uint32_t field, float value) {
  append_tag(message, field, WireReader::Kind::fixed32);
  append_little_endian(message, std::bit_cast<std::uint32_t>(value));
}

void append_double(std::string& message, std::uint32_t field, double value) {
  append_tag(message, field, WireReader::Kind::fixed64);
  append_little_endian(message, std::bit_cast<std::uint64_t>(value));
}

}  // namespace gloss
