// SPDX-License-Identifier: Apache-2.0

#include "model/kernels/kernels.h"

#include "base/error.h"

namespace gloss {

#define GLOSS_DECLARE_LOOPS(variant)   \
  namespace variant {                  \
  void add_flat_loops(Kernels&);       \
  void add_row_loops(Kernels&);        \
  void add_softmax_loops(Kernels&);    \
  void add_attention_loops(Kernels&);  \
  void add_attend_loops(Kernels&);     \
  void add_int8_loops(Kernels&);       \
  void add_cell_loops(Kernels&);       \
  void add_score_loops(Kernels&);      \
  }                                    \
  static Kernels variant##_kernels() { \
    Kernels all{};                     \
    all.name = #variant;               \
    variant::add_flat_loops(all);      \
    variant::add_row_loops(all);       \
    variant::add_softmax_loops(all);   \
    variant::add_attention_loops(all); \
    variant::add_attend_loops(all);    \
    variant::add_int8_loops(all);      \
    variant::add_cell_loops(all);      \
    variant::add_score_loops(all);     \
    return all;                        \
  }

#if defined(__x86_64__)
GLOSS_DECLARE_LOOPS(avx2)
GLOSS_DECLARE_LOOPS(avx512)
GLOSS_DECLARE_LOOPS(avx512_bf16)

bool has_native_bf16() {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx512bf16") != 0;
}

static Kernels choose() {
  __builtin_cpu_init();
  const bool wide = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                    __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  if (wide && has_native_bf16()) return avx512_bf16_kernels();
  if (wide) return avx512_kernels();
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return avx2_kernels();
  throw Error("this processor has no AVX2; gloss requires AVX2 on x86-64");
}
#else
GLOSS_DECLARE_LOOPS(portable)

bool has_native_bf16() { return false; }

static Kernels choose() { return portable_kernels(); }
#endif

const Kernels& kernels() {
  static const Kernels chosen = choose();
  return chosen;
}

}  // namespace gloss
