// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/files.h"
#include "model/formats/stored_arrays.h"

namespace gloss {

/// A variable of a model.bin to write.
struct CTranslate2Variable {
  std::string name;
  NumberType type = NumberType::f32;  ///< f32, i8, i16 or i32
  std::vector<std::int64_t> shape;
  /// The bytes, which stay valid until the next call for any variable.
  std::function<std::span<const std::byte>()> bytes;
};

/// What a model.bin says besides its variables.
struct CTranslate2Contents {
  std::string specification;
  std::uint32_t revision = 0;
  std::map<std::string, std::string> aliases;  ///< names of variables by other names
};

/// Writes a model.bin of binary version 6, the variables sorted by name. Throws InputError for a variable of
/// 4 GiB or more, which the format cannot have.
void write_ctranslate2(AtomicFile&, const CTranslate2Contents&, std::vector<CTranslate2Variable>);

}  // namespace gloss
