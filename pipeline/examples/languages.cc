// SPDX-License-Identifier: Apache-2.0

#include "pipeline/examples/languages.h"

#include <algorithm>

#include "base/error.h"
#include "base/shown.h"
#include "base/text.h"
#include "tokenizer/language_tag.h"

namespace gloss {
namespace {

constexpr std::size_t kMostShown = 8;

/// Without the underscores around the codes of some models: `__de__`.
std::string plain_code(std::string code) {
  while (code.starts_with('_')) code.erase(0, 1);
  while (code.ends_with('_')) code.pop_back();
  return code;
}

/// The codes whose first part, before an underscore, is `part`.
std::vector<std::string> with_first_part(const LanguageTokens& languages, const std::string& part) {
  std::vector<std::string> found;
  for (const auto& [code, id] : languages.ids) {
    if (code.starts_with(part + "_")) found.push_back(code);
  }
  return found;
}

/// The codes of the language that `chosen` means in the codes of other models: `deu_Latn` for `de`.
std::vector<std::string> of_same_language(const LanguageTokens& languages, const std::string& chosen) {
  std::vector<std::string> found;
  const std::string tag = language_tag(chosen);
  for (const auto& [code, id] : languages.ids) {
    if (!tag.empty() && language_tag(code) == tag) found.push_back(code);
  }
  return found;
}

std::vector<std::string> similar_codes(const LanguageTokens& languages, const std::string& chosen) {
  std::vector<std::string> all, similar;
  for (const auto& [code, id] : languages.ids) all.push_back(code);
  if (const std::string meant = nearest(chosen, all); !meant.empty()) similar.push_back(meant);
  for (const std::string& code : all) {
    const bool starts_alike = chosen.size() >= 2 && code.starts_with(chosen.substr(0, 2));
    if (starts_alike && similar.size() < kMostShown && std::ranges::count(similar, code) == 0) {
      similar.push_back(code);
    }
  }
  return similar;
}

}  // namespace

Fields fields_of(LanguageChoice& choice) {
  Fields fields{
      {"source_language",
       &choice.source,
       "language of the source, for a model with many; 'gloss info' lists them",
       {},
       's',
       "CODE"},
      {"target_language", &choice.target, "language of the target, for a model with many", {}, 't', "CODE"}};
  add_traits(fields, kOptional, choice.source, choice.target);
  return fields;
}

Choice target_order_choice(TargetOrder& order) { return choice(order, {"left-to-right", "right-to-left"}); }

std::vector<int> framed(const LineFrame& frame, std::span<const int> tokens, int end) {
  std::vector<int> all = frame.before;
  all.insert(all.end(), tokens.begin(), tokens.end());
  if (frame.reversed) std::reverse(all.begin() + std::ssize(frame.before), all.end());
  if (frame.ends || all.empty()) all.push_back(end);
  all.insert(all.end(), frame.after.begin(), frame.after.end());
  return all;
}

std::string language_code(const LanguageTokens& languages, const std::string& chosen,
                          const std::string& option) {
  if (languages.ids.empty()) {
    throw UsageError(concat(option, " ", chosen,
                            ": the model has no tokens of languages: it translates between those that it was "
                            "trained with; leave the option out"));
  }
  const std::string code = plain_code(chosen);
  if (languages.ids.contains(code)) return code;
  std::vector<std::string> found = with_first_part(languages, code);
  if (found.empty()) found = of_same_language(languages, code);
  if (found.size() == 1) return found.front();
  const std::string size =
      concat("the model has ", languages.ids.size(), " languages, which 'gloss info' lists");
  if (!found.empty()) {
    found.resize(std::min(found.size(), kMostShown));
    throw UsageError(concat(option, ": ", shown(chosen), " is short for several languages; choose one of ",
                            join(found, ", "), "; ", size));
  }
  const std::vector<std::string> similar = similar_codes(languages, code);
  throw UsageError(concat(option, ": the model has no language ", shown(chosen),
                          similar.empty() ? "; " : concat("; did you mean ", join(similar, ", "), "? "),
                          size));
}

}  // namespace gloss
