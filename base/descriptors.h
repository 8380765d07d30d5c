// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace gloss {

/// Writes all bytes to an open file; returns false on failure, with errno set.
bool write_all(int descriptor, std::string_view bytes);
/// Reads from `offset` into `bytes` and returns the number of bytes read, which is smaller at the end of the
/// file. Throws InputError, which calls the file `name`.
std::size_t read_at(int descriptor, std::int64_t offset, std::span<char> bytes, const std::string& name);

}  // namespace gloss
