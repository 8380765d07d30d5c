// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "tests/support/foreign_bytes.h"

namespace gloss {

/// A safetensors file with this header.
inline std::string safetensors_bytes(const std::string& header, const std::string& data) {
  return little_endian(static_cast<std::uint64_t>(header.size())) + header + data;
}

/// The header of a single tensor.
inline std::string tensor_header(const std::string& name, const std::string& dtype, const std::string& shape,
                                 const std::string& offsets) {
  return R"({")" + name + R"(":{"dtype":")" + dtype + R"(","shape":)" + shape + R"(,"data_offsets":)" +
         offsets + "}}";
}

}  // namespace gloss
