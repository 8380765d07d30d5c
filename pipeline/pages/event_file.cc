// SPDX-License-Identifier: Apache-2.0
// Event files are TFRecords (length, checksum of the length, bytes, checksum of the bytes; little-endian)
// of the protobuf message Event:
//   double wall_time = 1; int64 step = 2; string file_version = 3; Summary summary = 5;
//   Summary: repeated Value value = 1;  Value: string tag = 1; float simple_value = 2;
#include "pipeline/pages/event_file.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "base/utf8.h"
#include "pipeline/pages/page.h"

namespace gloss {
namespace {

/// Protobuf's wire types.
enum class Wire : std::uint64_t { varint = 0, fixed64 = 1, bytes = 2, fixed32 = 5 };

template <class Number>
std::string little_endian(Number number) {
  std::string bytes;
  for (std::size_t i = 0; i < sizeof(Number); ++i) bytes += static_cast<char>(number >> (8 * i) & 0xFF);
  return bytes;
}

std::string varint(std::uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes += static_cast<char>((value & 0x7F) | 0x80);
  return bytes + static_cast<char>(value);
}

std::string field(std::uint64_t number, Wire wire, const std::string& content) {
  const std::string key = varint(number << 3 | static_cast<std::uint64_t>(wire));
  return wire == Wire::bytes ? key + varint(content.size()) + content : key + content;
}

std::string event_head(double seconds, double update) {
  return field(1, Wire::fixed64, little_endian(std::bit_cast<std::uint64_t>(seconds))) +
         field(2, Wire::varint, varint(static_cast<std::uint64_t>(std::clamp(update, 0.0, 9e18))));
}

/// CRC-32C, rotated and offset as in TFRecords.
std::string masked_crc(std::string_view bytes) {
  return little_endian(std::rotr(crc32c(bytes), 15) + 0xA282EAD8U);
}

std::string record(const std::string& event) {
  const std::string length = little_endian(static_cast<std::uint64_t>(event.size()));
  return length + masked_crc(length) + event + masked_crc(event);
}

std::string event_of(const LogEntry& entry, const std::string& group) {
  std::string summary;
  for (const auto& [name, number] : entry.numbers) {
    const float value = static_cast<float>(number);
    summary += field(1, Wire::bytes,
                     field(1, Wire::bytes, group + valid_utf8(name)) +
                         field(2, Wire::fixed32, little_endian(std::bit_cast<std::uint32_t>(value))));
  }
  const double seconds = entry.at(CurveAxis::time);
  return record(event_head(std::isnan(seconds) ? 0 : seconds, entry.at(CurveAxis::updates)) +
                field(5, Wire::bytes, summary));
}

}  // namespace

std::uint32_t crc32c(std::string_view bytes) {
  static const auto table = [] {
    std::array<std::uint32_t, 256> remainders{};
    for (std::uint32_t i = 0; i < 256; ++i) {
      std::uint32_t value = i;
      for (int bit = 0; bit < 8; ++bit) value = value >> 1 ^ (value & 1 ? 0x82F63B78U : 0);
      remainders[i] = value;
    }
    return remainders;
  }();
  std::uint32_t crc = 0xFFFFFFFFU;
  for (const char byte : bytes) crc = crc >> 8 ^ table[(crc ^ static_cast<unsigned char>(byte)) & 0xFF];
  return ~crc;
}

std::string event_file(const RunLog& run) {
  std::string file = record(event_head(0, 0) + field(3, Wire::bytes, "brain.Event:2"));
  for (const LogEntry& entry : run.reports) {
    if (!std::isnan(entry.at(CurveAxis::updates))) file += event_of(entry, "train/");
  }
  for (const LogEntry& entry : run.validations) {
    if (!std::isnan(entry.at(CurveAxis::updates))) file += event_of(entry, "valid/");
  }
  return file;
}

std::string event_folder(const std::string& label) {
  std::string name = printable_text(label);
  std::replace(name.begin(), name.end(), '/', '_');
  return name.empty() || name[0] == '.' ? "_" + name : name;
}

}  // namespace gloss
