// SPDX-License-Identifier: Apache-2.0

#include "pipeline/tasks/generator.h"

#include <algorithm>
#include <limits>

#include "base/error.h"
#include "base/index.h"
#include "base/text.h"
#include "base/threads.h"
#include "pipeline/translation/lexicon.h"

namespace gloss {

GenerationSettings::GenerationSettings() {
  search.beam_size = 1;
  search.length_penalty = 0;
}

Fields search_fields_of(GenerationSettings& settings) {
  SearchSettings& search = settings.search;
  Fields fields = fields_of(search);
  // What needs a source.
  leave_out(fields, search.coverage_penalty, search.max_length_factor, search.max_length_offset,
            search.max_length);
  field_of(fields, search.min_length).help = "minimum number of added tokens";
  field_of(fields, search.no_repeat_ngram).help =
      "forbid that added text repeats any N tokens in a row; 0: allow it";
  field_of(fields, search.n_best).help = "number of texts per line, at most the beam size";
  field_of(fields, search.length_penalty).help =
      "exponent A in score = log-probability / length^A (added tokens and the end token)";
  fields.insert(fields.begin(), {"max_tokens",
                                 &settings.max_tokens,
                                 "add at most N tokens to a line, limited by the model's positions",
                                 {1, 1e6}});
  fields.push_back(
      {"ban", &settings.ban, "file of phrases, one per line, that are never added as words", {}, 0, "FILE"});
  return fields;
}

Generator::Generator(const TextModels& models, const GenerationSettings& settings, int threads)
    : models_(models), settings_(settings), threads_(threads), positions_(std::numeric_limits<int>::max()) {
  settings_.search.max_length = settings.max_tokens;
  if (settings.search.min_length > settings.max_tokens) {
    throw UsageError(concat("--min-length ", settings.search.min_length, " is larger than --max-tokens ",
                            settings.max_tokens));
  }
  check(settings_.search, models.decoder().vocabulary_size());
  for (const TextModel& member : models.members) {
    positions_ = std::min(positions_, member.model.settings.sizes.max_positions);
  }
  rules_ = rules_of(*models.first().target, models.decoder().vocabulary_size());
  if (!settings.ban.empty()) {
    rules_.push_back(
        read_banned_phrases(settings.ban, *models.first().target, models.first().format.normalization));
  }
}

std::vector<GeneratedLine> Generator::continue_lines(std::span<const std::string> prompts,
                                                     const std::function<void(int lines)>& finished,
                                                     std::int64_t first) const {
  std::vector<GeneratedLine> results(prompts.size());
  std::vector<Prepared> prepared(prompts.size());
  for_each_item(threads_, static_cast<std::int64_t>(prompts.size()), [&](std::int64_t number) {
    const auto line = index(number);
    prepared[line] = prepare(prompts[line], results[line]);
  });
  return search_all(prepared, std::move(results), finished, first);
}

std::vector<GeneratedLine> Generator::begin_lines(int count, const std::function<void(int lines)>& finished,
                                                  std::int64_t first) const {
  const std::vector<Prepared> nothing(index(count), {"", {}, true});
  return search_all(nothing, std::vector<GeneratedLine>(nothing.size()), finished, first);
}

Generator::Prepared Generator::prepare(const std::string& prompt, GeneratedLine& result) const {
  result.empty = is_blank(prompt);
  if (result.empty) return {};
  CleanText clean = clean_text(prompt, models_.first().format.normalization);
  result.replaced = clean.replaced;
  std::vector<TokenId> tokens = models_.first().target->encode(clean.text);
  result.read_tokens = static_cast<int>(tokens.size());
  result.unknown = static_cast<int>(std::ranges::count(tokens, models_.first().target->unknown_id()));
  const bool searched = !tokens.empty();
  return {std::move(clean.text), std::move(tokens), searched};
}

std::vector<GeneratedLine> Generator::search_all(std::span<const Prepared> prepared,
                                                 std::vector<GeneratedLine> results,
                                                 const std::function<void(int lines)>& finished,
                                                 std::int64_t first) const {
  const TokenId begin = models_.decoder().begin();
  SearchInput rows;
  std::vector<std::size_t> line_of_row;
  for (std::size_t line = 0; line < prepared.size(); ++line) {
    if (!prepared[line].searched) {
      results[line].texts.emplace_back();
      continue;
    }
    std::span<const TokenId> seen = prepared[line].tokens;
    // The begin token, each prompt token and each added token take a position; at least one token is added.
    if (static_cast<int>(seen.size()) > positions_ - 2) {
      seen = seen.last(index((positions_ - 1) / 2));
    }
    results[line].left_out = static_cast<int>(prepared[line].tokens.size() - seen.size());
    std::vector<TokenId> source;
    if (seen.empty() || !models_.first().format.bare_start) source.push_back(begin);
    source.insert(source.end(), seen.begin(), seen.end());
    RowDemands demands;
    demands.number = static_cast<std::uint64_t>(first) + line;
    demands.longest = std::min(settings_.max_tokens, positions_ - static_cast<int>(seen.size()) - 1);
    rows.sources.add(source);
    rows.demands.push_back(std::move(demands));
    line_of_row.push_back(line);
  }
  if (line_of_row.size() < prepared.size()) finished(static_cast<int>(prepared.size() - line_of_row.size()));
  const auto found = [&](int row, std::vector<Hypothesis> hypotheses) {
    const std::size_t line = line_of_row[index(row)];
    for (const Hypothesis& hypothesis : hypotheses) {
      results[line].texts.push_back(text_of(hypothesis, prepared[line]));
    }
  };
  search_in_batches(models_.decoder(), rows, settings_.search, rules_, settings_.batches, threads_, found,
                    finished);
  return results;
}

GeneratedText Generator::text_of(const Hypothesis& hypothesis, const Prepared& prepared) const {
  const Subwords& subwords = *models_.first().target;
  // The text of a piece may depend on the preceding pieces: for example, whether it begins with a space.
  std::vector<TokenId> all = prepared.tokens;
  all.insert(all.end(), hypothesis.tokens.begin(), hypothesis.tokens.end());
  const std::string before = subwords.decode(prepared.tokens), whole = subwords.decode(all);
  std::string added =
      whole.starts_with(before) ? whole.substr(before.size()) : subwords.decode(hypothesis.tokens);
  if (prepared.text.ends_with(' ') && added.starts_with(' ')) added.erase(0, 1);
  return {prepared.text,
          std::move(added),
          hypothesis.score,
          hypothesis.log_probability,
          static_cast<int>(hypothesis.tokens.size()),
          hypothesis.cut != Cut::none};
}

}  // namespace gloss
