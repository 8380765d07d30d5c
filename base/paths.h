// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

namespace gloss {

/// The folder that `path` is in; "." for a name alone.
std::string folder_of(const std::string& path);

/// A path without the slashes at its end, so that messages do not show two; "/" stays.
std::string without_last_slashes(std::string path);

/// False if there is no file or directory of this name. A name that the system refuses to look up, as in a
/// directory that may not be entered, counts as one that exists: using it says why.
bool path_exists(const std::string& path);
/// True if `path` is a regular file or a link to one; false if that is unknown. Never throws, unlike the
/// function of the standard library.
bool is_file(const std::string& path);
/// True if `path` is a directory or a link to one; false if that is unknown.
bool is_folder(const std::string& path);

/// The path without links, "." and "..", as far as its directories exist; if the system does not say, the
/// path without "." and "..".
std::string plain_path(const std::string& path);

/// True if `path`, existing or not, is the directory, or lies in it or its subdirectories, also through
/// links.
bool lies_in(const std::string& path, const std::string& directory);

/// True if `path` is the open file or directory, not another of the same name, nor a link.
bool same_file(int descriptor, const std::string& path);

}  // namespace gloss
