// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "model/formats/stored_arrays.h"

namespace gloss {

/// A model.bin of CTranslate2.
struct CTranslate2File {
  std::string specification;   ///< such as "TransformerSpec"
  std::uint32_t revision = 1;  ///< of the specification
  /// The variables and their aliases. Quantised weights are divided by their scales, which are not among
  /// them.
  StoredArrays arrays;
  std::map<std::string, std::string> aliases;  ///< names of variables by other names
};

/// True if a file begins as those of CTranslate2 do: with a version and the name of a specification.
bool begins_as_ctranslate2(const std::string& path);
/// Reads the binary versions 2 to 6. Throws InputError that names the file and the variable.
CTranslate2File read_ctranslate2(const std::string& path);

}  // namespace gloss
