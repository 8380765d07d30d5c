// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <string>

namespace gloss {

/// The characters that a language is written with: the exemplar characters of the Common Locale Data
/// Repository and their other cases.
class ExemplarLetters {
 public:
  /// Those of a language, which is kept for the next call; null: none are known. Safe to call on many
  /// threads.
  static const ExemplarLetters* of(const std::string& language);
  ~ExemplarLetters();
  ExemplarLetters(const ExemplarLetters&) = delete;
  ExemplarLetters& operator=(const ExemplarLetters&) = delete;

  bool has(char32_t character) const;

 private:
  struct Characters;
  explicit ExemplarLetters(std::unique_ptr<Characters> characters);

  std::unique_ptr<const Characters> characters_;
};

}  // namespace gloss
