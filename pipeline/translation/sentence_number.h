// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>

namespace gloss {

/// A number for each sentence of each line, both counted from 0; the first has the number of its line.
constexpr std::uint64_t sentence_number(std::int64_t line, std::size_t sentence) {
  constexpr int kLineBits = 40;
  return static_cast<std::uint64_t>(line) + (static_cast<std::uint64_t>(sentence) << kLineBits);
}

}  // namespace gloss
