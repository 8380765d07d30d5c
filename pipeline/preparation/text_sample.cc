// SPDX-License-Identifier: Apache-2.0

#include "pipeline/preparation/text_sample.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string_view>
#include <unordered_set>

#include "base/counted.h"
#include "base/error.h"
#include "base/index.h"
#include "base/utf8.h"
#include "pipeline/preparation/near_duplicates.h"

namespace gloss {
namespace {

constexpr std::int64_t kSampledBlocks = 40;
/// Fewer pairs are learned by heart.
constexpr std::int64_t kFewPairs = 1000;
/// From this share of pairs with the same text on both sides on, they are no names and numbers alone.
constexpr double kManyCopies = 0.1;

/// Calls `take` with the lines of at most `blocks` blocks, evenly spread, that are not empty; pairs have text
/// on both sides. Returns the number of those that were looked at.
std::int64_t for_some(const IndexedPairs& text, std::int64_t blocks,
                      const std::function<void(const PairView&)>& take) {
  const std::int64_t all = text.blocks(), some = std::min(all, blocks);
  std::int64_t seen = 0;
  for (std::int64_t i = 0; i < some; ++i) {
    const PairBlock block = text.read(i * all / some);
    for (const PairView& pair : block.pairs) {
      if (pair.left_out) continue;
      ++seen;
      if (!pair.too_long && !is_blank(pair.source) && (text.is_plain() || !is_blank(pair.target))) take(pair);
    }
  }
  return seen;
}

/// The number of words between spaces; of a line without spaces, one for eight bytes.
double words_of(std::string_view line) {
  double words = 0;
  bool within = false;
  for (const char byte : line) {
    const bool space = byte == ' ' || byte == '\t';
    if (!space && !within) ++words;
    within = !space;
  }
  return std::max(words, static_cast<double>(line.size()) / 8);
}

using Words = std::unordered_set<std::string>;

void add_words(std::string_view line, Words& words) {
  while (!line.empty()) {
    const std::size_t space = std::min(line.find(' '), line.size());
    if (space > 0) words.emplace(line.substr(0, space));
    line.remove_prefix(std::min(space + 1, line.size()));
  }
}

void add_characters(std::string_view line, Words& characters) {
  while (!line.empty()) {
    const std::size_t size = first_utf8_part(line).size;
    characters.emplace(line.substr(0, size));
    line.remove_prefix(size);
  }
}

/// The different words of both sides of a sample.
struct SideWords {
  Words source, target;
  explicit SideWords(const IndexedPairs& text) {
    for_some(text, kSampledBlocks, [&](const PairView& pair) {
      add_words(pair.source, source);
      add_words(pair.target, target);
    });
  }
};

/// The share of the words of `some` that are in `all`.
double share_in(const Words& some, const Words& all) {
  if (some.empty()) return 0;
  const auto common =
      std::ranges::count_if(some, [&](const std::string& word) { return all.contains(word); });
  return static_cast<double>(common) / static_cast<double>(some.size());
}

bool swapped(const SideWords& text, const SideWords& first) {
  constexpr double kMuchMore = 2;
  return share_in(text.source, first.target) > kMuchMore * share_in(text.source, first.source) &&
         share_in(text.target, first.source) > kMuchMore * share_in(text.target, first.target);
}

}  // namespace

std::string TextSample::text() const {
  return concat(lines, " ", noun, words() > 0 ? " of " + fixed_text(source_words, 1) : "",
                target_words > 0 ? " and " + fixed_text(target_words, 1) : "", words() > 0 ? " words" : "");
}

TextSample sample_of(std::span<const WeightedText> texts) {
  TextSample figures;
  figures.noun = texts.front().pairs->noun() + "s";
  double lines = 0;
  double source_words = 0, target_words = 0;
  std::unordered_set<std::uint64_t> sources;
  Words different, characters;
  std::vector<std::size_t> different_after;  // each line
  std::int64_t repeated = 0, copied = 0;
  const auto blocks = std::max<std::int64_t>(1, kSampledBlocks / std::ssize(texts));
  for (const WeightedText& text : texts) {
    const std::int64_t before = figures.sampled;
    const std::int64_t seen = for_some(*text.pairs, blocks, [&](const PairView& pair) {
      bool first = true;
      for (const std::string_view line : text.pairs->texts_of(pair)) {
        double& words = text.pairs->is_parallel() && !first ? target_words : source_words;
        words += words_of(line);
        add_words(line, different);
        add_characters(line, characters);
        first = false;
      }
      repeated += sources.insert(folded_hash(pair.source)).second ? 0 : 1;
      copied += pair.source == pair.target ? 1 : 0;
      ++figures.sampled;
      different_after.push_back(different.size());
    });
    if (seen == 0) continue;
    const double share = static_cast<double>(figures.sampled - before) / static_cast<double>(seen);
    lines += share * static_cast<double>(text.pairs->kept_lines());
  }
  figures.lines = std::llround(lines);
  if (figures.sampled == 0) return figures;
  const auto all = static_cast<double>(figures.sampled);
  const std::size_t in_half = std::max<std::size_t>(1, different_after[(different_after.size() - 1) / 2]);
  figures.growth =
      std::log2(std::max(1.0, static_cast<double>(different.size())) / static_cast<double>(in_half));
  figures.different_words = std::ssize(different);
  figures.characters = static_cast<int>(characters.size());
  figures.source_words = source_words / all;
  figures.target_words = target_words / all;
  figures.repeated = static_cast<double>(repeated) / all;
  figures.copied = static_cast<double>(copied) / all;
  return figures;
}

void warn_of_mistakes(const TextSample& figures, bool starts, std::span<const WeightedText> texts,
                      const IndexedPairs* validation, Listener& listener) {
  const IndexedPairs& first = *texts.front().pairs;
  if (!first.is_parallel()) return;
  if (figures.sampled > 1 && figures.copied == 1) {
    listener.note(concat(first.text(),
                         ": source and target are the same text, so that the model will only copy; if the "
                         "target is another file, give it with --target"));
  } else if (figures.sampled > 1 && figures.repeated * static_cast<double>(figures.sampled) + 1 >=
                                        static_cast<double>(figures.sampled)) {
    listener.warn(concat(first.text(), ": all lines that were looked at have the source of line 1; the ",
                         "model will know nothing else; give a text with different lines"));
  }
  if (figures.copied >= kManyCopies && figures.copied < 1) {
    listener.warn(
        concat(first.text(), ": ", fixed_text(100 * figures.copied, 0),
               " % of the pairs that were looked at have the same text on both sides, which teaches "
               "the model to copy; leave them out"));
  }
  if (figures.lines < kFewPairs && !starts) {
    listener.note(concat(first.text(), ": ", counted(figures.lines, "pair"),
                         figures.lines == 1 ? " is" : " are",
                         " too few to learn a language from: the model will know them by heart and little "
                         "else; give some thousand pairs, or train a model further with 'gloss finetune'"));
  }
  if (texts.size() < 2 && validation == nullptr) return;
  const SideWords words(first);
  const auto expect_sides = [&](const IndexedPairs& text) {
    if (!swapped(SideWords(text), words)) return;
    listener.warn(concat(text.text(), ": its source has words of the target of ", first.text(),
                         ", and its target those of the source; if the two files are swapped, give them in "
                         "the other order"));
  };
  for (const WeightedText& text : texts.subspan(1)) expect_sides(*text.pairs);
  if (validation != nullptr) expect_sides(*validation);
}

}  // namespace gloss
