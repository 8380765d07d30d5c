// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <functional>
#include <string>

namespace gloss {

/// Calls `create`, which creates a file or directory at `path` or returns false (errno), and marks what it
/// created: a signal which ends the program removes it (remove_short_lived_paths), since no later run may do
/// so: the process of a lock file is unknown on another machine, and a converted model fills the folder for
/// temporary files. Other unfinished outputs stay for the next writer of the same one. No signal is served in
/// between: it neither leaves what is created nor removes what another process has at this path.
bool create_short_lived(const std::string& path, const std::function<bool()>& create);
/// Removes the mark, before the path is removed or gets another name.
void forget_short_lived(const std::string& path);

/// Removes all paths that are marked. Only for a program that then ends.
void remove_short_lived_paths();

}  // namespace gloss
