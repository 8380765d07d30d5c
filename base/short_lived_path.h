// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

namespace gloss {

/// Marks a file or directory that a signal which ends the program removes (remove_short_lived_paths), since
/// no later run may do so: the process of a lock file is unknown on another machine, and a converted model
/// fills the folder for temporary files. Other unfinished outputs stay for the next writer of the same one.
void mark_short_lived(const std::string& path);
/// Removes the mark, before the path is removed or gets another name.
void forget_short_lived(const std::string& path);

/// Removes all paths that are marked. Only for a program that then ends.
void remove_short_lived_paths();

}  // namespace gloss
