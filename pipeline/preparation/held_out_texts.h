// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/checksum.h"
#include "pipeline/preparation/near_duplicates.h"

namespace gloss {

/// What a line and a held-out line have in common: all bytes; most of their letters (NearDuplicates); half
/// of the different runs of five words of the held-out line, two or more if it has several, or ten words in a
/// row.
enum class Leak { exact, near, words };

/// Texts that no training text may contain, such as test sets, by their lines.
class HeldOutTexts {
 public:
  /// Reads the lines of files; the columns of a line, between tabs, are texts of their own. Throws
  /// InputError.
  explicit HeldOutTexts(const std::vector<std::string>& paths);

  /// A held-out line, and how another line repeats it.
  struct Found {
    Leak leak;
    std::uint32_t text;  ///< its number, for `place`
  };
  /// The first held-out line that the text repeats; nothing if there is none. Thread-safe.
  std::optional<Found> find(std::string_view text) const;
  /// The file and the line of a text, such as "test.en:7".
  std::string place(std::uint32_t text) const;
  /// True if there are no files.
  bool empty() const { return files_.empty(); }

 private:
  std::optional<std::uint32_t> with_same_words(std::u32string_view folded) const;

  struct File {
    std::string name;
    std::uint32_t first;  // the number of its first text
  };
  std::vector<File> files_;
  std::vector<std::int64_t> lines_;                         // of the texts
  std::unordered_map<std::uint64_t, std::uint32_t> whole_;  // by the hashes of their bytes
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> by_five_words_;
  std::unordered_map<std::uint64_t, std::uint32_t> by_ten_words_;
  std::vector<std::uint32_t> runs_;  // the number of different runs of five words in each text
  std::unique_ptr<NearDuplicates> near_;
};

}  // namespace gloss
