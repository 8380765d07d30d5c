#include "pipeline/scoring.h"

#include <algorithm>
#include <cmath>
#include <mutex>

#include "base/text.h"
#include "base/threads.h"
#include "model/tensor/threads.h"
#include "pipeline/ensemble.h"
#include "pipeline/words.h"

namespace gloss {

Scorer::Scorer(const TranslationModels& models, const TranslationSettings& settings, int threads)
    : models_(models), settings_(settings), threads_(threads) {}

std::vector<ScoredPair> Scorer::score(std::span<const SentencePair> pairs,
                                      const std::function<void(int pairs)>& finished) const {
  std::vector<ScoredPair> results(pairs.size());
  std::vector<Prepared> prepared(pairs.size());
  for_each_item(threads_, static_cast<std::int64_t>(pairs.size()), [&](std::int64_t number) {
    const auto pair = static_cast<std::size_t>(number);
    prepared[pair] = prepare(pairs[pair], results[pair]);
  });

  TokenRows lengths;  // both sides of each pair, by which pairs are put together
  std::vector<std::size_t> pair_of_row;
  for (std::size_t pair = 0; pair < pairs.size(); ++pair) {
    if (prepared[pair].source.size() + prepared[pair].target.size() == 0) continue;
    std::vector<TokenId> both = prepared[pair].source;
    both.insert(both.end(), prepared[pair].target.begin(), prepared[pair].target.end());
    lengths.add(both);
    pair_of_row.push_back(pair);
  }
  if (pair_of_row.size() < pairs.size()) finished(static_cast<int>(pairs.size() - pair_of_row.size()));
  const auto batches = search_batches(lengths, settings_.batches, threads_);
  std::mutex telling;
  for_each_item(threads_, static_cast<std::int64_t>(batches.size()), [&](std::int64_t number) {
    const std::vector<int>& rows = batches[static_cast<std::size_t>(number)];
    const SingleThreaded alone;
    Batch batch;
    for (const int row : rows) {
      const Prepared& pair = prepared[pair_of_row[static_cast<std::size_t>(row)]];
      batch.source.add(pair.source);
      batch.target.add(pair.target);
    }
    const std::vector<double> found = log_probabilities(batch);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::size_t pair = pair_of_row[static_cast<std::size_t>(rows[i])];
      const auto first = static_cast<std::size_t>(batch.target.starts[i]);
      fill(prepared[pair], std::span(found).subspan(first, prepared[pair].target.size()), results[pair]);
    }
    const std::lock_guard lock(telling);
    finished(static_cast<int>(rows.size()));
  });
  return results;
}

Scorer::Prepared Scorer::prepare(const SentencePair& pair, ScoredPair& result) const {
  if (is_blank(pair.source) && is_blank(pair.target)) return {};
  const TranslationModel& model = models_.first();
  const auto encode = [&](const std::string& line, const Subwords& subwords, int most) {
    const CleanText clean = clean_text(line, model.normalization);
    std::vector<TokenId> tokens = subwords.encode(clean.text);
    const int left_out = std::max(0, static_cast<int>(tokens.size()) - most);
    result.replaced += clean.replaced;
    result.left_out += left_out;
    tokens.resize(tokens.size() - static_cast<std::size_t>(left_out));
    tokens.push_back(subwords.end_id());
    return tokens;
  };
  return {encode(pair.source, *model.source, settings_.max_source_tokens),
          encode(pair.target, *model.target, settings_.search.max_length)};
}

std::vector<double> Scorer::log_probabilities(const Batch& batch) const {
  std::vector<std::vector<float>> of_members;
  for (const TranslationModel& member : models_.members) {
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
  result.tokens = static_cast<int>(log_probabilities.size());
  result.score = length_normalized(settings_.search, result.log_probability, result.tokens);
  if (!settings_.word_scores) return;
  const Subwords& target = *models_.first().target;
  std::vector<std::string> pieces;
  for (const TokenId token : std::span(pair.target).first(pair.target.size() - 1))
    pieces.push_back(target.piece(token));
  const PieceWords words = words_of(pieces);
  for (const std::vector<std::string>& word : words.words)
    result.words.push_back({word_text(target, word), 0});
  for (std::size_t piece = 0; piece < pieces.size(); ++piece) {
    result.words[static_cast<std::size_t>(words.word_of_piece[piece])].log_probability +=
        log_probabilities[piece];
  }
  result.end_log_probability = log_probabilities.back();
}

void ScoreTotals::add(const ScoredPair& pair) {
  ++pairs;
  tokens += pair.tokens;
  log_probability += pair.log_probability;
}

double ScoreTotals::perplexity() const { return std::exp(cross_entropy()); }

}  // namespace gloss
