// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

namespace gloss {

/// The length of a text in the unit of a limit, such as characters or tokens.
using TextLength = std::function<std::int64_t(std::string_view)>;

/// Divides a sentence that is longer than `most` into parts that are not: at semicolons, colons and dashes,
/// else at commas, else at spaces, near the middle. A part without spaces stays whole, however long. Each
/// part has the white space that follows it; joined, they are the sentence.
std::vector<std::string_view> divided(std::string_view sentence, std::int64_t most, const TextLength& length);

}  // namespace gloss
