// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/shared/marian_languages.h"

namespace gloss {

std::string marian_language(const std::string& piece) {
  constexpr std::size_t kFrame = 2;
  const bool framed = piece.size() > 2 * kFrame && piece.starts_with(">>") && piece.ends_with("<<");
  const std::string code = framed ? piece.substr(kFrame, piece.size() - 2 * kFrame) : "";
  return code.find_first_of("<> ") == std::string::npos ? code : "";
}

LanguageTokens marian_languages(const Subwords& source) {
  LanguageTokens languages;
  for (int id = 0; id < source.size(); ++id) {
    if (const std::string code = marian_language(source.piece(id)); !code.empty()) languages.ids[code] = id;
  }
  if (!languages.ids.empty()) languages.target_place = LanguageTokens::TargetPlace::source;
  return languages;
}

}  // namespace gloss
