// SPDX-License-Identifier: Apache-2.0
#include "pipeline/identification/language_identifier.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/counted.h"
#include "base/error.h"
#include "base/index.h"
#include "base/shown.h"
#include "base/utf8.h"
#include "pipeline/identification/built_in_model.h"
#include "pipeline/identification/cld2.h"
#include "pipeline/identification/fasttext_model.h"
#include "pipeline/identification/language_codes.h"
#include "pipeline/identification/line_letters.h"

namespace gloss {
namespace {

/// The model of the program: a classifier of lines as line_letters gives them.
const FastTextModel& built_in_model() {
  static const FastTextModel model(built_in_model_bytes(), "the built-in model of languages");
  return model;
}

class BuiltInIdentifier : public LanguageIdentifier {
 public:
  explicit BuiltInIdentifier(std::span<const std::string> languages) {
    chosen_.assign(languages_.size(), languages.empty());
    for (const std::string& code : languages) {
      const auto place = std::ranges::find(languages_, plain_language(code));
      if (place == languages_.end()) {
        throw UsageError(concat("the built-in identifier does not know the language ", shown(code),
                                "; it has ", counted(std::ssize(languages_), "language")));
      }
      chosen_[index(place - languages_.begin())] = true;
    }
  }

  std::vector<Guess> identify(std::string_view line, std::size_t count) const override {
    const LineLetters start = line_letters(line, kFewLetters);
    if (!start.language.empty()) return by_script(start);
    std::vector<float> probabilities(languages_.size());
    if (!predict(start, probabilities)) return {};
    if (!is_sure(probabilities)) {
      if (!start.complete) predict(line_letters(line, kManyLetters), probabilities);
      if (!is_sure(probabilities)) ask_cld2(line, probabilities);
    }
    return best(probabilities, count);
  }

 private:
  static constexpr std::size_t kFewLetters = 40, kManyLetters = 400;
  /// The part of a line that CLD2 reads.
  static constexpr std::size_t kMostBytes = 1 << 14;
  static constexpr float kSure = 0.9F;
  /// The weight of an answer of CLD2 if the model knows its language, and if not.
  static constexpr float kShareOfKnown = 0.2F, kShareOfUnknown = 0.5F;

  std::size_t place(std::string_view language) const {
    return index(std::ranges::find(languages_, language) - languages_.begin());
  }

  std::vector<Guess> by_script(const LineLetters& letters) const {
    if (!chosen_[place(letters.language)]) return {};
    return {{std::string(letters.language), letters.share}};
  }

  static bool predict(const LineLetters& letters, std::span<float> probabilities) {
    return built_in_model().probabilities(letters.words,
                                          probabilities.first(built_in_model().labels().size()));
  }

  bool is_sure(std::span<const float> probabilities) const {
    for (std::size_t i = 0; i < probabilities.size(); ++i) {
      if (probabilities[i] >= kSure) return chosen_[i];
    }
    return false;
  }

  void ask_cld2(std::string_view line, std::span<float> probabilities) const {
    const std::string_view language = cld2_language(valid_utf8(line.substr(0, kMostBytes)));
    if (language.empty()) return;
    const std::size_t found = place(language);
    const float share = found < built_in_model().labels().size() ? kShareOfKnown : kShareOfUnknown;
    for (float& probability : probabilities) probability *= 1 - share;
    probabilities[found] += share;
  }

  std::vector<Guess> best(std::span<const float> probabilities, std::size_t count) const {
    double sum = 0;
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < probabilities.size(); ++i) {
      if (probabilities[i] <= 0 || !chosen_[i]) continue;
      sum += static_cast<double>(probabilities[i]);
      if (order.empty() || count > 1) {
        order.push_back(i);
      } else if (probabilities[i] > probabilities[order.front()]) {
        order.front() = i;
      }
    }
    count = std::min(count, order.size());
    std::ranges::partial_sort(order, order.begin() + static_cast<std::ptrdiff_t>(count), std::greater(),
                              [&](std::size_t i) { return probabilities[i]; });
    std::vector<Guess> guesses;
    for (std::size_t i = 0; i < count; ++i) {
      guesses.push_back({languages_[order[i]], static_cast<double>(probabilities[order[i]]) / sum});
    }
    return guesses;
  }

  const std::vector<std::string>& languages_ = built_in_languages();
  std::vector<bool> chosen_;  // by language
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
         model_.predict(line, chosen_.empty() ? count : chosen_.size(), chosen_)) {
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

const std::vector<std::string>& built_in_languages() {
  static const std::vector<std::string> languages = [] {
    std::vector<std::string> all = built_in_model().labels();
    for (const std::string& language : cld2_languages()) {
      if (std::ranges::count(all, language) == 0) all.push_back(language);
    }
    return all;
  }();
  return languages;
}

std::unique_ptr<LanguageIdentifier> built_in_identifier(std::span<const std::string> languages) {
  return std::make_unique<BuiltInIdentifier>(languages);
}

std::unique_ptr<LanguageIdentifier> read_identifier(const std::string& path,
                                                    std::span<const std::string> languages) {
  return std::make_unique<FastTextIdentifier>(path, languages);
}

}  // namespace gloss
