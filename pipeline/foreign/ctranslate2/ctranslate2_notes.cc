// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/ctranslate2/ctranslate2_notes.h"

#include "base/index.h"
#include "base/shown.h"
#include "base/text.h"
#include "pipeline/foreign/ctranslate2/ctranslate2_network.h"
#include "pipeline/foreign/shared/exported_tokenizers.h"

namespace gloss {
namespace {

std::string spellings(const std::vector<int>& ids, const std::vector<std::string>& pieces) {
  std::vector<std::string> words;
  for (const int id : ids) words.push_back(pieces[index(id)]);
  return join(words, " ");
}

/// `such as 'TOKEN'`, or the token of the language `chosen` if there is one.
std::string example(const LanguageTokens& languages, const std::string& chosen,
                    const std::vector<std::string>& pieces) {
  const int token = chosen.empty() ? languages.ids.begin()->second : languages.ids.at(chosen);
  return concat(chosen.empty() ? "such as " : "by default ", shown(pieces[index(token)]));
}

std::string language_note(const LanguageTokens& languages, const std::vector<std::string>& pieces) {
  const bool before = languages.source_place == LanguageTokens::Place::before;
  const bool of_target = languages.target_place == LanguageTokens::TargetPlace::target;
  std::string note =
      concat(kCTranslate2, " does not know the ", languages.ids.size(), " languages; put the token of the ",
             of_target ? "source's" : "target's", " language, ",
             example(languages, of_target ? languages.source : languages.target, pieces), ", ",
             before ? "before" : "after the end of", " each source");
  if (!of_target) return note;
  note += ", and give that of the target's";
  if (!languages.target.empty()) note += concat(", ", example(languages, languages.target, pieces), ",");
  return note + " as the target prefix";
}

}  // namespace

void note_ctranslate2_limits(const ModelToExport& model, Listener& listener) {
  note_normalization(model, kCTranslate2, listener);
  const TextFormat& format = model.format;
  const std::vector<std::string> source = exported_pieces(*model.tokenizers.source),
                                 target = exported_pieces(*model.tokenizers.target);
  // A single token is the begin token of sources.
  if (format.source_prefix.size() > 1) {
    listener.note(concat(kCTranslate2, " does not begin sources with ",
                         shown(spellings(format.source_prefix, source)),
                         "; put these tokens before each source"));
  }
  if (!format.target_prefix.empty()) {
    listener.note(concat(kCTranslate2, " does not begin translations with ",
                         shown(spellings(format.target_prefix, target)),
                         "; give these tokens as the target prefix"));
  }
  if (!format.languages.ids.empty()) listener.note(language_note(format.languages, source));
  if (!format.search.empty()) {
    std::vector<std::string> settings;
    for (const auto& [name, value] : format.search) settings.push_back(concat(name, " ", value));
    listener.note(
        concat(kCTranslate2, " does not store how to search; this model has ", join(settings, ", ")));
  }
  const std::vector<int> never = model.tokenizers.target->never_generated();
  if (!never.empty()) {
    listener.note(concat(kCTranslate2, " can translate to ", shown(target[index(never.front())]),
                         ", which gloss never does; suppress this token there"));
  }
}

}  // namespace gloss
