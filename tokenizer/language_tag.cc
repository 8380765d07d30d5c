// SPDX-License-Identifier: Apache-2.0
// Codes of languages by ICU.
#include "tokenizer/language_tag.h"

#include <unicode/locid.h>
#include <unicode/uloc.h>

#include <algorithm>
#include <string_view>

namespace gloss {
namespace {

bool is_known(std::string_view language) {
  const char* const* known = uloc_getISOLanguages();
  while (*known != nullptr && language != *known) ++known;
  return *known != nullptr;
}

/// True if text in a language is usually in this script.
bool is_usual_script(const std::string& language, std::string_view script) {
  UErrorCode status = U_ZERO_ERROR;
  icu::Locale likely(language.c_str());
  likely.addLikelySubtags(status);
  return U_SUCCESS(status) && script == likely.getScript();
}

}  // namespace

std::string language_tag(const std::string& code) {
  const std::size_t begin = code.find_first_not_of('_');
  if (begin == std::string::npos) return "";
  std::string tag = code.substr(begin, code.find_last_not_of('_') + 1 - begin);
  std::replace(tag.begin(), tag.end(), '_', '-');
  UErrorCode status = U_ZERO_ERROR;
  icu::Locale locale = icu::Locale::forLanguageTag(tag, status);
  if (U_SUCCESS(status)) locale.canonicalize(status);  // arb: ar
  const std::string language = locale.getLanguage(), script = locale.getScript(),
                    region = locale.getCountry();
  if (U_FAILURE(status) || !is_known(language)) return "";
  std::string result = language;
  if (!script.empty() && !is_usual_script(language, script)) result += "-" + script;
  if (!region.empty() && region != "XX") result += "-" + region;  // mBART: any region
  return result;
}

}  // namespace gloss
