// SPDX-License-Identifier: Apache-2.0

#include "pipeline/tasks/scorer.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "base/error.h"
#include "base/index.h"
#include "base/text.h"
#include "base/threads.h"
#include "pipeline/examples/piece_words.h"
#include "pipeline/search/ensemble.h"
#include "pipeline/search/row_scores.h"
#include "pipeline/tasks/parallel_batches.h"

namespace gloss {

Scorer::Scorer(const TextModels& models, const TranslationSettings& settings, int threads)
    : models_(models),
      settings_(settings),
      threads_(threads),
      plain_(form_of(models.first().model.settings) == Form::decoder) {}

std::vector<ScoredPair> Scorer::score(std::span<const SentencePair> pairs,
                                      const std::function<void(int pairs)>& finished) const {
  if (items_ && pairs.size() > kItemsTogether) {
    return in_parts<ScoredPair>(pairs.size(), [&](std::size_t begin, std::size_t count) {
      return score(pairs.subspan(begin, count), finished);
    });
  }
  std::vector<ScoredPair> results(pairs.size());
  std::vector<Prepared> prepared(pairs.size());
  for_each_item(threads_, static_cast<std::int64_t>(pairs.size()), [&](std::int64_t number) {
    const auto pair = index(number);
    prepared[pair] = prepare(pairs[pair], results[pair]);
  });

  const std::vector<Part> parts = parts_of(prepared);
  TokenRows rows;  // both sides of each part; their lengths determine the batches
  std::vector<std::vector<double>> found(pairs.size());
  for (const Part& part : parts) {
    std::vector<TokenId> both = source_of(prepared[part.pair], part);
    const auto target = std::span(prepared[part.pair].target).subspan(part.begin, part.count);
    both.insert(both.end(), target.begin(), target.end());
    rows.add(both);
    found[part.pair].resize(prepared[part.pair].target.size());
  }
  const auto answer = [&](std::span<const int> together) {
    Batch batch;
    for (const int row : together) {
      const Part& part = parts[index(row)];
      const Prepared& pair = prepared[part.pair];
      if (items_) {
        add_to(batch.source, {pair.source, pair.numbers});
      } else {
        batch.source.add(source_of(pair, part));
      }
      batch.target.add(std::span(pair.target).subspan(part.begin, part.count));
    }
    const std::vector<double> all = log_probabilities(batch);
    int whole = 0;
    for (std::size_t i = 0; i < together.size(); ++i) {
      const Part& part = parts[index(together[i])];
      std::copy_n(all.begin() + batch.target.starts[i], part.count,
                  found[part.pair].begin() + static_cast<std::ptrdiff_t>(part.begin));
      if (part.begin + part.count == found[part.pair].size()) ++whole;
    }
    return whole;
  };
  answer_in_batches(rows, settings_.batches, threads_, answer, finished);
  int blank = 0;
  for (std::size_t pair = 0; pair < pairs.size(); ++pair) {
    if (!found[pair].empty()) fill(prepared[pair], found[pair], results[pair]);
    if (found[pair].empty()) ++blank;
  }
  if (blank > 0) finished(blank);
  return results;
}

std::vector<Scorer::Part> Scorer::parts_of(std::span<const Prepared> prepared) const {
  const auto most = index(settings_.search.max_length) + 1;  // tokens per part
  std::vector<Part> parts;
  for (std::size_t pair = 0; pair < prepared.size(); ++pair) {
    const std::size_t size = prepared[pair].target.size();
    const std::size_t length = plain_ ? most : size;
    for (std::size_t begin = 0; begin < size; begin += length) {
      parts.push_back({pair, begin, std::min(length, size - begin)});
    }
  }
  return parts;
}

std::vector<TokenId> Scorer::source_of(const Prepared& pair, const Part& part) {
  return part.begin == 0 ? pair.source : std::vector<TokenId>{pair.target[part.begin - 1]};
}

Scorer::Prepared Scorer::prepare(const SentencePair& pair, ScoredPair& result) const {
  if (is_blank(pair.source) && is_blank(pair.target)) return {};
  const TextModel& model = models_.first();
  const auto encode = [&](const std::string& line, const Subwords& subwords, const LineFrame& frame,
                          int most) {
    const CleanText clean = clean_text(line, model.format.normalization);
    std::vector<TokenId> tokens = subwords.encode(clean.text);
    const int left_out = std::max(0, static_cast<int>(tokens.size()) - most);
    result.replaced += clean.replaced;
    result.read_tokens += static_cast<int>(tokens.size());
    result.left_out += left_out;
    tokens.resize(tokens.size() - index(left_out));
    return framed(frame, tokens, subwords.end_id());
  };
  const int longest =
      plain_ ? std::numeric_limits<int>::max()
             : std::max(1, settings_.search.max_length - static_cast<int>(model.frame.target.size()));
  Prepared prepared;
  if (items_) {
    try {
      if (is_blank(pair.source)) throw InputError("found a text without an item");
      SourceItem item = items_->read(pair.source);
      prepared.source = std::move(item.row);
      prepared.numbers = std::move(item.numbers);
    } catch (const InputError& error) {
      result.problem = error.what();
      return prepared;
    }
  } else {
    prepared.source = encode(pair.source, *model.source, model.frame.source, settings_.max_source_tokens);
  }
  prepared.target = encode(pair.target, *model.target, model.frame.of_target(), longest);
  if (plain_) {
    const TokenId begin = model.model.settings.begin_token;
    if (begin < 0) prepared.source = {begin};  // a zero vector, not the end of another line
    if (model.format.bare_start && prepared.target.size() > 1) {
      prepared.source = {prepared.target.front()};  // nothing predicts it
      prepared.target.erase(prepared.target.begin());
    }
    const std::span<const TokenId> text(prepared.target.data(), prepared.target.size() - 1);
    result.characters = count_characters(model.target->decode(text)) + 1;
  }
  return prepared;
}

std::vector<double> Scorer::log_probabilities(const Batch& batch) const {
  std::vector<std::vector<float>> of_members;
  for (const TextModel& member : models_.members) {
    of_members.push_back(member.model.network->log_probabilities(batch));
  }
  std::vector<double> mixed(of_members.front().begin(), of_members.front().end());
  if (of_members.size() == 1) return mixed;
  std::vector<double> column(of_members.size());
  for (std::size_t i = 0; i < mixed.size(); ++i) {
    for (std::size_t m = 0; m < column.size(); ++m) column[m] = static_cast<double>(of_members[m][i]);
    mixed[i] = mixed_log_probability(models_.weights, column);
  }
  return mixed;
}

void Scorer::fill(const Prepared& pair, std::span<const double> log_probabilities, ScoredPair& result) const {
  for (const double value : log_probabilities) result.log_probability += value;
  expect_finite_score(result.log_probability);
  result.tokens = static_cast<int>(log_probabilities.size());
  result.score = length_normalized(settings_.search, result.log_probability, result.tokens);
  if (!settings_.word_scores) return;
  const Subwords& target = *models_.first().target;
  std::vector<std::string> pieces;
  const std::size_t before = models_.first().frame.target.size();  // tokens that are no part of the text
  const bool bare = plain_ && models_.first().format.bare_start && pair.target.size() > 1;
  if (bare) pieces.push_back(target.piece(pair.source.front()));
  for (const TokenId token : std::span(pair.target).first(pair.target.size() - 1).subspan(before))
    pieces.push_back(target.piece(token));
  const bool reversed = models_.first().frame.reverses();
  if (reversed) std::ranges::reverse(pieces);
  const PieceWords words = words_of(pieces, target.piece(target.unknown_id()));
  for (const std::vector<std::string>& word : words.words)
    result.words.push_back({word_text(target, word), 0});
  for (std::size_t piece = bare ? 1 : 0; piece < pieces.size(); ++piece) {
    const std::size_t place = reversed ? pieces.size() - 1 - piece : piece - (bare ? 1 : 0);
    result.words[index(words.word_of_piece[piece])].log_probability += log_probabilities[before + place];
  }
  result.end_log_probability = log_probabilities.back();
}

double ScoredPair::perplexity() const { return tokens == 0 ? 1 : std::exp(-log_probability / tokens); }

void ScoreTotals::add(const ScoredPair& pair) {
  ++pairs;
  characters += pair.characters;
  tokens += pair.tokens;
  log_probability += pair.log_probability;
}

double ScoreTotals::perplexity() const { return std::exp(cross_entropy()); }

double ScoreTotals::bits_per_character() const {
  return characters == 0 ? 0 : -log_probability / static_cast<double>(characters) / std::numbers::ln2;
}

}  // namespace gloss
