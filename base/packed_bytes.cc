// SPDX-License-Identifier: Apache-2.0

#include "base/packed_bytes.h"

#include <cstring>

namespace gloss {

void PackedReader::fail() {
  intact_ = false;
  bytes_ = {};
}

std::string_view PackedReader::take(std::size_t size) {
  if (size > bytes_.size()) fail();
  if (!intact_) return {};
  const std::string_view taken = bytes_.substr(0, size);
  bytes_.remove_prefix(size);
  return taken;
}

std::uint64_t PackedReader::count(std::uint64_t most) {
  constexpr unsigned kBits = 7, kAll = 64;
  constexpr unsigned char kMore = 0x80;
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < kAll; shift += kBits) {
    const std::string_view next = take(1);
    if (next.empty()) return 0;
    const auto byte = static_cast<unsigned char>(next.front());
    value |= static_cast<std::uint64_t>(byte & (kMore - 1)) << shift;
    if ((byte & kMore) != 0) continue;
    if (value <= most) return value;
    break;
  }
  fail();
  return 0;
}

double PackedReader::number() {
  double value = 0;
  const std::string_view bytes = take(sizeof value);
  if (!bytes.empty()) std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

std::vector<float> PackedReader::numbers() {
  const std::size_t size = count(bytes_.size() / sizeof(float));
  const std::string_view bytes = take(size * sizeof(float));
  std::vector<float> values(bytes.size() / sizeof(float));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

}  // namespace gloss
