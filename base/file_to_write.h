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

/// The descriptor that a path such as "/dev/stdout" or "/dev/fd/3" means; -1 for all others.
int named_descriptor(const std::string& path);

/// True if `path` is written directly: "-", which is standard output, an open descriptor, and what exists and
/// is no regular file, such as a pipe or a device. Everything else becomes a regular file, wherever it is: it
/// is written under a temporary name, can be continued, and has another name for each shard.
bool written_directly(const std::string& path);

/// Renames an open file that was written as `temporary`, and flushes the folder. Throws Error, also if
/// another file has that name by now.
void give_final_name(int descriptor, const std::string& temporary, const std::string& path);

}  // namespace gloss
