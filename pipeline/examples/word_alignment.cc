// SPDX-License-Identifier: Apache-2.0

#include "pipeline/examples/word_alignment.h"

#include <algorithm>

#include "base/error.h"
#include "base/index.h"
#include "base/text.h"

namespace gloss {

int WordAlignment::best_source(int target) const {
  const auto row = weights.begin() + std::ptrdiff_t{target} * sources;
  return static_cast<int>(std::max_element(row, row + sources) - row);
}

WordAlignment AlignedPair::map(int layer, int head) const {
  const auto first = index(layer * heads);
  if (head >= 0) return maps.at(first + index(head));
  WordAlignment mean = maps.at(first);
  for (std::size_t i = 0; i < mean.weights.size(); ++i) {
    float sum = 0;
    for (int h = 0; h < heads; ++h) sum += maps[first + index(h)].weights[i];
    mean.weights[i] = sum / static_cast<float>(heads);
  }
  return mean;
}

WordAlignment sum_words(std::span<const float> weights, const std::vector<int>& source_word_of_column,
                        const std::vector<int>& target_word_of_row) {
  const std::size_t columns = source_word_of_column.size();
  expects(weights.size() == columns * target_word_of_row.size(), "sum_words: ", weights.size(),
          " weights for ", columns, " columns");
  WordAlignment result;
  if (weights.empty()) return result;
  result.sources = *std::ranges::max_element(source_word_of_column) + 1;
  const auto sources = index(result.sources),
             targets = index(*std::ranges::max_element(target_word_of_row) + 1);
  std::vector<float> rows(targets);
  for (const int word : target_word_of_row) {
    if (word >= 0) ++rows[index(word)];
  }
  result.weights.resize(targets * sources);
  for (std::size_t row = 0; row < target_word_of_row.size(); ++row) {
    if (target_word_of_row[row] < 0) continue;
    const auto target = index(target_word_of_row[row]);
    for (std::size_t column = 0; column < columns; ++column) {
      if (source_word_of_column[column] < 0) continue;
      const auto source = index(source_word_of_column[column]);
      result.weights[target * sources + source] += weights[row * columns + column] / rows[target];
    }
  }
  return result;
}

WordAlignment align_words(std::span<const float> attention, const std::vector<int>& source_word_of_piece,
                          const std::vector<int>& target_word_of_piece) {
  const auto with_end = [](std::vector<int> words) {
    words.push_back(-1);
    return words;
  };
  return sum_words(attention, with_end(source_word_of_piece), with_end(target_word_of_piece));
}

std::vector<float> without_frame(std::span<const float> attention, const PairFrame& frame,
                                 std::size_t source_tokens) {
  const std::size_t ends = frame.source.ends ? 1 : 0;
  const std::size_t columns = source_tokens + ends + index(frame.source.size());
  const std::size_t skipped = frame.source.before.size();
  std::vector<float> kept;
  for (std::size_t row = frame.target.size(); (row + 1) * columns <= attention.size(); ++row) {
    const auto of_row = attention.subspan(row * columns + skipped, source_tokens + ends);
    kept.insert(kept.end(), of_row.begin(), of_row.end());
    if (ends == 0) kept.push_back(0);
  }
  if (!frame.reverses() || kept.empty()) return kept;
  const std::size_t width = source_tokens + 1, rows = kept.size() / width;
  for (std::size_t row = 0, other = rows - 1; row + 1 < other; ++row) {  // the last row is that of the end
    --other;
    std::swap_ranges(kept.begin() + std::ptrdiff_t(row * width),
                     kept.begin() + std::ptrdiff_t((row + 1) * width),
                     kept.begin() + std::ptrdiff_t(other * width));
  }
  return kept;
}

std::string hard_alignment_text(const WordAlignment& alignment) {
  std::vector<std::string> pairs;
  for (int target = 0; target < alignment.targets(); ++target) {
    pairs.push_back(concat(alignment.best_source(target), "-", target));
  }
  return join(pairs, " ");
}

std::string soft_alignment_text(const WordAlignment& alignment) {
  constexpr int kDigits = 4;
  std::vector<std::string> rows;
  for (int target = 0; target < alignment.targets(); ++target) {
    std::vector<std::string> row;
    for (int source = 0; source < alignment.sources; ++source) {
      const auto place = index(target * alignment.sources + source);
      row.push_back(fixed_text(static_cast<double>(alignment.weights[place]), kDigits));
    }
    rows.push_back(join(row, ","));
  }
  return join(rows, " ");
}

}  // namespace gloss
