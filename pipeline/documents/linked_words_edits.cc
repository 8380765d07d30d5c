// SPDX-License-Identifier: Apache-2.0
// Words of a translation after pieces of it are replaced.
#include <algorithm>

#include "pipeline/documents/linked_words.h"

namespace gloss {
namespace {

/// Writes the translation with the edits, and where they are.
std::string edited(std::string_view target, std::vector<TargetEdit>& edits) {
  std::string result;
  std::size_t at = 0;
  for (TargetEdit& edit : edits) {
    result += target.substr(at, edit.old.begin - at);
    edit.now = {result.size(), result.size() + edit.text.size()};
    result += edit.text;
    at = edit.old.end;
  }
  return result.append(target.substr(at));
}

/// What is left of a word, as bytes of the new translation.
std::vector<ByteRange> left_of(ByteRange word, const std::vector<TargetEdit>& edits) {
  std::vector<ByteRange> left;
  const auto ends_before = [](const TargetEdit& edit, std::size_t at) { return edit.old.end <= at; };
  auto edit = std::lower_bound(edits.begin(), edits.end(), word.begin, ends_before);
  while (word.begin < word.end) {
    const bool more = edit != edits.end() && edit->old.begin < word.end;
    const std::size_t end = more ? std::max(word.begin, edit->old.begin) : word.end;
    if (word.begin < end) {
      // The edits before this one end at the same distance from it in both translations.
      const std::size_t before = edit == edits.begin() ? 0 : std::prev(edit)->old.end;
      const std::size_t now = edit == edits.begin() ? 0 : std::prev(edit)->now.end;
      left.push_back({word.begin - before + now, end - before + now});
    }
    word.begin = more ? std::max(end, edit->old.end) : word.end;
    if (more) ++edit;
  }
  return left;
}

}  // namespace

void LinkedWords::apply(std::vector<TargetEdit>& edits, std::string& target) {
  target = edited(target, edits);
  struct Word {
    ByteRange bytes;
    std::vector<float> sums;
  };
  std::vector<ByteRange> targets;
  std::vector<std::vector<const TargetEdit*>> of_sentence(sentences_.size());
  for (const TargetEdit& edit : edits) {
    if (!edit.sources.empty()) of_sentence[sentence_of_source(edit.sources.begin)].push_back(&edit);
  }
  for (std::size_t number = 0; number < sentences_.size(); ++number) {
    Sentence& sentence = sentences_[number];
    const std::size_t columns = sentence.sources.size() + 1;
    std::vector<Word> words;
    for (std::size_t t = sentence.targets.begin; t < sentence.targets.end; ++t) {
      const auto row =
          sentence.sums.begin() + static_cast<std::ptrdiff_t>((t - sentence.targets.begin) * columns);
      for (const ByteRange& bytes : left_of(targets_[t], edits)) {
        words.push_back({bytes, {row, row + static_cast<std::ptrdiff_t>(columns)}});
      }
    }
    for (const TargetEdit* const edit : of_sentence[number]) {
      std::vector<float> sums(columns, 0.0f);
      for (std::size_t i = edit->sources.begin - sentence.sources.begin + 1; i < columns; ++i) sums[i] = 1;
      words.push_back({edit->now, std::move(sums)});
    }
    std::ranges::stable_sort(words, {}, [](const Word& word) { return word.bytes.begin; });
    sentence.targets = {targets.size(), targets.size() + words.size()};
    sentence.sums.clear();
    for (const Word& word : words) {
      targets.push_back(word.bytes);
      sentence.sums.insert(sentence.sums.end(), word.sums.begin(), word.sums.end());
    }
  }
  targets_ = std::move(targets);
}

}  // namespace gloss
