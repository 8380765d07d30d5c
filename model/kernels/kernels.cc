// SPDX-License-Identifier: Apache-2.0

#include "model/kernels/kernels.h"

#include "model/kernels/instruction_set.h"

namespace gloss {

#define GLOSS_DECLARE_LOOPS(variant)                \
  namespace variant {                               \
  void add_flat_loops(Kernels&);                    \
  void add_row_loops(Kernels&);                     \
  void add_activation_loops(Kernels&);              \
  void add_softmax_loops(Kernels&);                 \
  void add_attention_loops(Kernels&);               \
  void add_block_attention_loops(Kernels&);         \
  void add_attend_loops(Kernels&);                  \
  void add_int8_loops(Kernels&);                    \
  void add_cell_loops(Kernels&);                    \
  void add_score_loops(Kernels&);                   \
  void add_convolution_loops(Kernels&);             \
  void add_grid_loops(Kernels&);                    \
  void add_linear_loops(Kernels&);                  \
  void add_causal_linear_loops(Kernels&);           \
  void add_causal_linear_gradient_loops(Kernels&);  \
  }                                                 \
  static Kernels variant##_kernels() {              \
    Kernels all{};                                  \
    variant::add_flat_loops(all);                   \
    variant::add_row_loops(all);                    \
    variant::add_activation_loops(all);             \
    variant::add_softmax_loops(all);                \
    variant::add_attention_loops(all);              \
    variant::add_block_attention_loops(all);        \
    variant::add_attend_loops(all);                 \
    variant::add_int8_loops(all);                   \
    variant::add_cell_loops(all);                   \
    variant::add_score_loops(all);                  \
    variant::add_convolution_loops(all);            \
    variant::add_grid_loops(all);                   \
    variant::add_linear_loops(all);                 \
    variant::add_causal_linear_loops(all);          \
    variant::add_causal_linear_gradient_loops(all); \
    return all;                                     \
  }

#if defined(__x86_64__)
GLOSS_DECLARE_LOOPS(avx2)
GLOSS_DECLARE_LOOPS(avx512)
GLOSS_DECLARE_LOOPS(avx512_bf16)

static Kernels choose() {
  const InstructionSet set = instruction_set();
  if (set >= InstructionSet::avx512_bf16) return avx512_bf16_kernels();
  return set >= InstructionSet::avx512 ? avx512_kernels() : avx2_kernels();
}
#else
GLOSS_DECLARE_LOOPS(portable)

static Kernels choose() { return portable_kernels(); }
#endif

bool has_fast_bf16() { return instruction_set() >= InstructionSet::avx512_bf16 && multiplies_bf16_fast(); }

const Kernels& kernels() {
  static const Kernels chosen = choose();
  return chosen;
}

}  // namespace gloss
