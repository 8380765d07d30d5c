// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace gloss {

/// The last lines and their translations, packed one after the other, in limited memory. When it is full, the
/// oldest are forgotten but those that were found again since they were added or spared (the CLOCK rule).
class KnownLines {
 public:
  /// A line and what is known about it.
  struct Entry {
    std::string_view line{};
    std::string_view translated{};  ///< packed
    std::uint64_t number = 0;       ///< of the first line with this text
    /// By an earlier run, which may have lost that line after it was translated: then it is translated here
    /// for the first time.
    bool of_earlier_run = false;
  };

  /// `bytes`: the limit.
  explicit KnownLines(std::size_t bytes);

  /// Copies an entry, unless its line is known or it takes more than a quarter of the memory.
  void add(const Entry&);
  /// Nothing if the line is not known. From now on it is one of this run. The texts stay until the next
  /// `add`.
  std::optional<Entry> find(std::string_view line);

 private:
  struct Block {
    explicit Block(std::size_t bytes) : content(std::make_unique_for_overwrite<char[]>(bytes)), size(bytes) {}
    std::unique_ptr<char[]> content;
    std::size_t size;
    std::size_t used = 0;  // by entries: a byte of flags, then packed values
  };

  /// The slot of the line, or the one where it belongs.
  std::size_t slot_of(std::string_view line) const;
  /// The slot at which the search for a line begins.
  std::size_t first_slot(std::string_view line) const;
  void double_slots();
  void clear_slot(std::size_t slot);
  /// Copies the bytes of an entry to the end.
  char* append(std::string_view entry);
  void forget_oldest();
  std::size_t bytes() const { return in_blocks_ + slots_.size() * sizeof(char*); }

  std::size_t limit_, block_size_;
  std::vector<char*> slots_;  // a power of two of them; each null or an entry
  std::size_t count_ = 0;     // of entries
  std::deque<Block> blocks_;  // the oldest first
  std::size_t in_blocks_ = 0;
};

}  // namespace gloss
