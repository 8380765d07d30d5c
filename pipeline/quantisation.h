#pragma once

#include <string>

#include "model/tensor/dtype.h"

namespace gloss {

/// How large a model's weights were and are, in bytes.
struct QuantisedSizes {
  std::uintmax_t before, after;
};

/// Writes the translation model in `from` into the directory `to` with its matrices and tables stored as
/// `type`: bf16, or int8 with a scale for each row. Throws UsageError if both are one directory or `to`
/// belongs to a training, InputError if a weight is not finite.
QuantisedSizes quantise_model(const std::string& from, const std::string& to, DType type);

}  // namespace gloss
