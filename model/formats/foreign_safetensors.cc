// SPDX-License-Identifier: Apache-2.0

#include "model/formats/foreign_safetensors.h"

#include "model/formats/safetensors_header.h"

namespace gloss {

StoredArrays read_foreign_safetensors(const std::string& path) {
  const auto file = std::make_shared<const MappedFile>(path);
  const SafetensorsHeader header(*file);
  StoredArrays arrays(path);
  for (const auto& [name, tensor] : header.entries) {
    arrays.expect_name(name);
    arrays.add(name, StoredArray(arrays.where(name), tensor.type, tensor.shape,
                                 {.source = std::make_shared<MappedBytes>(file, tensor.bytes)}));
  }
  return arrays;
}

}  // namespace gloss
