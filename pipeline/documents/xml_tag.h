// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <string_view>

namespace gloss {

/// A start tag of well-formed XML with another value of an attribute, or with one more attribute. `value` has
/// no characters that need references.
std::string with_attribute(std::string_view tag, std::string_view name, std::string_view value);
/// A start tag without an attribute.
std::string without_attribute(std::string_view tag, std::string_view name);

}  // namespace gloss
