// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>

namespace gloss {

/// The limit of the address space of this process in bytes (ulimit -v); 0: none.
std::int64_t address_space_limit();
/// True if the address space limit leaves `bytes`. Checked before calling libraries that crash if they cannot
/// allocate memory.
bool addresses_are_left(std::size_t bytes);

/// The largest address space that this process has had so far, in MiB; 0 if unknown. Allocates nothing.
long peak_address_space_mebibytes();

/// Throws std::bad_alloc, and remembers how much was asked for.
[[noreturn]] void refuse_memory(std::size_t bytes);
/// The bytes of the latest call of `refuse_memory`; 0: none.
std::size_t refused_memory();

/// The resident memory of this process in MiB; 0 if unknown.
double resident_mebibytes();

}  // namespace gloss
