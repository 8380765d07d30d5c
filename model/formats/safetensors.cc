// SPDX-License-Identifier: Apache-2.0

#include "model/formats/safetensors.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <functional>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/index.h"
#include "base/json.h"
#include "base/rounding.h"

namespace gloss {

static_assert(std::endian::native == std::endian::little,
              "safetensors data is used without conversion: little-endian only");

namespace {

constexpr std::size_t kLengthBytes = 8;
constexpr std::size_t kAlignment = 64;
constexpr std::uint64_t kLongestHeader = 100 << 20;  // same limit as other readers of the format

constexpr std::array kTypes{DType::f32, DType::bf16, DType::int8};

const char* dtype_name(DType type) {
  return type == DType::f32 ? "F32" : type == DType::bf16 ? "BF16" : "I8";
}

std::size_t bytes_of(const NamedArray& array) { return index(array.shape.count()) * size_of(array.dtype); }

/// A whole number from 0 to `limit` in the header.
std::int64_t whole_number(const nlohmann::json& value, std::int64_t limit, const std::string& where) {
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > static_cast<std::uint64_t>(limit)) {
    throw InputError(
        concat(where, " is ", value.dump().substr(0, 40), ", expected a whole number from 0 to ", limit));
  }
  return value.get<std::int64_t>();
}

Shape read_shape(const nlohmann::json& value, std::int64_t limit, const std::string& where) {
  if (!value.is_array() || value.empty() || value.size() > 4) {
    throw InputError(
        concat(where, ": 'shape' is ", value.dump().substr(0, 40), ", expected one to four sizes"));
  }
  std::int64_t sizes[4] = {1, 1, 1, 1}, count = 1;
  for (std::size_t i = 0; i < value.size(); ++i) {
    sizes[i] = whole_number(value[i], limit, concat(where, ": a size in 'shape'"));
    if (sizes[i] == 0) throw InputError(concat(where, " is empty: 'shape' contains a 0"));
    if (count > limit / sizes[i])
      throw InputError(concat(where, ": 'shape' needs more elements than the file has"));
    count *= sizes[i];
  }
  switch (value.size()) {
    case 1:
      return {sizes[0]};
    case 2:
      return {sizes[0], sizes[1]};
    case 3:
      return {sizes[0], sizes[1], sizes[2]};
    default:
      return {sizes[0], sizes[1], sizes[2], sizes[3]};
  }
}

}  // namespace

void write_safetensors(AtomicFile& file, std::span<const NamedArray> given) {
  // Arrays follow each other without gaps, so narrower types must come last: first they would leave wider
  // ones unaligned.
  std::vector<NamedArray> arrays(given.begin(), given.end());
  std::ranges::stable_sort(arrays, std::greater(),
                           [](const NamedArray& array) { return size_of(array.dtype); });
  nlohmann::ordered_json header = nlohmann::ordered_json::object();
  std::size_t offset = 0;
  for (const NamedArray& array : arrays) {
    nlohmann::ordered_json shape = nlohmann::ordered_json::array();
    for (int i = 0; i < array.shape.rank(); ++i) shape.push_back(array.shape[i]);
    const std::size_t end = offset + bytes_of(array);
    header[array.name] = {
        {"dtype", dtype_name(array.dtype)}, {"shape", shape}, {"data_offsets", {offset, end}}};
    offset = end;
  }
  std::string text = header.dump();
  text.resize(round_up(kLengthBytes + text.size(), kAlignment) - kLengthBytes, ' ');
  const std::uint64_t length = text.size();
  file.write(std::string_view(reinterpret_cast<const char*>(&length), sizeof length));
  file.write(text);
  for (const NamedArray& array : arrays) {
    file.write(std::string_view(static_cast<const char*>(array.data), bytes_of(array)));
  }
}

namespace {

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

}  // namespace

