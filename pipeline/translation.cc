#include "pipeline/translation.h"

#include <algorithm>

#include "base/text.h"
#include "base/threads.h"

namespace gloss {

Fields limit_fields_of(TranslationSettings& settings) {
  Fields fields = fields_of(settings.batches);
  fields.push_back({"max_source_tokens",
                    &settings.max_source_tokens,
                    "a longer line is cut after so many tokens, which is reported",
                    {1, 1e6}});
  return fields;
}

Translator::Translator(const Decoder& decoder, const Subwords& source, const Subwords& target,
                       Normalization normalization, const TranslationSettings& settings, int threads)
    : decoder_(decoder),
      source_(source),
      target_(target),
      normalization_(normalization),
      settings_(settings),
      threads_(threads) {
  check(settings.search, decoder.vocabulary_size());
}

std::vector<TranslatedLine> Translator::translate(std::span<const std::string> lines,
                                                  const std::function<void(int lines)>& finished) const {
  std::vector<TranslatedLine> results(lines.size());
  std::vector<std::vector<TokenId>> encoded(lines.size());
  for_each_item(threads_, static_cast<std::int64_t>(lines.size()), [&](std::int64_t number) {
    const auto line = static_cast<std::size_t>(number);
    encoded[line] = encode(lines[line], results[line]);
  });

  TokenRows sources;
  std::vector<std::size_t> line_of_row;
  for (std::size_t line = 0; line < lines.size(); ++line) {
    if (encoded[line].empty()) {
      results[line].translations.emplace_back();
      continue;
    }
    encoded[line].push_back(source_.end_id());
    sources.add(encoded[line]);
    line_of_row.push_back(line);
  }
  if (line_of_row.size() < lines.size()) finished(static_cast<int>(lines.size() - line_of_row.size()));

  const auto found =
      search_in_batches(decoder_, sources, settings_.search, {}, settings_.batches, threads_, finished);
  for_each_item(threads_, sources.rows(), [&](std::int64_t number) {
    const auto row = static_cast<std::size_t>(number);
    decode(found[row], results[line_of_row[row]]);
  });
  return results;
}

std::vector<TokenId> Translator::encode(const std::string& line, TranslatedLine& result) const {
  if (is_blank(line)) return {};
  const CleanText clean = clean_text(line, normalization_);
  result.replaced = clean.replaced;
  std::vector<TokenId> tokens = source_.encode(clean.text);
  result.source_tokens = static_cast<int>(tokens.size());
  result.left_out = std::max(0, result.source_tokens - settings_.max_source_tokens);
  tokens.resize(tokens.size() - static_cast<std::size_t>(result.left_out));
  return tokens;
}

void Translator::decode(const std::vector<Hypothesis>& hypotheses, TranslatedLine& result) const {
  for (const Hypothesis& hypothesis : hypotheses) {
    result.translations.push_back({target_.decode(hypothesis.tokens), hypothesis.score,
                                   static_cast<int>(hypothesis.tokens.size()), hypothesis.cut});
  }
}

}  // namespace gloss
