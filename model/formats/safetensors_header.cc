// SPDX-License-Identifier: Apache-2.0

#include "model/formats/safetensors_header.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

#include "base/error.h"
#include "base/index.h"
#include "base/json.h"

namespace gloss {
namespace {

constexpr std::uint64_t kLongestSafetensorsHeader = 100 << 20;  // same limit as other readers of the format

constexpr std::array kSafetensorsTypes{NumberType::f64, NumberType::f32,    NumberType::f16, NumberType::bf16,
                                       NumberType::i64, NumberType::i32,    NumberType::i16, NumberType::i8,
                                       NumberType::u8,  NumberType::boolean};

/// A whole number from 0 to `limit` in the header.
std::int64_t whole_number(const nlohmann::json& value, std::int64_t limit, const std::string& where) {
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > static_cast<std::uint64_t>(limit)) {
    throw InputError(
        concat(where, " is ", value.dump().substr(0, 40), ", expected a whole number from 0 to ", limit));
  }
  return value.get<std::int64_t>();
}

std::vector<std::int64_t> read_shape(const nlohmann::json& value, std::int64_t limit,
                                     const std::string& where) {
  if (!value.is_array()) {
    throw InputError(
        concat(where, ": 'shape' is ", value.dump().substr(0, 40), ", expected a list of sizes"));
  }
  std::vector<std::int64_t> sizes;
  std::int64_t count = 1;
  for (const nlohmann::json& size : value) {
    constexpr std::int64_t kMost =
        std::numeric_limits<std::int64_t>::max();  // beside a 0 any size is harmless
    sizes.push_back(whole_number(size, kMost, concat(where, ": a size in 'shape'")));
    if (sizes.back() == 0 || count == 0) {
      count = 0;
      continue;
    }
    if (count > limit / sizes.back()) {
      throw InputError(concat(where, ": 'shape' needs more elements than the file has"));
    }
    count *= sizes.back();
  }
  return sizes;
}

/// Throws InputError if tensors of the header end after the `size` bytes of data that the file has.
void expect_complete(const nlohmann::json& header, std::int64_t size, const std::string& path) {
  std::uint64_t end = 0;
  for (const nlohmann::json& entry : header) {
    if (!entry.is_object() || !entry.contains("data_offsets")) continue;
    const nlohmann::json& offsets = entry["data_offsets"];
    if (offsets.is_array() && offsets.size() == 2 && offsets[1].is_number_unsigned()) {
      end = std::max(end, offsets[1].get<std::uint64_t>());
    }
  }
  if (end <= static_cast<std::uint64_t>(size)) return;
  throw InputError(concat(path, " is truncated or damaged: its tensors take ", end, " bytes, but only ", size,
                          " bytes follow the header; copy or write the file again"));
}

SafetensorsEntry read_entry(const nlohmann::json& entry, std::span<const std::byte> data,
                            const std::string& where) {
  const auto size = static_cast<std::int64_t>(data.size());
  if (!entry.is_object() || !entry.contains("dtype") || !entry.contains("shape") ||
      !entry.contains("data_offsets")) {
    throw InputError(concat(where, " lacks dtype, shape or data_offsets"));
  }
  SafetensorsEntry tensor;
  const nlohmann::json& dtype = entry["dtype"];
  const auto type = std::ranges::find_if(kSafetensorsTypes,
                                         [&](NumberType known) { return dtype == safetensors_name(known); });
  if (type == kSafetensorsTypes.end()) {
    std::vector<std::string> names;
    for (const NumberType known : kSafetensorsTypes) names.emplace_back(safetensors_name(known));
    throw InputError(
        concat(where, " has dtype ", dtype.dump().substr(0, 40), ", expected one of ", join(names, ", ")));
  }
  tensor.type = *type;
  tensor.shape = read_shape(entry["shape"], size, where);
  const nlohmann::json& offsets = entry["data_offsets"];
  if (!offsets.is_array() || offsets.size() != 2) {
    throw InputError(concat(where, ": data_offsets is not a pair of offsets"));
  }
  const std::int64_t start = whole_number(offsets[0], size, concat(where, ": a data offset"));
  const std::int64_t end = whole_number(offsets[1], size, concat(where, ": a data offset"));
  std::uint64_t expected = size_of(tensor.type);
  for (const std::int64_t part : tensor.shape) expected *= index(part);
  if (end < start || index(end - start) != expected) {
    throw InputError(concat(where, " has ", end - start, " bytes, expected ", expected, " for shape ",
                            shape_text(tensor.shape)));
  }
  tensor.bytes = data.subspan(index(start), index(end - start));
  return tensor;
}

}  // namespace

SafetensorsHeader::SafetensorsHeader(const MappedFile& file) {
  const std::string& path = file.path();
  const std::string_view bytes = file.text();
  if (bytes.size() < kSafetensorsLengthBytes) {
    throw InputError(concat(path, " has ", bytes.size(), " bytes; expected a safetensors file"));
  }
  std::uint64_t length;
  std::memcpy(&length, bytes.data(), sizeof length);
  if (length > bytes.size() - kSafetensorsLengthBytes || length > kLongestSafetensorsHeader) {
    throw InputError(concat(path, ": the header length is ", length, ", but the file has ", bytes.size(),
                            " bytes: it is truncated, damaged or not a safetensors file"));
  }
  const nlohmann::json header =
      parse_json(bytes.substr(kSafetensorsLengthBytes, length), path + ": the header", kTensorsJson);
  if (!header.is_object()) throw InputError(concat(path, ": the header is not a JSON object"));
  data = file.bytes().subspan(kSafetensorsLengthBytes + length);
  expect_complete(header, static_cast<std::int64_t>(data.size()), path);
  std::vector<std::pair<std::size_t, std::size_t>> taken;
  for (const auto& [name, entry] : header.items()) {
    if (name == "__metadata__") continue;
    const SafetensorsEntry tensor = read_entry(entry, data, concat(path, ": tensor '", name, "'"));
    const auto start = static_cast<std::size_t>(tensor.bytes.data() - data.data());
    taken.emplace_back(start, start + tensor.bytes.size());
    entries.emplace(name, tensor);
  }
  std::sort(taken.begin(), taken.end());
  std::size_t expected = 0;
  for (const auto& [start, end] : taken) {
    if (start != expected)
      throw InputError(concat(path, ": tensors overlap or leave a gap at offset ", expected));
    expected = end;
  }
  if (expected != data.size()) {
    throw InputError(
        concat(path, ": the tensors have ", expected, " bytes, but ", data.size(), " follow the header"));
  }
}

const char* safetensors_name(NumberType type) {
  constexpr const char* kNames[] = {"F64", "F32", "F16", "BF16", "I64", "I32", "I16", "I8", "U8", "BOOL"};
  return kNames[static_cast<int>(type)];
}

}  // namespace gloss
