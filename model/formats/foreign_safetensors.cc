// SPDX-License-Identifier: Apache-2.0

#include "model/formats/foreign_safetensors.h"

#include "model/formats/safetensors_header.h"

namespace gloss {

ForeignArrays read_foreign_safetensors(const std::string& path) {
  const auto file = std::make_shared<const MappedFile>(path);
  const SafetensorsHeader header(*file);
  ForeignArrays arrays(path);
  for (const auto& [name, tensor] : header.entries) {
    arrays.expect_name(name);
    arrays.add(name, ForeignArray(arrays.where(name), tensor.type, tensor.shape,
                                  {.source = std::make_shared<MappedBytes>(file, tensor.bytes)}));
  }
  return arrays;
}

}  // namespace gloss
