// SPDX-License-Identifier: Apache-2.0

#include "pipeline/text_models/precision.h"

#include "base/error.h"
#include "model/kernels/kernels.h"
#include "model/tensor/can_multiply.h"
#include "model/tensor/matmul.h"

namespace gloss {

Choice training_precision_choice(Precision& precision) { return choice(precision, {"auto", "f32", "bf16"}); }
Choice translation_precision_choice(Precision& precision) {
  return choice(precision, {"auto", "f32", "bf16", "int8"});
}

Precision resolved(Precision precision) {
  if (precision == Precision::automatic) {
    return has_fast_bf16() && can_multiply(DType::bf16) ? Precision::bf16 : Precision::f32;
  }
  if (precision == Precision::bf16 && !can_multiply(DType::bf16)) {
    throw UsageError(concat("--precision bf16: the instruction set ", onednn_instruction_set(),
                            " cannot multiply bf16 numbers; choose f32 or auto"));
  }
  return precision;
}

DType product_type(DType stored) { return stored == DType::int4 ? DType::int8 : stored; }

DType translation_type(Precision precision, DType stored) {
  if (precision == Precision::automatic) {
    const DType multiplied = product_type(stored);
    return can_multiply(multiplied) ? multiplied : DType::f32;
  }
  const DType type = precision == Precision::f32    ? DType::f32
                     : precision == Precision::bf16 ? DType::bf16
                                                    : DType::int8;
  if (!can_multiply(type)) {
    throw UsageError(concat("--precision ", name_of(type), ": the instruction set ", onednn_instruction_set(),
                            " cannot multiply ", name_of(type), " numbers; choose f32, int8 or auto"));
  }
  return type;
}

}  // namespace gloss
