// SPDX-License-Identifier: Apache-2.0

#include "model/kernels/kernels.h"

#include "base/error.h"
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
  static void add_##variant##_loops(Kernels& all) { \
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
  }

GLOSS_DECLARE_LOOPS(portable)
#if defined(__x86_64__)
GLOSS_DECLARE_LOOPS(avx2)
GLOSS_DECLARE_LOOPS(avx512)
GLOSS_DECLARE_LOOPS(avx512_bf16)
#endif

// Products of int8 differ in more instruction sets than the other loops.
#define GLOSS_DECLARE_PRODUCTS(variant) \
  namespace variant {                   \
  void add_int8_products(Kernels&);     \
  }
GLOSS_DECLARE_PRODUCTS(portable)
GLOSS_DECLARE_PRODUCTS(avx2)
GLOSS_DECLARE_PRODUCTS(avxvnni)
GLOSS_DECLARE_PRODUCTS(avx512)
GLOSS_DECLARE_PRODUCTS(avx512_vnni)
GLOSS_DECLARE_PRODUCTS(avx512_bf16)

Kernels kernels_of(InstructionSet set) {
  Kernels all{};
  switch (set) {
    case InstructionSet::portable:
      add_portable_loops(all);
      portable::add_int8_products(all);
      break;
#if defined(__x86_64__)
    case InstructionSet::avx2:
      add_avx2_loops(all);
      avx2::add_int8_products(all);
      break;
    case InstructionSet::avxvnni:
      add_avx2_loops(all);
      avxvnni::add_int8_products(all);
      break;
    case InstructionSet::avx512:
      add_avx512_loops(all);
      avx512::add_int8_products(all);
      break;
    case InstructionSet::avx512_vnni:
      add_avx512_loops(all);
      avx512_vnni::add_int8_products(all);
      break;
    case InstructionSet::avx512_bf16:
      add_avx512_bf16_loops(all);
      avx512_bf16::add_int8_products(all);
      break;
#else
    default:
      throw BrokenPromise(concat("kernels for ", name_of(set), " on another processor"));
#endif
  }
  return all;
}

bool has_fast_bf16() { return instruction_set() >= InstructionSet::avx512_bf16 && multiplies_bf16_fast(); }

const Kernels& kernels() {
  static const Kernels chosen = kernels_of(instruction_set());
  return chosen;
}

}  // namespace gloss
