// SPDX-License-Identifier: Apache-2.0

#include "pipeline/translation/translation_totals.h"

#include <algorithm>

#include "base/counted.h"
#include "base/text.h"
#include "pipeline/search/batch_drafts.h"

namespace gloss {
namespace {

std::size_t index(Shortcoming::Kind kind) { return static_cast<std::size_t>(kind); }

}  // namespace

void TranslationTotals::add(const TranslatedLine& line, std::span<const Shortcoming> found) {
  source_tokens += line.read_tokens - line.left_out;
  target_tokens += line.translations.front().tokens;
  for (const Shortcoming& shortcoming : found) ++lines[index(shortcoming.kind)];
}

void TranslationTotals::add(const DraftCounts& counts) {
  drafted_tokens += counts.drafted;
  accepted_tokens += counts.accepted;
  undrafted_tokens += counts.undrafted;
}

std::vector<std::int64_t*> TranslationTotals::counts() {
  std::vector<std::int64_t*> all{&source_tokens, &target_tokens, &drafted_tokens, &accepted_tokens,
                                 &undrafted_tokens};
  for (std::int64_t& number : lines) all.push_back(&number);
  return all;
}

bool TranslationTotals::has_problems() const {
  return std::ranges::any_of(lines, [](std::int64_t number) { return number > 0; });
}

std::string TranslationTotals::summary() const {
  if (source_tokens == 0) return "no text to translate";
  const std::string tokens = counted(source_tokens, "token");
  if (target_tokens == 0) return concat(tokens, ", but all translations are empty");
  return concat(tokens, " translated into ", target_tokens);
}

std::string TranslationTotals::problems() const {
  std::string text;
  using enum Shortcoming::Kind;
  const auto add = [&](Shortcoming::Kind kind, const char* one, const char* several) {
    const std::int64_t number = lines[index(kind)];
    if (number > 0) text += concat(", ", number, " ", number == 1 ? one : several);
  };
  add(too_long, "longer than nearly all training lines", "longer than nearly all training lines");
  add(several_sentences, "with several sentences", "with several sentences");
  add(repeats, "that repeats a phrase", "that repeat a phrase");
  add(copy, "left untranslated", "left untranslated");
  return text;
}

std::string TranslationTotals::drafts() const {
  if (drafted_tokens == 0) return ", no tokens drafted";
  return concat(", ", accepted_tokens, " of ", counted(drafted_tokens, "drafted token"), " accepted");
}

std::string TranslationTotals::missing_drafts() const {
  if (2 * undrafted_tokens <= target_tokens) return "";
  constexpr int kMost = BatchDrafts::kMostRows;
  return concat("--draft: most tokens had no draft, since batches of more than ", kMost,
                " lines use none; leave out --draft for a large file, or give --batch-size ", kMost);
}

}  // namespace gloss
