// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "pipeline/inference/translator.h"

namespace gloss {

/// Translates lines that occur again only once, as far as its memory reaches. The translations are those of
/// the translator: they depend on the line alone. Lines whose translation is drawn at random are all
/// translated.
class RepeatedLines {
 public:
  static constexpr std::size_t kBytes = 32 << 20;

  /// `translator` must outlive this object. `bytes` limits the memory of the lines and translations that are
  /// kept, about.
  explicit RepeatedLines(const Translator& translator, std::size_t bytes = kBytes)
      : translator_(translator), bytes_(bytes) {}

  /// As Translator::translate.
  std::vector<TranslatedLine> translate(std::span<const std::string> lines,
                                        std::span<const std::uint64_t> numbers,
                                        const std::function<void(int lines)>& finished);
  /// The number of lines that got the translation of an earlier one.
  std::int64_t repeats() const { return repeats_; }

 private:
  using Known = std::unordered_map<std::string, TranslatedLine>;

  const TranslatedLine* find(const std::string& line);
  void keep(const std::string& line, TranslatedLine);

  const Translator& translator_;
  std::size_t bytes_;
  // Lines move to the recent ones when they occur again. If these take half of the memory, the others are
  // forgotten.
  Known recent_, older_;
  std::size_t recent_bytes_ = 0;
  std::int64_t repeats_ = 0;
};

}  // namespace gloss
