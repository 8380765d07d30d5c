// SPDX-License-Identifier: Apache-2.0

#include "pipeline/translation/document_translator.h"

#include <algorithm>
#include <utility>

#include "base/text.h"

namespace gloss {
namespace {

/// Bytes with other bytes in place of some of theirs, which are in order.
std::string with_replaced(std::string_view bytes, std::span<const ByteRange> places,
                          std::span<const std::string> others) {
  std::string result;
  std::size_t at = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    result += bytes.substr(at, places[i].begin - at);
    result += others[i];
    at = places[i].end;
  }
  result += bytes.substr(at);
  return result;
}

/// The marks of a part with other bytes in place of their attributes.
std::vector<Mark> with_attributes(const DocumentPart& part, std::span<const std::string> attributes) {
  std::vector<Mark> marks = part.marks;
  for (std::size_t i = part.attributes.size(); i-- > 0;) {  // from the last: the places stay
    const AttributeText& attribute = part.attributes[i];
    marks[attribute.mark].bytes.replace(attribute.in_mark.begin, attribute.in_mark.size(), attributes[i]);
  }
  return marks;
}

}  // namespace

std::string DocumentTranslator::attribute_bytes(std::string_view text, char quote, std::string_view source,
                                                const TranslatedLine& line, std::string& problem) const {
  const Translation& best = line.translations.front();
  if (!line.problem.empty() || best.text == text) return std::string(source);
  std::string of_text;
  const std::vector<KeptText> kept = protection_.find_or_report(text, of_text);
  if (!of_text.empty()) {
    if (problem.empty()) problem = of_text;
    return std::string(source);
  }
  std::string bytes(1, quote);
  for (const char byte : text_with_marks({text, {}, kept}, best.text, best.links, written_)) {
    if (byte == quote) {
      bytes += quote == '"' ? "&quot;" : "&#39;";
    } else {
      bytes += byte;
    }
  }
  return bytes + quote;
}

TranslatedPart DocumentTranslator::put_back(const DocumentPart& part, TranslatedLine line,
                                            std::span<const TranslatedLine> attributes) const {
  std::vector<std::string> values;
  std::vector<ByteRange> places;
  std::string problem;  // of what stays as it is because nothing can be protected in it
  for (std::size_t i = 0; i < part.attributes.size(); ++i) {
    const AttributeText& attribute = part.attributes[i];
    places.push_back(attribute.in_source);
    values.push_back(attribute_bytes(attribute.text, attribute.quote, attribute.in_source.of(part.source),
                                     attributes[i], problem));
  }
  TranslatedPart result{std::move(line), part.before, part.has_text(), part.input_line};
  const Translation& best = result.translations.front();
  const bool same = best.text == part.text;
  std::vector<KeptText> kept;
  if (part.quote == 0 && !same && result.problem.empty())
    kept = protection_.find_or_report(part.text, result.problem, part.kept);
  if (part.quote != 0) {
    result.bytes += attribute_bytes(part.text, part.quote, part.source, result, problem);
  } else if (!result.problem.empty() || same) {
    result.bytes += with_replaced(part.source, places, values);
  } else {
    const std::vector<Mark> marks = with_attributes(part, values);
    const std::string text = text_with_marks({part.text, marks, kept}, best.text, best.links, written_);
    result.bytes += outside_section(text, part.section);
  }
  if (!result.has_text) result.empty = false;  // nothing is missing
  for (const TranslatedLine& attribute : attributes) result.add(attribute);
  if (result.problem.empty()) result.problem = std::move(problem);
  return result;
}

std::vector<TranslatedLine> DocumentTranslator::translate_texts(
    std::vector<std::string> texts, std::span<const std::int64_t> numbers,
    const std::function<void(int texts)>& finished) {
  std::vector<std::string> problems(texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (std::ssize(texts[i]) <= longest_) continue;
    problems[i] = concat("a text of ", texts[i].size(),
                         " bytes is copied as it is, since --max-line-bytes allows ", longest_);
    texts[i].clear();
  }
  std::vector<TranslatedLine> lines = paragraphs_.translate(texts, numbers, finished);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (!problems[i].empty()) lines[i].problem = std::move(problems[i]);
  }
  return lines;
}

std::vector<TranslatedPart> DocumentTranslator::translate(std::span<const DocumentPart> parts,
                                                          const std::function<void(int parts)>& finished,
                                                          std::int64_t first) {
  std::vector<std::string> texts;
  std::vector<std::int64_t> numbers;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    texts.push_back(parts[i].text);
    for (const AttributeText& attribute : parts[i].attributes) texts.push_back(attribute.text);
    numbers.resize(texts.size(), first + static_cast<std::int64_t>(i));
  }
  // What follows the last text of a document is no part that is translated.
  const std::int64_t parts_with_text = std::ranges::count_if(parts, &DocumentPart::has_text);
  std::int64_t texts_done = 0, parts_done = 0;
  const auto finished_texts = [&](int count) {
    texts_done += count;
    const std::int64_t now = parts_with_text * texts_done / std::ssize(numbers);
    if (now > parts_done) finished(static_cast<int>(now - parts_done));
    parts_done = now;
  };
  std::vector<TranslatedLine> lines = translate_texts(std::move(texts), numbers, finished_texts);
  std::vector<TranslatedPart> results;
  std::size_t next = 0;
  for (const DocumentPart& part : parts) {
    const std::span attributes = std::span(lines).subspan(next + 1, part.attributes.size());
    results.push_back(put_back(part, std::move(lines[next]), attributes));
    next += 1 + part.attributes.size();
  }
  return results;
}

}  // namespace gloss
