// SPDX-License-Identifier: Apache-2.0
#include "pipeline/identification/language_identifier.h"

#include <algorithm>
#include <cmath>

#include "base/counted.h"
#include "base/error.h"
#include "base/index.h"
#include "base/shown.h"
#include "base/utf8.h"
#include "pipeline/identification/cld2.h"
#include "pipeline/identification/fasttext_model.h"
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

class FastTextIdentifier : public LanguageIdentifier {
 public:
  FastTextIdentifier(const std::string& path, std::span<const std::string> languages) : model_(path) {
    if (languages.empty()) return;
    chosen_.assign(model_.labels().size(), false);
    for (const std::string& language : languages) {
      bool found = false;
      for (std::size_t label = 0; label < chosen_.size(); ++label) {
        if (!same_language(model_.labels()[label], language)) continue;
        chosen_[label] = found = true;
      }
      if (!found) {
        throw UsageError(concat(path, " has no label for the language ", shown(language), "; it has ",
                                counted(std::ssize(model_.labels()), "label"), " such as ",
                                shown(model_.labels().front())));
      }
    }
  }

  std::vector<Guess> identify(std::string_view line, std::size_t count) const override {
    std::vector<Guess> guesses;
    double sum = 0;
    for (const auto& [log_probability, label] :
         model_.predict(line, chosen_.empty() ? count : chosen_.size())) {
      if (!chosen_.empty() && !chosen_[index(label)]) continue;
      guesses.push_back({model_.labels()[index(label)], std::exp(log_probability)});
      sum += guesses.back().probability;
    }
    if (!chosen_.empty() && model_.is_distribution()) {
      for (Guess& guess : guesses) guess.probability /= sum;
    }
    if (guesses.size() > count) guesses.resize(count);
    return guesses;
  }

 private:
  FastTextModel model_;
  std::vector<bool> chosen_;  // by label; empty: all
};

}  // namespace

std::unique_ptr<LanguageIdentifier> built_in_identifier(std::span<const std::string> languages) {
  return std::make_unique<BuiltInIdentifier>(languages);
}

std::unique_ptr<LanguageIdentifier> read_identifier(const std::string& path,
                                                    std::span<const std::string> languages) {
  return std::make_unique<FastTextIdentifier>(path, languages);
}

}  // namespace gloss
