// SPDX-License-Identifier: Apache-2.0

#include "pipeline/inference/precision.h"

#include "base/error.h"
#include "model/kernels/kernels.h"
#include "model/tensor/matmul.h"
#include "model/tensor/packed_matrix.h"

namespace gloss {

Choice training_precision_choice(Precision& precision) { return choice(precision, {"auto", "f32", "bf16"}); }
Choice translation_precision_choice(Precision& precision) {
  return choice(precision, {"auto", "f32", "bf16", "int8"});
}

Precision resolved(Precision precision) {
  if (precision == Precision::automatic) {
    return has_native_bf16() && can_multiply(DType::bf16) ? Precision::bf16 : Precision::f32;
  }
  if (precision == Precision::bf16 && !can_multiply(DType::bf16)) {
    throw UsageError("--precision bf16: this processor cannot multiply bf16 numbers; choose f32 or auto");
  }
  return precision;
}

DType translation_type(Precision precision, DType stored) {
  const DType type = precision == Precision::automatic ? stored
                     : precision == Precision::f32     ? DType::f32
                     : precision == Precision::bf16    ? DType::bf16
                                                       : DType::int8;
  const bool possible = type == DType::int8 ? can_multiply_int8() : can_multiply(type);
  if (!possible) {
    throw UsageError(concat("this processor cannot multiply ", name_of(type), " numbers",
                            type == DType::int8 ? " exactly (it has no VNNI instructions)" : "",
                            "; choose another --precision, such as f32"));
  }
  return type;
}

}  // namespace gloss
