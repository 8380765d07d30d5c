#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace gloss {

/// Writes all bytes to an open file; false if the system refuses, which errno tells of.
bool write_all(int descriptor, std::string_view bytes);
/// How many bytes of an open file could be read from a place on; fewer than asked for at its end. Throws
/// InputError, with this name of the file.
std::size_t read_at(int descriptor, std::int64_t offset, std::span<char> bytes, const std::string& name);

}  // namespace gloss
