// SPDX-License-Identifier: Apache-2.0

#include "pipeline/translation/paragraph_translator.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

#include "tokenizer/sentences/sentence_lines.h"

namespace gloss {
namespace {

/// A number for each sentence of each line, both counted from 0; the first has the number of its line.
constexpr std::uint64_t sentence_number(std::int64_t line, std::size_t sentence) {
  constexpr int kLineBits = 40;
  return static_cast<std::uint64_t>(line) + (static_cast<std::uint64_t>(sentence) << kLineBits);
}

/// What stands between a sentence and the next one, and between their translations.
std::string_view space_after(std::string_view source, std::string_view translation) {
  const std::string_view sentence = without_trailing_space(source), space = source.substr(sentence.size());
  return space == understood_space(sentence) ? understood_space(translation) : space;
}

/// Adds the translation of a part, which begins at the byte `begin` of its line, to that of the line.
void add(const TranslatedLine& part, std::string_view space, std::size_t begin, TranslatedLine& line) {
  line.add(part);
  line.empty = line.empty && part.empty;
  Translation& whole = line.translations.front();
  const Translation& translation = part.translations.front();
  for (TokenLinks links : translation.links) {
    links.source_begin = begin;
    links.target_begin = whole.text.size();
    whole.links.push_back(std::move(links));
  }
  whole.text += translation.text;
  whole.text += space;
  whole.score += translation.score;
  whole.log_probability += translation.log_probability;
  whole.tokens += translation.tokens;
  if (whole.cut == Cut::none) whole.cut = translation.cut;
  whole.missing += translation.missing;
  whole.repeats = std::max(whole.repeats, translation.repeats);
}

}  // namespace

ParagraphTranslator::ParagraphTranslator(const Translator& translator, LineSplitter splitter, bool split)
    : once_(translator), splitter_(std::move(splitter)), split_(split), items_(translator.reads_items()) {}

std::vector<TranslatedLine> ParagraphTranslator::translate_whole(
    std::span<const std::string> lines, std::span<const std::int64_t> line_numbers,
    const std::function<void(int lines)>& finished) {
  std::vector<std::uint64_t> numbers;
  for (const std::int64_t number : line_numbers) numbers.push_back(sentence_number(number, 0));
  std::vector<TranslatedLine> results = once_.translate(lines, numbers, finished);
  for (std::size_t line = 0; line < lines.size() && !items_; ++line) {
    results[line].sentences = splitter_.sentences(lines[line]);
  }
  return results;
}

std::vector<TranslatedLine> ParagraphTranslator::translate(std::span<const std::string> lines,
                                                           const std::function<void(int lines)>& finished,
                                                           std::int64_t first) {
  std::vector<std::int64_t> numbers(lines.size());
  std::iota(numbers.begin(), numbers.end(), first);
  return translate(lines, numbers, finished);
}

std::vector<TranslatedLine> ParagraphTranslator::translate(std::span<const std::string> lines,
                                                           std::span<const std::int64_t> line_numbers,
                                                           const std::function<void(int lines)>& finished) {
  if (!split_) return translate_whole(lines, line_numbers, finished);
  const SplitLines all(splitter_, lines);
  std::vector<std::uint64_t> numbers;
  for (std::size_t line = 0; line < lines.size(); ++line) {
    for (std::size_t part = all.begin(line); part < all.ends[line]; ++part) {
      numbers.push_back(sentence_number(line_numbers[line], part - all.begin(line)));
    }
  }
  const std::vector<TranslatedLine> translated =
      once_.translate(all.texts, numbers, progress_of(all, finished));

  std::vector<TranslatedLine> results(lines.size());
  std::size_t part = 0;
  for (std::size_t line = 0; line < lines.size(); ++line) {
    TranslatedLine& result = results[line];
    result.translations.emplace_back();
    result.empty = true;
    for (; part < all.ends[line]; ++part) {
      const bool last = part + 1 == all.ends[line];
      const std::string& text = translated[part].translations.front().text;
      const auto begin = static_cast<std::size_t>(all.sources[part].data() - lines[line].data());
      add(translated[part], last || text.empty() ? "" : space_after(all.sources[part], text), begin, result);
    }
  }
  return results;
}

}  // namespace gloss
