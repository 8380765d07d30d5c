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
#include "tokenizer/wire.h"

namespace gloss {
namespace {

template <class Number>
std::string little_endian(Number number) {
  std::string bytes;
  for (std::size_t i = 0; i < sizeof(Number); ++i) bytes += static_cast<char>(number >> (8 * i) & 0xFF);
  return bytes;
}

std::string event_head(double seconds, double update) {
  std::string event;
  append_double(event, 1, seconds);
  append_varint(event, 2, static_cast<std::uint64_t>(std::clamp(update, 0.0, 9e18)));
  return event;
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
    std::string value;
    append_bytes(value, 1, group + valid_utf8(name));
    append_number(value, 2, static_cast<float>(number));
    append_bytes(summary, 1, value);
  }
  const double seconds = entry.at(CurveAxis::time);
  std::string event = event_head(std::isnan(seconds) ? 0 : seconds, entry.at(CurveAxis::updates));
  append_bytes(event, 5, summary);
  return record(event);
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

std::string event_file(const LoggedTraining& run) {
  std::string head = event_head(0, 0);
  append_bytes(head, 3, "brain.Event:2");
  std::string file = record(head);
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
