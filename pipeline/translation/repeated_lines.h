// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "pipeline/translation/translator.h"

namespace gloss {

/// Translates lines that occur again only once, as far as its memory reaches; when that is full, the lines
/// that were used least recently are forgotten. The translations are those of the translator: they depend on
/// the line alone. Lines whose translation is drawn at random are all translated.
class RepeatedLines {
 public:
  static constexpr std::size_t kBytes = 64 << 20;

  /// `translator` must outlive this object. `bytes` limits the memory of the lines and translations that are
  /// kept, about.
  explicit RepeatedLines(const Translator& translator, std::size_t bytes = kBytes)
      : translator_(translator), limit_(bytes) {}

  /// As Translator::translate, with numbers of sentences (sentence_number).
  std::vector<TranslatedLine> translate(std::span<const std::string> lines,
                                        std::span<const std::uint64_t> numbers,
                                        const std::function<void(int lines)>& finished);
  /// The number of lines that the memory had from an earlier one. It does not depend on how the lines are
  /// divided among calls of `translate`.
  std::int64_t repeats() const { return repeats_; }

 private:
  struct Known {
    std::string line;
    TranslatedLine translated;
  };

  static std::size_t bytes_of(const Known&);
  void keep(const std::string& line, const TranslatedLine&);

  const Translator& translator_;
  std::size_t limit_, bytes_ = 0;
  std::list<Known> recent_;  // the last one used comes first
  std::unordered_map<std::string_view, std::list<Known>::iterator> known_;
  std::int64_t repeats_ = 0;
};

}  // namespace gloss
