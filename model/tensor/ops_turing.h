// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "model/tensor/tensor.h"
#include "model/tensor/turing_addressing.h"

namespace gloss {

// Operations of Neural Turing Machines; the rules of ops.h apply.

/// The state of each row before its first step [rows, MachineSizes::state], f32: an empty memory, all heads
/// at its first row.
Tensor first_machine_states(const MachineSizes&, std::int64_t rows);
/// One step of each row (Graves et al. 2014): heads that write find their rows, erase, and add; then heads
/// that read find theirs in the new memory. `controls` [T, MachineSizes::controls], before their activations,
/// may be f32 or bf16; `before` and the result are states [T, MachineSizes::state], f32.
Tensor machine_step(const MachineSizes&, const Tensor& controls, const Tensor& before);
/// What the heads of these states have read [T, MachineSizes::reads], in this dtype.
Tensor machine_reads(const MachineSizes&, const Tensor& states, DType);

}  // namespace gloss
