// SPDX-License-Identifier: Apache-2.0
#include "pipeline/identification/language_codes.h"

#include "tokenizer/language_tag.h"

namespace gloss {

std::string plain_language(const std::string& code) {
  const std::string tag = language_tag(code);
  const std::string language = tag.substr(0, tag.find('-'));
  if (language == "nb") return "no";
  if (language == "fil") return "tl";
  return language;
}

bool same_language(const std::string& one, const std::string& other) {
  const std::string language = plain_language(one);
  return one == other || (!language.empty() && language == plain_language(other));
}

}  // namespace gloss
