// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "base/listener.h"
#include "model/kernels/dtype.h"

namespace gloss {

/// What quantisation did to the matrices and embedding tables of a model.
struct Quantised {
  DType from;                              ///< the type in which they were stored
  std::uintmax_t size_before, size_after;  ///< of the weights, in bytes
};

/// Quantises the model in directory `from` and writes it to directory `to`. Matrices and embedding tables are
/// stored as `type`: bf16, int8 with a scale per row, or int4 with one per group of 32 numbers. Throws
/// InputError if a weight is not finite, and what OutputDirectory throws.
Quantised quantise_model(const std::string& from, const std::string& to, DType type, bool overwrite,
                         Listener&);

}  // namespace gloss
