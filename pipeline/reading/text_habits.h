// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gloss {

/// A line without what editors and other systems add to text: the byte order mark of the `first` line of a
/// file, and a '\r' before the '\n'.
std::string_view cleaned_line(std::string_view line, bool first);
/// The same in place.
void clean_line(std::string& line, bool first);

/// What is unusual about the lines of a text file, for notes to the user.
class TextHabits {
 public:
  /// `encoding` as in ByteStream.
  explicit TextHabits(std::string name, std::string_view encoding = "");

  /// Looks at the next line, as it is in the file.
  void add(std::string_view line);
  /// One sentence for each habit.
  std::vector<std::string> notes() const;

 private:
  void look_at_words(std::string_view line);

  std::string name_, encoding_;
  bool mark_ = false;                  // a byte order mark was removed
  std::int64_t lines_ = 0, ends_ = 0;  // all lines; those that end with "\r\n"
  // Of the first lines only: those with subword-nmt's marks; with punctuation after a space and after a word.
  std::int64_t joined_ = 0, apart_ = 0, attached_ = 0;
};

}  // namespace gloss
