// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "base/fields.h"
#include "model/kernels/dtype.h"

namespace gloss {

/// The numeric precision of the computation. In training, bf16 applies to activations, their gradients and
/// copies of the weights, while weights, their gradients, the optimizer and all sums stay in f32
/// (Micikevicius et al. 2018; Kalamkar et al. 2019); automatic is bf16 if the instruction set in use has
/// instructions for it. In translation, bf16 and int8 apply to the weights of matrix products and embedding
/// tables, with activations in bf16; automatic is the `product_type` of the model's weights, or f32 if that
/// cannot be multiplied.
enum class Precision { automatic, f32, bf16, int8 };
/// The names for training: auto, f32, bf16.
Choice training_precision_choice(Precision&);
/// The names for translation: auto, f32, bf16, int8.
Choice translation_precision_choice(Precision&);

/// Resolves `automatic` to the precision of training on this machine. Throws UsageError if bf16 is requested
/// and cannot be multiplied.
Precision resolved(Precision);
/// The type in which products use weights that are stored as `stored`: the same, except that int4 becomes
/// int8.
DType product_type(DType stored);
/// The type in which a model with weights stored as `stored` translates. Throws UsageError if a type is
/// requested and cannot be multiplied.
DType translation_type(Precision, DType stored);

}  // namespace gloss
