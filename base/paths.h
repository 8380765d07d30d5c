// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

namespace gloss {

/// The folder that `path` is in; "." for a name alone.
std::string folder_of(const std::string& path);

/// A path without the slashes at its end, so that messages do not show two; "/" stays.
std::string without_last_slashes(std::string path);

/// True if `path`, existing or not, is the directory, or lies in it or its subdirectories, also through
/// links.
bool lies_in(const std::string& path, const std::string& directory);

/// True if `path` is the open file or directory, not another of the same name, nor a link.
bool same_file(int descriptor, const std::string& path);

}  // namespace gloss
