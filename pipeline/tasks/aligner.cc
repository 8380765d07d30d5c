// SPDX-License-Identifier: Apache-2.0

#include "pipeline/tasks/aligner.h"

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "base/index.h"
#include "base/text.h"
#include "base/threads.h"
#include "model/tensor/operation_threads.h"
#include "pipeline/examples/piece_words.h"
#include "pipeline/tasks/parallel_batches.h"

namespace gloss {
namespace {

/// Attention with a column for the end of each source, which items do not have.
std::vector<float> with_end(const std::vector<float>& map, std::size_t columns) {
  std::vector<float> wider;
  for (std::size_t i = 0; i < map.size(); ++i) {
    wider.push_back(map[i]);
    if ((i + 1) % columns == 0) wider.push_back(0);
  }
  return wider;
}

}  // namespace

Aligner::Aligner(const TextModel& model, const TranslationSettings& settings, int threads, AlignSide side)
    : model_(model), settings_(settings), threads_(threads) {
  if (side != AlignSide::cross) {
    inner_.emplace(*model.model.network, side == AlignSide::decoder);
    layers_ = static_cast<int>(inner_->layers().size());
    heads_ = inner_->heads();
    return;
  }
  // A network without attention throws when a step requests it.
  const SingleThreaded alone;
  TokenRows source;
  const NetworkSettings& network = model.model.settings;
  if (network.source.is_text()) {
    source.add(std::span(&network.end_token, 1));
  } else {
    const SourceItem silence = plain_item(network);
    add_to(source, silence);
  }
  const std::unique_ptr<DecoderState> state = model.model.network->start(source);
  SourceAttention attention;
  attention.of_every_head = true;
  model.model.network->step(std::vector<TokenId>{model.model.network->begin()}, *state, &attention);
  heads_ = attention.heads;
  layers_ = static_cast<int>(attention.maps.size()) / heads_;
}

std::vector<AlignedPair> Aligner::align(std::span<const SentencePair> pairs,
                                        const std::function<void(int pairs)>& finished) const {
  if (items_ && pairs.size() > kItemsTogether) {
    return in_parts<AlignedPair>(pairs.size(), [&](std::size_t begin, std::size_t count) {
      return align(pairs.subspan(begin, count), finished);
    });
  }
  std::vector<AlignedPair> results(pairs.size());
  std::vector<Prepared> prepared(pairs.size());
  for_each_item(threads_, static_cast<std::int64_t>(pairs.size()), [&](std::int64_t number) {
    const auto pair = index(number);
    AlignedPair& result = results[pair];
    if (items_) result.name = pairs[pair].source;
    prepared[pair].source = items_ ? prepare_item(pairs[pair].source, result)
                                   : prepare(pairs[pair].source, *model_.source, model_.frame.source,
                                             settings_.max_source_tokens, result, result.source);
    const LineFrame target = model_.frame.of_target();
    const int most = std::max(1, settings_.search.max_length - target.size());
    prepared[pair].target = prepare(pairs[pair].target, *model_.target, target, most, result, result.target);
  });

  TokenRows lengths;  // both sides of each pair; their lengths determine the batches
  std::vector<std::size_t> pair_of_row;
  for (std::size_t pair = 0; pair < pairs.size(); ++pair) {
    if (results[pair].source.empty() || results[pair].target.empty()) continue;
    std::vector<TokenId> both = prepared[pair].source.tokens;
    both.insert(both.end(), prepared[pair].target.tokens.begin(), prepared[pair].target.tokens.end());
    lengths.add(both);
    pair_of_row.push_back(pair);
  }
  if (pair_of_row.size() < pairs.size()) finished(static_cast<int>(pairs.size() - pair_of_row.size()));
  const auto answer = [&](std::span<const int> batch) {
    std::vector<const Prepared*> together;
    std::vector<AlignedPair*> to;
    for (const int row : batch) {
      const std::size_t pair = pair_of_row[index(row)];
      together.push_back(&prepared[pair]);
      to.push_back(&results[pair]);
    }
    if (inner_) {
      look_within(together, to);
    } else {
      look(together, to);
    }
    return static_cast<int>(together.size());
  };
  answer_in_batches(lengths, settings_.batches, threads_, answer, finished);
  return results;
}

Aligner::Side Aligner::prepare(const std::string& line, const Subwords& subwords, const LineFrame& frame,
                               int most, AlignedPair& result, std::vector<std::string>& words) const {
  if (is_blank(line)) return {};
  const CleanText clean = clean_text(line, model_.format.normalization);
  Side side;
  side.tokens = subwords.encode(clean.text);
  std::vector<std::string> pieces = subwords.encode_pieces(clean.text);
  const auto kept = std::min(side.tokens.size(), index(most));
  result.replaced += clean.replaced;
  result.read_tokens += static_cast<int>(side.tokens.size());
  result.left_out += static_cast<int>(side.tokens.size() - kept);
  side.tokens.resize(kept);
  side.tokens = framed(frame, side.tokens, subwords.end_id());
  pieces.resize(kept);
  if (pieces_) {
    side.word_of_piece.resize(kept);
    std::iota(side.word_of_piece.begin(), side.word_of_piece.end(), 0);
    words = std::move(pieces);
  } else {
    const PieceWords found = words_of(pieces);
    side.word_of_piece = found.word_of_piece;
    for (const std::vector<std::string>& word : found.words) words.push_back(word_text(subwords, word));
  }
  LineFrame of_words = frame;
  std::ranges::fill(of_words.before, -1);
  std::ranges::fill(of_words.after, -1);
  side.word_of_token = framed(of_words, side.word_of_piece, -1);
  return side;
}

Aligner::Side Aligner::prepare_item(const std::string& line, AlignedPair& result) const {
  if (is_blank(line)) return {};
  try {
    SourceItem item = items_->read(line);
    result.source = place_names(model_.model.settings.source, item.row.size());
    std::vector<int> places(result.source.size());
    std::iota(places.begin(), places.end(), 0);
    return {std::move(item.row), places, places, std::move(item.numbers)};
  } catch (const InputError& error) {
    result.problem = error.what();
    return {};
  }
}

TokenRows Aligner::sources_of(std::span<const Prepared* const> pairs) const {
  TokenRows sources;
  for (const Prepared* pair : pairs) {
    if (items_) {
      add_to(sources, {pair->source.tokens, pair->source.numbers});
    } else {
      sources.add(pair->source.tokens);
    }
  }
  return sources;
}

void Aligner::look_within(std::span<const Prepared* const> pairs,
                          std::span<AlignedPair* const> results) const {
  Batch batch;
  batch.source = sources_of(pairs);
  for (const Prepared* pair : pairs) batch.target.add(pair->target.tokens);
  const std::vector<std::vector<float>> weights = inner_->of_rows(batch);
  for (std::size_t pair = 0; pair < pairs.size(); ++pair) {
    const bool of_decoder = inner_->of_decoder();
    const std::vector<int>& rows = (of_decoder ? pairs[pair]->target : pairs[pair]->source).word_of_token;
    std::vector<int> columns = rows;
    if (of_decoder) {  // the columns are the tokens before those of the rows
      columns.insert(columns.begin(), -1);
      columns.pop_back();
      results[pair]->source = results[pair]->target;
    } else {
      results[pair]->target = results[pair]->source;
    }
    results[pair]->heads = heads_;
    const std::size_t area = rows.size() * rows.size();
    for (std::size_t map = 0; map < index(layers_ * heads_); ++map) {
      const auto of_map = std::span(weights[pair]).subspan(map * area, area);
      results[pair]->maps.push_back(sum_words(of_map, columns, rows));
    }
  }
}

void Aligner::look(std::span<const Prepared* const> pairs, std::span<AlignedPair* const> results) const {
  const Network& network = *model_.model.network;
  const std::unique_ptr<DecoderState> state = network.start(sources_of(pairs));
  std::vector<std::size_t> rows(pairs.size());  // the pair of each row of the state
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  std::vector<std::vector<std::vector<float>>> looked(pairs.size());  // attention per pair and map
  SourceAttention attention;
  attention.of_every_head = true;
  for (std::size_t step = 0; !rows.empty(); ++step) {
    std::vector<TokenId> latest;
    for (const std::size_t pair : rows) {
      latest.push_back(step == 0 ? network.begin() : pairs[pair]->target.tokens[step - 1]);
    }
    network.step(latest, *state, &attention);
    std::vector<int> kept;
    std::vector<std::size_t> next;
    for (std::size_t row = 0; row < rows.size(); ++row) {
      const std::size_t pair = rows[row];
      results[pair]->heads = attention.heads;
      results[pair]->alignment_head = attention.alignment_head;
      looked[pair].resize(attention.maps.size());
      for (std::size_t map = 0; map < attention.maps.size(); ++map) {
        const auto begin = attention.maps[map].begin();
        looked[pair][map].insert(looked[pair][map].end(),
                                 begin + static_cast<std::ptrdiff_t>(attention.starts[row]),
                                 begin + static_cast<std::ptrdiff_t>(attention.starts[row + 1]));
      }
      if (step + 1 == pairs[pair]->target.tokens.size()) continue;
      kept.push_back(static_cast<int>(row));
      next.push_back(pair);
    }
    state->select(kept);
    rows = std::move(next);
  }
  for (std::size_t pair = 0; pair < pairs.size(); ++pair) {
    const Side &source = pairs[pair]->source, &target = pairs[pair]->target;
    for (const std::vector<float>& map : looked[pair]) {
      const std::vector<float> of_text = without_frame(items_ ? with_end(map, source.tokens.size()) : map,
                                                       model_.frame, source.word_of_piece.size());
      results[pair]->maps.push_back(align_words(of_text, source.word_of_piece, target.word_of_piece));
    }
  }
}

}  // namespace gloss
