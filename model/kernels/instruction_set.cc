// SPDX-License-Identifier: Apache-2.0

#include "model/kernels/instruction_set.h"

#include <cstdlib>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "base/error.h"

namespace gloss {
namespace {

#if defined(__x86_64__)
constexpr InstructionSet kSets[] = {InstructionSet::portable,    InstructionSet::avx2,
                                    InstructionSet::avxvnni,     InstructionSet::avx512,
                                    InstructionSet::avx512_vnni, InstructionSet::avx512_bf16};

bool has_avxvnni() {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  constexpr unsigned kAvxVnni = 1U << 4;
  return __get_cpuid_count(7, 1, &eax, &ebx, &ecx, &edx) != 0 && (eax & kAvxVnni) != 0;
}

bool bf16_is_fast() {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  if (__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) == 0) return false;
  constexpr unsigned kAmxBf16 = 1U << 22, kAvx512Fp16 = 1U << 23;
  return (edx & kAmxBf16) != 0 || (edx & kAvx512Fp16) == 0;
}
#else
constexpr InstructionSet kSets[] = {InstructionSet::portable};

bool bf16_is_fast() { return false; }
#endif

}  // namespace

bool multiplies_bf16_fast() {
  static const bool fast = bf16_is_fast();
  return fast;
}

const char* name_of(InstructionSet set) {
  switch (set) {
    case InstructionSet::portable:
      return "portable";
    case InstructionSet::avx2:
      return "avx2";
    case InstructionSet::avxvnni:
      return "avxvnni";
    case InstructionSet::avx512:
      return "avx512";
    case InstructionSet::avx512_vnni:
      return "avx512_vnni";
    case InstructionSet::avx512_bf16:
      return "avx512_bf16";
  }
  throw BrokenPromise("an instruction set without a name");
}

std::optional<InstructionSet> instruction_set_limit(std::string_view value) {
  if (value.empty() || value == "native") return {};
  std::string choices;
  for (const InstructionSet limit : kSets) {
    if (value == name_of(limit)) return limit;
    choices += concat(name_of(limit), ", ");
  }
  throw UsageError(
      concat(kMaxIsaVariable, ": unknown instruction set '", value, "'; choose one of ", choices, "native"));
}

std::optional<InstructionSet> instruction_set_limit() {
  static const std::optional<InstructionSet> limit = [] {
    const char* const value = std::getenv(kMaxIsaVariable);
    return instruction_set_limit(value != nullptr ? value : "");
  }();
  return limit;
}

bool processor_has(InstructionSet set) {
#if defined(__x86_64__)
  __builtin_cpu_init();
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"),
             avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"),
             avx512_vnni = avx512 && __builtin_cpu_supports("avx512vnni");
  switch (set) {
    case InstructionSet::portable:
      return true;
    case InstructionSet::avx2:
      return avx2;
    case InstructionSet::avxvnni:
      return avx2 && has_avxvnni();
    case InstructionSet::avx512:
      return avx512;
    case InstructionSet::avx512_vnni:
      return avx512_vnni;
    case InstructionSet::avx512_bf16:
      return avx512_vnni && __builtin_cpu_supports("avx512bf16");
  }
#endif
  return set == InstructionSet::portable;
}

InstructionSet instruction_set() {
  static const InstructionSet chosen = [] {
#if defined(__x86_64__)
    if (!processor_has(InstructionSet::avx2)) {
      throw Error("this processor has no AVX2; gloss requires AVX2 on x86-64");
    }
#endif
    const std::optional<InstructionSet> limit = instruction_set_limit();
    InstructionSet best = InstructionSet::portable;
    for (const InstructionSet set : kSets) {
      if (processor_has(set) && (!limit || set <= *limit)) best = set;
    }
    return best;
  }();
  return chosen;
}

}  // namespace gloss
