// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/shared/language_pieces.h"

#include <algorithm>
#include <string_view>

namespace gloss {
namespace {

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }

/// True if the text has the form of a pattern of `a` and `A` for letters.
bool has_form(std::string_view text, std::string_view pattern) {
  return std::ranges::equal(text, pattern, [](char c, char form) {
    return form == 'a' ? is_lower(c) : form == 'A' ? is_upper(c) : c == form;
  });
}

}  // namespace

std::string language_code_of(const std::string& token) {
  const bool framed = token.size() > 4 && token.starts_with("__") && token.ends_with("__");
  return framed ? token.substr(2, token.size() - 4) : token;
}

LanguageTokens languages_of_pieces(const std::vector<std::string>& pieces) {
  const std::vector<std::vector<std::string_view>> kinds{{"__aa__", "__aaa__"}, {"aa_AA"}, {"aaa_Aaaa"}};
  for (const std::vector<std::string_view>& forms : kinds) {
    LanguageTokens languages;
    for (std::size_t id = 0; id < pieces.size(); ++id) {
      const auto fits = [&](std::string_view form) { return has_form(pieces[id], form); };
      if (std::ranges::any_of(forms, fits))
        languages.ids[language_code_of(pieces[id])] = static_cast<int>(id);
    }
    if (languages.ids.size() < 2) continue;
    languages.source = usual_source_language(languages);
    return languages;
  }
  return {};
}

std::string usual_source_language(const LanguageTokens& languages) {
  for (const std::string code : {"eng_Latn", "en_XX", "en"}) {
    if (languages.ids.contains(code)) return code;
  }
  return "";
}

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