SafetensorsFile::SafetensorsFile(const std::string& path) : file_(path) {
  const std::string_view bytes = file_.text();
  if (bytes.size() < kLengthBytes) {
    throw InputError(concat(path, " has ", bytes.size(), " bytes; expected a safetensors file"));
  }
  std::uint64_t length;
  std::memcpy(&length, bytes.data(), sizeof length);
  if (length > bytes.size() - kLengthBytes || length > kLongestHeader) {
    throw InputError(concat(path, ": the header length is ", length, ", but the file has ", bytes.size(),
                            " bytes: it is truncated, damaged or not a safetensors file"));
  }
  const nlohmann::json header =
      parse_json(bytes.substr(kLengthBytes, length), path + ": the header", kTensorsJson);
  if (!header.is_object()) throw InputError(concat(path, ": the header is not a JSON object"));
  const char* const data = bytes.data() + kLengthBytes + length;
  const auto size = static_cast<std::int64_t>(bytes.size() - kLengthBytes - length);
  if (reinterpret_cast<std::uintptr_t>(data) % alignof(float) != 0) {
    throw InputError(concat(path, ": the header length ", length, " leaves the data unaligned"));
  }
  expect_complete(header, size, path);
  std::vector<std::pair<std::int64_t, std::int64_t>> taken;
  for (const auto& [name, entry] : header.items()) {
    if (name == "__metadata__") continue;
    const std::string where = concat(path, ": tensor '", name, "'");
    if (!entry.is_object() || !entry.contains("dtype") || !entry.contains("shape") ||
        !entry.contains("data_offsets")) {
      throw InputError(concat(where, " lacks dtype, shape or data_offsets"));
    }
    NamedArray array;
    array.name = name;
    const nlohmann::json& dtype = entry["dtype"];
    const auto type = std::ranges::find_if(kTypes, [&](DType known) { return dtype == dtype_name(known); });
    if (type == kTypes.end()) {
      throw InputError(
          concat(where, " has dtype ", dtype.dump().substr(0, 40), ", expected F32, BF16 or I8"));
    }
    array.dtype = *type;
    array.shape = read_shape(entry["shape"], size, where);
    const nlohmann::json& offsets = entry["data_offsets"];
    if (!offsets.is_array() || offsets.size() != 2)
      throw InputError(concat(where, ": data_offsets is not a pair of offsets"));
    const std::int64_t start = whole_number(offsets[0], size, concat(where, ": a data offset"));
    const std::int64_t end = whole_number(offsets[1], size, concat(where, ": a data offset"));
    if (end < start || index(end - start) != bytes_of(array)) {
      throw InputError(concat(where, " has ", end - start, " bytes, expected ", bytes_of(array),
                              " for shape ", array.shape.text()));
    }
    if (start % static_cast<std::int64_t>(size_of(array.dtype)) != 0) {
      throw InputError(concat(where, " starts at the unaligned offset ", start));
    }
    array.data = data + start;
    taken.emplace_back(start, end);
    arrays_.emplace(name, std::move(array));
  }
  std::sort(taken.begin(), taken.end());
  std::int64_t expected = 0;
  for (const auto& [start, end] : taken) {
    if (start != expected)
      throw InputError(concat(path, ": tensors overlap or leave a gap at offset ", expected));
    expected = end;
  }
  if (expected != size) {
    throw InputError(
        concat(path, ": the tensors have ", expected, " bytes, but ", size, " follow the header"));
  }
}

const NamedArray& SafetensorsFile::array(const std::string& name, DType dtype, const Shape& shape) const {
  const auto found = arrays_.find(name);
  if (found == arrays_.end()) throw InputError(concat(path(), ": tensor '", name, "' is missing"));
  const NamedArray& array = found->second;
  if (array.dtype != dtype) {
    throw InputError(concat(path(), ": tensor '", name, "' has dtype ", dtype_name(array.dtype),
                            ", expected ", dtype_name(dtype)));
  }
  if (array.shape != shape) {
    throw InputError(concat(path(), ": tensor '", name, "' has shape ", array.shape.text(), ", expected ",
                            shape.text(), " from config.json"));
  }
  return array;
}

}  // namespace gloss
