// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "model/kernels/dtype.h"

namespace gloss {

/// The size of a model's weights before and after quantisation, in bytes.
struct QuantisedSizes {
  std::uintmax_t before, after;
};

/// Quantises the model in directory `from` and writes it to directory `to`. Matrices and embedding tables are
/// stored as `type`: bf16, or int8 with a scale per row. Throws InputError if a weight is not finite, and
/// what OutputDirectory throws.
QuantisedSizes quantise_model(const std::string& from, const std::string& to, DType type,
                              bool overwrite = false);

}  // namespace gloss
