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
/// The lock file of `path` where the file system has no locks (WriterLock), NAME.gloss-lock.partial, and the
/// file of a process that takes it over.
std::string lock_name(const std::string& path);
std::string takeover_name(const std::string& path);
/// True if `name`, without its folder, is one of these for `path`.
bool is_lock_name(std::string_view name, const std::string& path);
/// A random number from the system. Throws Error.
std::uint64_t system_random();

}  // namespace gloss
