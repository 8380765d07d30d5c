// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>

namespace gloss {

constexpr int kLineBits = 40;

/// A number for each sentence of each line, both counted from 0; the first has the number of its line.
constexpr std::uint64_t sentence_number(std::int64_t line, std::size_t sentence) {
  return static_cast<std::uint64_t>(line) + (static_cast<std::uint64_t>(sentence) << kLineBits);
}

/// The line of a sentence.
constexpr std::uint64_t line_of(std::uint64_t sentence_number) {
  return sentence_number & ((std::uint64_t{1} << kLineBits) - 1);
}

}  // namespace gloss
