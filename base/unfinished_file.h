// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

namespace gloss {

/// Marks a new file as useless in case a signal ends the program (remove_unfinished_files).
void mark_unfinished_file(const std::string& path);
/// Removes the mark: the file stays, or is gone already.
void forget_unfinished_file(const std::string& path);

/// Removes all files that are marked. Only for a program that then ends; safe in signal handlers.
void remove_unfinished_files();

}  // namespace gloss
