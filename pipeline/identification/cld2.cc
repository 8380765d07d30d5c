// SPDX-License-Identifier: Apache-2.0
#include "pipeline/identification/cld2.h"

#include <cstdio>  // what the headers of CLD2 need

#include <cld2/public/compact_lang_det.h>
#include <cld2/public/encodings.h>

#include <set>

#include "pipeline/identification/language_codes.h"

namespace gloss {
namespace {

/// The codes of all languages by CLD2's numbers; empty for numbers without a language.
const std::vector<std::string>& codes_by_number() {
  static const std::vector<std::string> codes = [] {
    std::vector<std::string> found(CLD2::NUM_LANGUAGES);
    for (int number = 0; number < CLD2::NUM_LANGUAGES; ++number) {
      const std::string code = CLD2::LanguageCode(static_cast<CLD2::Language>(number));
      const bool unknown = number == CLD2::UNKNOWN_LANGUAGE || number == CLD2::TG_UNKNOWN_LANGUAGE;
      if (!unknown && !code.starts_with("xx")) found[number] = plain_language(code);
    }
    return found;
  }();
  return codes;
}

}  // namespace

std::vector<std::string> cld2_languages() {
  const std::set<std::string> languages(codes_by_number().begin(), codes_by_number().end());
  return {languages.upper_bound(""), languages.end()};
}

std::string_view cld2_language(std::string line) {
  // CLD2 looks at the bytes after the end.
  constexpr std::size_t kPadding = 8;
  const auto size = static_cast<int>(line.size());
  line.append(kPadding, '\0');
  CLD2::Language best[3];
  int percents[3], letters;
  double scores[3];
  bool reliable;
  const CLD2::CLDHints none{nullptr, nullptr, CLD2::UNKNOWN_ENCODING, CLD2::UNKNOWN_LANGUAGE};
  CLD2::ExtDetectLanguageSummary(line.data(), size, true, &none, 0, best, percents, scores, nullptr, &letters,
                                 &reliable);
  return reliable ? codes_by_number()[best[0]] : std::string_view();
}

std::string cld2_version() { return CLD2::DetectLanguageVersion(); }

}  // namespace gloss
