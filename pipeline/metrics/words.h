#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace gloss {

/// How many bytes of white space start at byte `at`; 0 if none.
std::size_t white_space_at(std::string_view text, std::size_t at);

/// `text` without white space (in Unicode's wide sense) at its end.
std::string_view trim_end(std::string_view text);
/// `text` without white space at either end.
std::string_view trim(std::string_view text);

/// The words of valid UTF-8 `text`, divided by runs of Unicode white space; they point into `text`.
void split_words(std::string_view text, std::vector<std::string_view>& words);

/// Numbers the different words of one segment 0, 1, 2, ... in order of appearance. The words are not copied:
/// they must stay where they are until `clear`.
class WordNumbers {
 public:
  static constexpr std::uint32_t kUnknown = 0xffffffff;

  void clear();
  /// The number of `word`, a new one if it has none.
  std::uint32_t add(std::string_view word);
  /// The number of `word`, or kUnknown.
  std::uint32_t find(std::string_view word) const;
  /// How many different words there are.
  std::uint32_t size() const { return static_cast<std::uint32_t>(words_.size()); }

 private:
  struct Slot {
    std::uint32_t hash = 0;
    std::uint32_t word = kUnknown;
  };
  std::size_t place(std::string_view word, std::uint32_t hash) const;
  void grow();

  std::vector<std::string_view> words_;
  std::vector<Slot> slots_ = std::vector<Slot>(64);  // a power of two, at most half full
};

}  // namespace gloss
