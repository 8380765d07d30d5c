// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gloss {

/// The number of bytes at the start of a file that show whether it is text.
inline constexpr std::size_t kTextStart = 1 << 16;

/// A warning about the file `name` if its first bytes do not look like UTF-8 text: a binary file, or text in
/// another encoding. Empty: they do.
std::string doubt_about_text(const std::string& name, std::string_view start);

/// The same for each of several files, before they are read. Pipes and other streams are not looked at.
std::vector<std::string> doubts_about_text(const std::vector<std::string>& paths);

}  // namespace gloss
