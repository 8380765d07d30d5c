// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gloss {

/// The code of a line whose language is unknown.
inline constexpr const char* kUnknownLanguage = "und";

/// Names the language of lines. All methods may be called on several threads at once.
class LanguageIdentifier {
 public:
  struct Guess {
    std::string language;
    double probability;
  };

  virtual ~LanguageIdentifier() = default;
  /// The `count` most probable languages, best first; empty if the line shows none, such as a number.
  virtual std::vector<Guess> identify(std::string_view line, std::size_t count = 1) const = 0;
};

/// The codes of the languages that the identifier of the program knows: those of its model, then the others
/// of CLD2.
const std::vector<std::string>& built_in_languages();
/// The identifier that is part of the program, restricted to `languages`; empty: all that it knows. Its codes
/// are of ISO 639-1 where there is one; `languages` may have other codes, such as `deu_Latn`. Throws
/// UsageError for an unknown language.
std::unique_ptr<LanguageIdentifier> built_in_identifier(std::span<const std::string> languages);
/// A classifier of fastText, such as lid.176, or of `train_identifier`, whose labels are codes of languages.
/// With `languages`, the probabilities of their labels add up to 1. Throws InputError if the file is none,
/// UsageError if it has no label for a language.
std::unique_ptr<LanguageIdentifier> read_identifier(const std::string& path,
                                                    std::span<const std::string> languages);

}  // namespace gloss
