// SPDX-License-Identifier: Apache-2.0

#include "model/formats/safetensors.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/error.h"
#include "base/index.h"
#include "base/rounding.h"
#include "model/formats/safetensors_header.h"

namespace gloss {

static_assert(std::endian::native == std::endian::little,
              "safetensors data is used without conversion: little-endian only");

namespace {

constexpr std::size_t kAlignment = 64;
const char* dtype_name(DType type) {
  return type == DType::f32 ? "F32" : type == DType::bf16 ? "BF16" : type == DType::int8 ? "I8" : "U8";
}

std::size_t bytes_of(const NamedArray& array) { return index(array.shape.count()) * size_of(array.dtype); }

/// The type of tensors of our own; none if they do not have numbers of this type.
std::optional<DType> own_type(NumberType type) {
  switch (type) {
    case NumberType::f32:
      return DType::f32;
    case NumberType::bf16:
      return DType::bf16;
    case NumberType::i8:
      return DType::int8;
    case NumberType::u8:
      return DType::int4;
    default:
      return std::nullopt;
  }
}

Shape own_shape(const std::vector<std::int64_t>& sizes, const std::string& where) {
  if (sizes.empty() || sizes.size() > 4) {
    throw InputError(concat(where, ": 'shape' is ", shape_text(sizes), ", expected one to four sizes"));
  }
  if (std::ranges::count(sizes, 0) > 0) throw InputError(concat(where, " is empty: 'shape' contains a 0"));
  switch (sizes.size()) {
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

void write_safetensors(AtomicFile& file, std::span<const NamedArray> arrays) {
  write_safetensors(file, arrays, [](const NamedArray& array) { return array.data; });
}

void write_safetensors(AtomicFile& file, std::span<const NamedArray> given, const DataOf& data_of,
                       const std::map<std::string, std::string>& about) {
  // Arrays follow each other without gaps, so narrower types must come last: first they would leave wider
  // ones unaligned.
  std::vector<NamedArray> arrays(given.begin(), given.end());
  std::ranges::stable_sort(arrays, std::greater(),
                           [](const NamedArray& array) { return size_of(array.dtype); });
  nlohmann::ordered_json header = nlohmann::ordered_json::object();
  if (!about.empty()) header["__metadata__"] = about;
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
  text.resize(round_up(kSafetensorsLengthBytes + text.size(), kAlignment) - kSafetensorsLengthBytes, ' ');
  const std::uint64_t length = text.size();
  file.write(std::string_view(reinterpret_cast<const char*>(&length), sizeof length));
  file.write(text);
  for (const NamedArray& array : arrays) {
    file.write(std::string_view(static_cast<const char*>(data_of(array)), bytes_of(array)));
  }
}

SafetensorsFile::SafetensorsFile(const std::string& path) : file_(path) {
  const SafetensorsHeader header(file_);
  if (reinterpret_cast<std::uintptr_t>(header.data.data()) % alignof(float) != 0) {
    throw InputError(concat(path, ": the header of ", header.data.data() - file_.bytes().data(),
                            " bytes leaves the data unaligned"));
  }
  for (const auto& [name, tensor] : header.entries) {
    const std::string where = concat(path, ": tensor '", name, "'");
    const std::optional<DType> type = own_type(tensor.type);
    if (!type) {
      throw InputError(
          concat(where, " has dtype ", safetensors_name(tensor.type), ", expected F32, BF16, I8 or U8"));
    }
    const std::ptrdiff_t start = tensor.bytes.data() - header.data.data();
    if (index(start) % size_of(*type) != 0) {
      throw InputError(concat(where, " starts at the unaligned offset ", start));
    }
    arrays_.emplace(name, NamedArray{name, *type, own_shape(tensor.shape, where), tensor.bytes.data()});
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
