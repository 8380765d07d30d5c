// SPDX-License-Identifier: Apache-2.0
#include "pipeline/identification/language_identifier.h"

#include <algorithm>

#include "base/error.h"
#include "base/shown.h"
#include "base/utf8.h"
#include "pipeline/identification/cld2.h"
#include "pipeline/identification/language_codes.h"

namespace gloss {
namespace {

/// The start of a line, which decides.
constexpr std::size_t kMostBytes = 1 << 16;

class BuiltInIdentifier : public LanguageIdentifier {
 public:
  explicit BuiltInIdentifier(std::span<const std::string> languages) {
    const std::vector<std::string> known = cld2_languages();
    for (const std::string& code : languages) {
      const std::string language = plain_language(code);
      if (!std::ranges::binary_search(known, language)) {
        throw UsageError(concat("the built-in identifier does not know the language ", shown(code)));
      }
      languages_.push_back(language);
    }
  }

  std::vector<Guess> identify(std::string_view line, std::size_t) const override {
    const std::string text = valid_utf8(line.substr(0, kMostBytes));
    const Cld2Answer answer = cld2_answer(text);
    if (answer.language.empty()) return {};
    if (!languages_.empty() && std::ranges::count(languages_, answer.language) == 0) return {};
    return {{std::string(answer.language), answer.reliable ? 0.98 : 0.6}};
  }

 private:
  std::vector<std::string> languages_;  // empty: all
};

}  // namespace

std::unique_ptr<LanguageIdentifier> built_in_identifier(std::span<const std::string> languages) {
  return std::make_unique<BuiltInIdentifier>(languages);
}

}  // namespace gloss
