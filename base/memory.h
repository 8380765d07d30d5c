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

/// The resident memory of this process in MiB; 0 if unknown.
double resident_mebibytes();

}  // namespace gloss
