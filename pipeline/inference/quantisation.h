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
/// stored as `type`: bf16, or int8 with a scale per row. Throws UsageError if both directories are the same
/// or `to` belongs to a training, InputError if a weight is not finite.
QuantisedSizes quantise_model(const std::string& from, const std::string& to, DType type);

}  // namespace gloss
