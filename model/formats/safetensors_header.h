// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/mapped_file.h"
#include "model/formats/stored_arrays.h"

namespace gloss {

/// The length of the header comes before it.
inline constexpr std::size_t kSafetensorsLengthBytes = 8;

/// What the header of a safetensors file says about a tensor.
struct SafetensorsEntry {
  NumberType type = NumberType::f32;
  std::vector<std::int64_t> shape;
  std::span<const std::byte> bytes;  ///< in the mapped file
};

/// The header of a safetensors file of any program. Everything is checked: lengths, JSON, dtypes, sizes and
/// offsets against shapes, and that tensors fill the file without overlap.
struct SafetensorsHeader {
  /// Throws InputError naming the file and the tensor or field.
  explicit SafetensorsHeader(const MappedFile& file);

  std::map<std::string, SafetensorsEntry> entries;
  std::span<const std::byte> data;  ///< everything after the header
};

/// The name of a type in the header, such as "BF16".
const char* safetensors_name(NumberType);

}  // namespace gloss
