// SPDX-License-Identifier: Apache-2.0

#include "pipeline/inference/paragraph_translator.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/index.h"
#include "tokenizer/sentences/sentence_division.h"
#include "tokenizer/sentences/sentence_lines.h"

namespace gloss {
namespace {

/// The parts of all lines, one after the other.
struct Parts {
  std::vector<std::string> texts{};         ///< without the white space between them
  std::vector<std::string_view> sources{};  ///< with it
  std::vector<std::uint64_t> numbers{};     ///< seeds of the random numbers
  std::vector<std::size_t> ends{};          ///< for each line: the number of parts up to its end
};

/// A number for each sentence of each line; the first has the number of its line.
std::uint64_t number_of(std::int64_t line, std::size_t sentence) {
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
  line.read_tokens += part.read_tokens;
  line.left_out += part.left_out;
  line.replaced += part.replaced;
  line.empty = line.empty && part.empty;
  line.unknown += part.unknown;
  if (line.problem.empty()) line.problem = part.problem;
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
  whole.repeats = whole.repeats || translation.repeats;
}

}  // namespace

Fields fields_of(ParagraphSettings& settings) {
  return {{"split", &settings.split,
           "translate each sentence of a line by itself; the translations of a line are joined"},
          {"split_language",
           &settings.language,
           "language of the text for --split, such as de; default: that of the model, if it has one",
           {},
           0,
           "CODE"},
          {"split_rules",
           &settings.rules,
           "file of abbreviations and other words for --split ('gloss split --help')",
           {},
           0,
           "FILE"}};
}

SentenceSplitter sentence_splitter(const ParagraphSettings& settings, const std::string& source_language) {
  std::string language = settings.language;
  if (language.empty()) {
    language = source_language;
    std::erase(language, '_');  // "__de__"
    if (!UnicodeSentences::knows(language))
      language = UnicodeSentences::knows(source_language) ? source_language : "";
  }
  SentenceSplitter splitter(language);
  if (!settings.rules.empty()) splitter.add_rules(settings.rules);
  return splitter;
}

ParagraphTranslator::ParagraphTranslator(const Translator& translator, const Subwords& source,
                                         SentenceSplitter splitter, bool split, int longest)
    : once_(translator), source_(source), splitter_(std::move(splitter)), split_(split), longest_(longest) {}

std::vector<std::string_view> ParagraphTranslator::parts(const std::string& line) const {
  const auto tokens = [this](std::string_view text) {
    // A token has a byte or more.
    return std::ssize(text) <= longest_ ? std::ssize(text) : std::ssize(source_.encode(text));
  };
  std::vector<std::string_view> parts;
  for (const std::string_view sentence : splitter_.split(line)) {
    for (const std::string_view part : divided(sentence, longest_, tokens)) parts.push_back(part);
  }
  if (parts.empty()) parts.emplace_back(line);
  return parts;
}

std::vector<TranslatedLine> ParagraphTranslator::translate_whole(
    std::span<const std::string> lines, const std::function<void(int lines)>& finished, std::int64_t first) {
  std::vector<std::uint64_t> numbers;
  for (std::size_t line = 0; line < lines.size(); ++line) {
    numbers.push_back(number_of(first + static_cast<std::int64_t>(line), 0));
  }
  std::vector<TranslatedLine> results = once_.translate(lines, numbers, finished);
  for (std::size_t line = 0; line < lines.size(); ++line) {
    results[line].sentences = static_cast<int>(splitter_.split(lines[line]).size());
  }
  return results;
}

std::vector<TranslatedLine> ParagraphTranslator::translate(std::span<const std::string> lines,
                                                           const std::function<void(int lines)>& finished,
                                                           std::int64_t first) {
  if (!split_) return translate_whole(lines, finished, first);
  Parts all;
  for (std::size_t line = 0; line < lines.size(); ++line) {
    const std::size_t begin = all.texts.size();
    const std::vector<std::string_view> sources = parts(lines[line]);
    for (const std::string_view source : sources) {
      const bool last = all.texts.size() + 1 == begin + sources.size();
      all.numbers.push_back(number_of(first + std::ssize(all.ends), all.texts.size() - begin));
      all.texts.emplace_back(last ? source : without_trailing_space(source));
      all.sources.push_back(source);
    }
    all.ends.push_back(all.texts.size());
  }

  // Parts are finished in any order: the lines that are done are about as many as the share of parts.
  std::int64_t parts_done = 0, lines_done = 0;
  const auto finished_parts = [&](int count) {
    parts_done += count;
    const std::int64_t now = std::ssize(lines) * parts_done / std::ssize(all.texts);
    if (now > lines_done) finished(static_cast<int>(now - lines_done));
    lines_done = now;
  };
  const std::vector<TranslatedLine> translated = once_.translate(all.texts, all.numbers, finished_parts);

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
