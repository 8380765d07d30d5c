// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/packed_bytes.h"
#include "pipeline/runs/run_memory.h"
#include "pipeline/translation/known_lines.h"
#include "pipeline/translation/translator.h"

namespace gloss {

/// Translates lines that occur again only once, as far as its memory reaches. The translations are those of
/// the translator: they depend on the line alone. Lines whose translation is drawn at random are all
/// translated.
class RepeatedLines {
 public:
  static constexpr std::size_t kBytes = 22 << 20;

  /// `translator` must outlive this object. `bytes` limits the memory of the lines and translations that are
  /// kept, about.
  explicit RepeatedLines(const Translator& translator, std::size_t bytes = kBytes)
      : translator_(translator), bytes_(bytes), known_(bytes) {}

  /// Reads what an earlier run has left in `memory`, and keeps all that is translated there too, for a later
  /// one; called before the first line. `memory` must outlive the last call of `translate`.
  void keep_in(RunMemory& memory);
  /// As Translator::translate, with numbers of sentences (sentence_number).
  std::vector<TranslatedLine> translate(std::span<const std::string> lines,
                                        std::span<const std::uint64_t> numbers,
                                        const std::function<void(int lines)>& finished);
  /// The number of lines that got the translation of an earlier one.
  std::int64_t repeats() const { return repeats_; }

 private:
  /// The translation of a line that is known; counts it.
  std::optional<TranslatedLine> find(const std::string& line, std::uint64_t number);
  void keep(const KnownLines::Entry&);
  /// Adds the lines of a block of memory_; false if it is not valid.
  bool load(std::string_view block);
  void save();

  const Translator& translator_;
  std::size_t bytes_;
  KnownLines known_;
  std::int64_t repeats_ = 0;
  RunMemory* memory_ = nullptr;  // null: nobody can continue
  PackedWriter unsaved_;         // what is kept, but not in memory_ yet
  std::size_t saved_ = 0;        // bytes of the recent blocks of memory_
};

}  // namespace gloss
