// SPDX-License-Identifier: Apache-2.0

#include "model/networks/output_part.h"

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "base/index.h"
#include "base/rounding.h"
#include "model/tensor/int4_groups.h"
#include "model/tensor/pooled_memory.h"
#include "model/tensor/profile.h"

namespace gloss {
namespace {

const ProfiledOperation kPartScores("shortlist scores");

constexpr std::size_t kUnit =
    64;  // parts are padded to a multiple of this many tokens, to limit the number of product shapes

/// Rows of a matrix, copied to contiguous memory.
struct GatheredRows {
  std::vector<char> numbers;
  std::vector<float> scales;
  std::vector<Bf16> group_scales;
  StoredMatrix matrix;

  GatheredRows(const StoredMatrix& from, std::span<const TokenId> rows)
      : matrix{from.type, nullptr, nullptr, static_cast<std::int64_t>(rows.size()), from.columns} {
    const std::size_t bytes = row_bytes(from.type, from.columns);
    numbers.resize(rows.size() * bytes);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto row = index(rows[i]);
      std::memcpy(numbers.data() + i * bytes, static_cast<const char*>(from.numbers) + row * bytes, bytes);
      if (from.scales != nullptr) scales.push_back(from.scales[row]);
      if (from.group_scales != nullptr) {
        const Bf16* const first = rows_of(from, rows[i], 1).group_scales;
        group_scales.insert(group_scales.end(), first, first + int4_groups(from.columns));
      }
    }
    matrix.numbers = numbers.data();
    if (from.scales != nullptr) matrix.scales = scales.data();
    if (from.group_scales != nullptr) matrix.group_scales = group_scales.data();
  }
};

/// Scores of `count` rows with the same part.
void use_scores(const Tensor& hidden, std::int64_t first, std::int64_t count, const OutputPart& part,
                const UsePartScores& use) {
  expects(part.weight != nullptr, "a part of an output layer without its weight");
  // Products need at least two rows: a single row is computed together with a neighbour.
  const std::int64_t rows = std::max<std::int64_t>(2, count), begin = std::min(first, hidden.rows() - rows),
                     out = part.weight->out();
  expects(begin >= 0, "hidden states of a single row");
  const ProfiledTime time(kPartScores, 2 * count * hidden.columns() * out,
                          out * hidden.columns() * static_cast<std::int64_t>(size_of(part.weight->type())));
  const PooledMemory scores(index(rows * out) * sizeof(float));
  auto* const found = static_cast<float*>(scores.data());
  part.weight->multiply(
      {.rows = rows, .bias = part.bias.empty() ? nullptr : part.bias.data(), .type = hidden.dtype()},
      hidden.raw_row(begin), found);
  for (std::int64_t row = first; row < first + count; ++row) {
    use(static_cast<int>(row), {found + (row - begin) * out, part.tokens.size()});
  }
}

}  // namespace

OutputPart part_of(const OutputLayer& output, std::vector<TokenId> tokens) {
  const Tensor& weight = output.weight;
  expects(!tokens.empty(), "a part of an output layer without tokens");
  if (weight.packed() == nullptr) return {std::move(tokens)};
  std::vector<TokenId> filled = tokens;
  filled.resize(round_up(tokens.size(), kUnit), tokens.back());
  const GatheredRows rows(weight.stored(), filled);
  OutputPart part{std::move(tokens),
                  std::make_shared<const PackedMatrix>(rows.matrix, weight.packed()->type())};
  if (output.bias) {
    for (const TokenId token : filled) part.bias.push_back(output.bias.data()[token]);
  }
  return part;
}

void scores_in_parts(const Tensor& hidden, std::span<const OutputPart* const> parts,
                     const UsePartScores& use) {
  for (std::size_t first = 0; first < parts.size();) {
    std::size_t last = first + 1;
    while (last < parts.size() && parts[last] == parts[first]) ++last;
    use_scores(hidden, static_cast<std::int64_t>(first), static_cast<std::int64_t>(last - first),
               *parts[first], use);
    first = last;
  }
}

}  // namespace gloss
