// SPDX-License-Identifier: Apache-2.0

#include "pipeline/examples/label_set.h"

#include <algorithm>
#include <set>

#include "base/error.h"
#include "base/shown.h"

namespace gloss {
namespace {

constexpr std::size_t kMostLabels = 10'000;

/// Calls `use` with each label and its line, counted from 1.
template <class Use>
void each_label(const IndexedPairs& text, Use use) {
  for (std::int64_t number = 0; number < text.blocks(); ++number) {
    const PairBlock block = text.read(number);
    std::int64_t line = block.first_line;
    for (const PairView& pair : block.pairs) {
      if (!pair.too_long && !pair.target.empty())
        use(pair.target, line);  // a sentence of a story has no answer
      ++line;
    }
  }
}

}  // namespace

std::vector<std::string> labels_of(std::span<const WeightedText> texts) {
  std::set<std::string, std::less<>> labels;
  std::vector<std::string> names;
  for (const WeightedText& text : texts) {
    names.push_back(text.pairs->text());
    each_label(*text.pairs, [&](std::string_view label, std::int64_t line) {
      if (!labels.contains(label)) labels.emplace(label);
      if (labels.size() <= kMostLabels) return;
      throw InputError(concat(names.back(), ":", line, ": found ", text.pairs->target_noun(), " number ",
                              labels.size(), ", expected at most ", kMostLabels, " of them"));
    });
  }
  if (labels.empty())
    throw InputError(concat(join(names, "; "), ": the text is empty; expected lines ",
                            shown(texts.front().pairs->form())));
  if (labels.size() == 1) {
    throw InputError(concat(join(names, "; "), ": all lines have the ", texts.front().pairs->target_noun(),
                            " ", shown(*labels.begin()), "; expected at least two different ",
                            texts.front().pairs->target_noun(), "s"));
  }
  return {labels.begin(), labels.end()};
}

int class_of(const std::vector<std::string>& labels, std::string_view label) {
  const auto found = std::ranges::lower_bound(labels, label);
  return found != labels.end() && *found == label ? static_cast<int>(found - labels.begin()) : -1;
}

void expect_known_labels(const IndexedPairs& text, const std::vector<std::string>& labels,
                         const std::string& advice) {
  each_label(text, [&](std::string_view label, std::int64_t line) {
    if (class_of(labels, label) >= 0) return;
    constexpr std::size_t kShown = 10;
    const std::vector<std::string> first(labels.begin(), labels.begin() + std::min(kShown, labels.size()));
    throw InputError(concat(text.text(), ":", line, ": the model does not have the ", text.target_noun(), " ",
                            shown(label), "; expected one of ", join(first, ", "),
                            labels.size() > kShown ? ", ..." : "", advice.empty() ? "" : "; ", advice));
  });
}

}  // namespace gloss
