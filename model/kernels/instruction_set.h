// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gloss {

/// Instruction sets that gloss distinguishes, from slowest to fastest. Each includes those before it, except
/// that processors with AVX-512 may lack AVX-VNNI.
enum class InstructionSet {
  portable,     ///< vectors of four numbers, with FMA on x86-64; the only one on other processors
  avx2,         ///< AVX2 and FMA
  avxvnni,      ///< sums of int8 products, on 256 bits
  avx512,       ///< AVX-512 F, BW, DQ and VL
  avx512_vnni,  ///< sums of int8 products
  avx512_bf16,  ///< sums of bf16 products
};
/// The name in GLOSS_MAX_ISA and in `gloss --version`, such as "avx512_vnni".
const char* name_of(InstructionSet);

/// The environment variable that limits gloss's own loops and oneDNN to an instruction set.
constexpr const char* kMaxIsaVariable = "GLOSS_MAX_ISA";

/// Reads a value of GLOSS_MAX_ISA; empty and "native" mean no limit. Throws UsageError, which names the
/// variable, the value and the choices, if it is unknown.
std::optional<InstructionSet> instruction_set_limit(std::string_view value);
/// The limit that GLOSS_MAX_ISA sets, read once.
std::optional<InstructionSet> instruction_set_limit();

/// True unless the processor has AVX-512 FP16 but no AMX: then it multiplies bf16 numbers slower than f32.
bool multiplies_bf16_fast();
/// True if the processor has all instructions of the set.
bool processor_has(InstructionSet);
/// The instruction set in use, chosen once: the fastest of the processor within the limit. Throws Error if
/// the processor has none that gloss supports.
InstructionSet instruction_set();

}  // namespace gloss
