// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gloss {

/// The folder that `path` is in; "." for a name alone.
std::string folder_of(const std::string& path);

/// The temporary file or directory for `path`, beside it: NAME.gloss-RANDOM.partial, the name cut if it is
/// long. `random` makes it one that nobody can guess or plant.
std::string temporary_name(const std::string& path, std::uint64_t random);
/// True if `name`, without its folder, is a temporary name for `path`.
bool is_temporary_name(std::string_view name, const std::string& path);
/// A random number from the system. Throws Error.
std::uint64_t system_random();

/// True if `path` is the open file or directory, not another of the same name, nor a link.
bool same_file(int descriptor, const std::string& path);

}  // namespace gloss
