// SPDX-License-Identifier: Apache-2.0

#include "pipeline/tasks/embedder.h"

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

Embedder::Around Embedder::around() const {
  const NetworkSettings& network = model_.model.settings;
  const Form form = form_of(network);
  const LineFrame& frame = model_.frame.source;
  Around around;
  const bool begins = form != Form::encoder_decoder && !(form == Form::decoder && model_.format.bare_start);
  if (begins) around.before.push_back(network.begin_token);
  around.before.insert(around.before.end(), frame.before.begin(), frame.before.end());
  if (form == Form::decoder) return around;
  around.after.push_back(network.end_token);
  around.after.insert(around.after.end(), frame.after.begin(), frame.after.end());
  return around;
}

int Embedder::longest() const {
  const auto [before, after] = around();
  return std::max(0,
                  model_.model.settings.sizes.max_positions - static_cast<int>(before.size() + after.size()));
}

std::vector<TokenId> Embedder::prepare(const std::string& line, EmbeddedLine& result) const {
  const CleanText clean = clean_text(line, model_.format.normalization);
  result.replaced = clean.replaced;
  if (is_blank(clean.text)) return {};
  const std::vector<TokenId> text = model_.source->encode(clean.text);
  result.read_tokens = static_cast<int>(text.size());
  result.empty = text.empty();
  result.unknown = static_cast<int>(std::ranges::count(text, model_.source->unknown_id()));
  const int kept = std::min(result.read_tokens, longest());
  result.left_out = result.read_tokens - kept;
  auto [tokens, after] = around();
  tokens.insert(tokens.end(), text.begin(), text.begin() + kept);
  tokens.insert(tokens.end(), after.begin(), after.end());
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
