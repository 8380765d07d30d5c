// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gloss {

/// The temporary file or directory for `path`, beside it: NAME.gloss-RANDOM.partial, the name cut if it is
/// long. `random` makes it one that nobody can guess or plant.
std::string temporary_name(const std::string& path, std::uint64_t random);
/// True if `name`, without its folder, is a temporary name for `path`.
bool is_temporary_name(std::string_view name, const std::string& path);
/// A random number from the system. Throws Error.
std::uint64_t system_random();

}  // namespace gloss
