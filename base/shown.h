// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <string_view>

namespace gloss {

/// A text that a message quotes, such as a label, a line or the value of an option: in quotation marks, of a
/// long text only the start, with its size.
std::string shown(std::string_view text);

/// A message; of a long one, only the beginning and the end.
std::string without_middle(const std::string& message);

}  // namespace gloss
