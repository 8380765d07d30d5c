// SPDX-License-Identifier: Apache-2.0

#include "pipeline/tasks/filler.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/index.h"
#include "base/text.h"
#include "pipeline/examples/piece_words.h"

namespace gloss {

const char* const kMaskText = "<mask>";

namespace {

// Never candidates: unknown, begin, end and mask; vocabularies of other programs have more.
constexpr int kSpecialTokens = 4, kForeignSpecialTokens = 16;

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
}

/// A private-use character (U+E000), which does not occur in text.
constexpr std::string_view kNothing = "\xEE\x80\x80";

const TokenPredictor& token_predictor_of(const TextModel& model) {
  const TokenPredictor* const predictor = model.model.network->token_predictor();
  if (predictor == nullptr || model.format.mask_token < 0) {
    throw UsageError("the model has no mask token; expected a model from 'gloss pretrain --objective mlm'");
  }
  return *predictor;
}

}  // namespace

Filler::Filler(const TextModel& model, const FillSettings& settings, int threads)
    : model_(model), settings_(settings), threads_(threads), texts_(piece_texts(*model.target)) {
  token_predictor_of(model);
}

std::vector<FilledLine> Filler::fill(std::span<const std::string> lines,
                                     const std::function<void(int lines)>& finished) const {
  std::vector<FilledLine> results(lines.size());
  std::vector<Prepared> prepared(lines.size());
  answer_in_batches(
      lines.size(), settings_.batches, threads_,
      [&](std::size_t line) {
        prepared[line] = prepare(lines[line], results[line]);
        return std::span<const TokenId>(prepared[line].tokens);
      },
      [&](std::span<const int> batch) { take_results(prepared, batch, results); }, finished);
  return results;
}

bool Filler::has_own_mask() const { return model_.format.mask_token < model_.target->size(); }

Filler::Prepared Filler::prepare(const std::string& line, FilledLine& result) const {
  CleanText clean = clean_text(line, model_.format.normalization);
  result.replaced = clean.replaced;
  if (has_own_mask()) replace_all(clean.text, model_.target->piece(model_.format.mask_token), kMaskText);
  Prepared prepared;
  if (is_blank(clean.text)) return prepared;
  std::size_t begin = 0;
  for (std::size_t found; (found = clean.text.find(kMaskText, begin)) != std::string::npos;) {
    prepared.parts.push_back(clean.text.substr(begin, found - begin));
    begin = found + std::string_view(kMaskText).size();
  }
  prepared.parts.push_back(clean.text.substr(begin));
  if (prepared.parts.size() == 1) {
    result.text = clean.text;
    return prepared;
  }
  prepared.tokens.push_back(model_.target->begin_id());
  if (has_own_mask()) {
    const std::string& mask = model_.target->piece(model_.format.mask_token);
    for (const TokenId token : model_.target->encode(join(prepared.parts, mask))) {
      if (token == model_.format.mask_token)
        prepared.places.push_back(static_cast<int>(prepared.tokens.size()));
      prepared.tokens.push_back(token);
    }
  }
  for (std::size_t part = 0; part < prepared.parts.size() && !has_own_mask(); ++part) {
    if (part > 0) {
      prepared.places.push_back(static_cast<int>(prepared.tokens.size()));
      prepared.tokens.push_back(model_.format.mask_token);
    }
    const std::vector<TokenId> tokens = encode(prepared.parts[part], part > 0);
    prepared.tokens.insert(prepared.tokens.end(), tokens.begin(), tokens.end());
  }
  result.read_tokens = static_cast<int>(prepared.tokens.size()) - 1;
  const int most = model_.model.settings.sizes.max_positions - 1;  // and the end token
  result.left_out = std::max(0, static_cast<int>(prepared.tokens.size()) - most);
  prepared.tokens.resize(prepared.tokens.size() - index(result.left_out));
  std::erase_if(prepared.places, [&](int place) { return place >= most; });
  prepared.tokens.push_back(model_.target->end_id());
  return prepared;
}

std::vector<TokenId> Filler::encode(const std::string& part, bool behind_mask) const {
  if (!behind_mask || part.empty() || part.front() == ' ') return model_.target->encode(part);
  // Encodes the part after another character, so that it continues a word, and removes that character's
  // tokens.
  const std::vector<TokenId> beginning = model_.target->encode(kNothing);
  std::vector<TokenId> tokens = model_.target->encode(std::string(kNothing) + part);
  tokens.erase(tokens.begin(), tokens.begin() + static_cast<std::ptrdiff_t>(beginning.size()));
  return tokens;
}

void Filler::take_results(std::span<const Prepared> prepared, std::span<const int> batch,
                          std::span<FilledLine> results) const {
  TokenRows rows;
  std::vector<int> places;
  for (const int line : batch) {
    const Prepared& of_line = prepared[index(line)];
    if (of_line.places.empty()) continue;
    for (const int place : of_line.places) places.push_back(rows.starts.back() + place);
    rows.add(of_line.tokens);
  }
  TopScores best;
  const int special = has_own_mask() ? kForeignSpecialTokens : kSpecialTokens;
  if (!places.empty()) {
    token_predictor_of(model_).best_tokens(rows, places,
                                           {.best = settings_.candidates + special, .watched = {}}, best);
  }
  std::int64_t row = 0;
  for (const int line : batch) {
    const Prepared& of_line = prepared[index(line)];
    FilledLine& result = results[index(line)];
    if (of_line.tokens.empty()) continue;
    for (std::size_t part = 0; part < of_line.parts.size(); ++part) {
      if (part > of_line.places.size()) result.text += kMaskText;  // the mask is beyond the model's positions
      if (part > 0 && part <= of_line.places.size()) {
        result.masks.push_back(candidates_of(best, row++));
        if (result.masks.back().empty()) result.masks.back().push_back({kMaskText, false, 0});
        const MaskCandidate& chosen = result.masks.back().front();
        if (chosen.joined && result.text.ends_with(' ')) result.text.pop_back();
        if (!chosen.joined && !result.text.empty() && !result.text.ends_with(' ')) result.text += ' ';
        result.text += chosen.text;
      }
      result.text += of_line.parts[part];
    }
  }
}

std::vector<MaskCandidate> Filler::candidates_of(const TopScores& best, std::int64_t row) const {
  std::vector<MaskCandidate> candidates;
  const Subwords& subwords = *model_.target;
  for (const ScoredToken& token : best.best(row)) {
    const bool special = token.token == subwords.unknown_id() || token.token == subwords.begin_id() ||
                         token.token == subwords.end_id() || token.token == model_.format.mask_token;
    if (special || std::ssize(candidates) == settings_.candidates) continue;
    const std::string& text = texts_[index(token.token)];
    if (text.empty()) continue;  // another special piece
    const bool begins = text.starts_with(' ');
    candidates.push_back({begins ? text.substr(1) : text, !begins,
                          std::exp(static_cast<double>(token.score) - best.log_sum(row))});
  }
  return candidates;
}

}  // namespace gloss
