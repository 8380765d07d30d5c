// SPDX-License-Identifier: Apache-2.0

#include "pipeline/reranking/features.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "base/error.h"
#include "base/shown.h"
#include "base/text.h"
#include "pipeline/reading/text_reader.h"

namespace gloss {

Features parse_features(std::string_view text) {
  Features features;
  std::string name;
  int numbers = 0;
  for (const std::string& word : split(text, ' ')) {
    if (word.empty()) continue;
    if (word.ends_with('=') && word.size() > 1) {
      if (!name.empty() && numbers == 0) throw InputError(concat("the feature ", name, " has no number"));
      name = word.substr(0, word.size() - 1);
      numbers = 0;
      continue;
    }
    double value = 0;
    if (name.empty() || !parse_number(word, value) || !std::isfinite(value)) {
      throw InputError(concat("found ", shown(word), ", expected NAME= NUMBER"));
    }
    ++numbers;
    const std::string own = numbers == 1 ? name : concat(name, ".", numbers);
    const auto same = [&](const auto& named) { return named.first == own; };
    if (std::ranges::any_of(features, same)) throw InputError(concat("the feature ", own, " occurs twice"));
    features.emplace_back(own, value);
  }
  if (!name.empty() && numbers == 0) throw InputError(concat("the feature ", name, " has no number"));
  return features;
}

FeatureWeights read_weights(const std::string& path) {
  FeatureWeights weights;
  TextReader reader(path);
  for (std::string line; reader.next(line);) {
    if (is_blank(line)) continue;
    const auto wrong = [&](const auto&... what) {
      return InputError(concat(path, ":", reader.line_number(), ": ", what...));
    };
    const Features found = [&] {
      try {
        return parse_features(trimmed(line));
      } catch (const InputError& error) {
        throw wrong(error.what());
      }
    }();
    for (const auto& [name, weight] : found) {
      if (!weights.emplace(name, weight).second) throw wrong("the feature ", name, " has a weight already");
    }
  }
  if (weights.empty()) throw InputError(concat(path, " has no weights; expected lines NAME= WEIGHT"));
  return weights;
}

std::string weights_text(const FeatureWeights& weights) {
  std::string text;
  for (const auto& [name, weight] : weights) {
    char number[32];
    std::snprintf(number, sizeof number, "%.9g", weight);
    text += concat(name, "= ", number, "\n");
  }
  return text;
}

double weighted_sum(const Features& features, const FeatureWeights& weights) {
  double sum = 0;
  for (const auto& [name, weight] : weights) {
    const auto feature = std::ranges::find(
        features, name, [](const auto& named) -> const std::string& { return named.first; });
    if (feature == features.end())
      throw InputError(concat("the feature ", name, ", which has a weight, is missing"));
    sum += weight * feature->second;
  }
  return sum;
}

}  // namespace gloss
