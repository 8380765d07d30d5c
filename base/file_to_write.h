// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

namespace gloss {

// What files have in common that only one process writes, beside the file that they replace.

/// Where a link leads; other paths unchanged. Throws Error if it leads nowhere, or if the kernel refuses to
/// follow it: links of others in folders that all may write to.
std::string followed_link(const std::string& path);

/// The permissions of the file that is replaced, or those of a new file.
unsigned permissions_for(const std::string& path);

/// Locks an open file. False if another process has locked it or has given its name to another file.
bool lock_alone(int descriptor, const std::string& path);

}  // namespace gloss
