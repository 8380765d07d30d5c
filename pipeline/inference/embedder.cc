// SPDX-License-Identifier: Apache-2.0

#include "pipeline/inference/embedder.h"

#include <algorithm>

#include "base/index.h"
#include "base/text.h"
#include "model/tensor/stored_matrix.h"

namespace gloss {

Field pooling_field(EmbeddingSettings& settings) {
  return {"pooling", choice(settings.pooling, {"first", "last", "mean", "max"}),
          "hidden states that form a line's vector: first token (the class token of masked models), last "
          "token (which in language models has seen the whole line), or mean or maximum of all tokens"};
}

Embedder::Embedder(const TextModel& model, const EmbeddingSettings& settings, int threads)
    : model_(model), settings_(settings), threads_(threads) {
  TokenRows row;
  row.add(std::vector<TokenId>{model.target->end_id()});
  width_ = static_cast<int>(model.model.network->states(row).columns());
}

std::vector<EmbeddedLine> Embedder::embed(std::span<const std::string> lines,
                                          const std::function<void(int lines)>& finished) const {
  std::vector<EmbeddedLine> results(lines.size());
  answer_rows(
      lines.size(), settings_.batches, threads_,
      [&](std::size_t line) { return prepare(lines[line], results[line]); },
      [&](const ReadTogether& read) { take_results(read, results); }, finished);
  return results;
}

std::vector<TokenId> Embedder::prepare(const std::string& line, EmbeddedLine& result) const {
  const CleanText clean = clean_text(line, model_.format.normalization);
  result.replaced = clean.replaced;
  if (is_blank(clean.text)) return {};
  const NetworkSettings& network = model_.model.settings;
  const Form form = form_of(network);
  std::vector<TokenId> tokens;
  const LineFrame& frame = model_.frame.source;
  const bool begins = form != Form::encoder_decoder && !(form == Form::decoder && model_.format.bare_start);
  if (begins) tokens.push_back(network.begin_token);
  tokens.insert(tokens.end(), frame.before.begin(), frame.before.end());
  const std::size_t before = tokens.size(), after = form == Form::decoder ? 0 : 1 + frame.after.size();
  const std::vector<TokenId> text = model_.source->encode(clean.text);
  tokens.insert(tokens.end(), text.begin(), text.end());
  result.read_tokens = static_cast<int>(text.size());
  result.empty = text.empty();
  result.unknown = static_cast<int>(std::ranges::count(text, model_.source->unknown_id()));
  const auto most = index(network.sizes.max_positions);
  const std::size_t kept = std::min(text.size(), most - std::min(most, before + after));
  result.left_out = static_cast<int>(text.size() - kept);
  tokens.resize(before + kept);
  if (after > 0) tokens.push_back(network.end_token);
  if (after > 0) tokens.insert(tokens.end(), frame.after.begin(), frame.after.end());
  return tokens;
}

void Embedder::take_results(const ReadTogether& read, std::span<EmbeddedLine> results) const {
  const auto& [rows, lines] = read;
  const Tensor states = model_.model.network->states(rows);
  for (std::size_t row = 0; row < lines.size(); ++row) {
    results[index(lines[row])].vector = pooled(states, rows.starts[row], rows.length(static_cast<int>(row)));
  }
}

std::vector<float> Embedder::pooled(const Tensor& states, int first, int count) const {
  const StoredMatrix all = states.stored();
  std::vector<float> row(index(width_));
  if (settings_.pooling == Pooling::first || settings_.pooling == Pooling::last) {
    widen_row(all, settings_.pooling == Pooling::first ? first : first + count - 1, row.data());
    return row;
  }
  const bool mean = settings_.pooling == Pooling::mean;
  std::vector<double> all_places(row.size());
  for (int place = first; place < first + count; ++place) {
    widen_row(all, place, row.data());
    for (std::size_t i = 0; i < row.size(); ++i) {
      const auto value = static_cast<double>(row[i]);
      if (mean) all_places[i] += value / count;
      if (!mean) all_places[i] = place == first ? value : std::max(all_places[i], value);
    }
  }
  std::ranges::transform(all_places, row.begin(), [](double value) { return static_cast<float>(value); });
  return row;
}

}  // namespace gloss
