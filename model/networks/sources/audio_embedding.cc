// SPDX-License-Identifier: Apache-2.0

#include "model/networks/sources/audio_embedding.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.h"
#include "base/index.h"
#include "base/rounding.h"
#include "model/layers/initialisers.h"
#include "model/networks/parts/positions.h"
#include "model/networks/sources/image_embedding.h"
#include "model/tensor/ops_convolution.h"
#include "model/tensor/ops_recurrent.h"

namespace gloss {

AudioEmbedding::AudioEmbedding(Parameters& parameters, const SourceParts& parts)
    : windows_of_vector_(windows_of_vector(parts.source)), bands_(numbers_of_window(parts.source)) {
  const int width = parts.width;
  const bool features = parts.source.type == SourceType::features;
  const StemSettings stem = features ? StemSettings() : parts.source.stem;
  columns_ = convolved({1, bands_}, stem).columns;
  stem_.emplace(parameters, stem, 1, parts.norm);
  const std::int64_t inputs = std::int64_t{columns_} * stem_->channels();
  weight_ = parameters.declare("encoder.windows.weight", {width, inputs}, xavier_uniform(inputs, width),
                               Role::matrix);
  bias_ = parameters.declare("encoder.windows.bias", {width}, constant_values(0));
  VectorPositions::Tables tables;
  if (parts.positions == Positions::learned) {
    tables.learned = parameters.declare("encoder.positions", {parts.max_positions, width},
                                        normal_values(1.0 / std::sqrt(width)), Role::table);
  } else if (adds_sinusoids(parts.positions)) {
    const GridSize grid = grid_of_vectors(parts.source, parts.max_positions);
    tables.fixed = grid.columns == 0 ? sinusoidal_positions(parts.max_positions, width)
                                     : grid_positions(grid, width, parts.class_token ? 1 : 0);
  }
  positions_.emplace(parameters, std::move(tables), width, parts.class_token);
}

Tensor AudioEmbedding::operator()(const PackedRows& rows, const DropoutMask& mask) const {
  std::vector<GridSize> grids;
  const int first = positions_->first_vector();
  for (int row = 0; row < rows.sentences(); ++row) {
    const GridSize grid{(rows.length(row) - first) * windows_of_vector_, bands_};
    const auto numbers = rows.number_starts[index(row) + 1] - rows.number_starts[index(row)];
    expects(numbers == index(grid.count()), numbers, " numbers for ", grid.rows, " windows of ", bands_,
            " bands");
    grids.push_back(grid);
  }
  const Tensor energies = Tensor::zeros({std::max<std::int64_t>(2, std::ssize(rows.numbers)), 1});
  std::ranges::copy(rows.numbers, energies.data());
  Tensor x = (*stem_)(in_type(energies, weight_.working_type()), grids);
  std::vector<int> places(rows.tokens.size() * index(columns_), -1);
  int place = 0;
  for (int row = 0; row < rows.sentences(); ++row) {
    const auto to = places.begin() + std::ptrdiff_t{rows.start(row) + first} * columns_;
    std::iota(to, to + grids[index(row)].count(), place);
    place += grids[index(row)].count();
  }
  x = linear(joined_rows(x, std::move(places), columns_), weight_, bias_);
  x = (*positions_)(x, rows);
  std::vector<int> numbers(rows.tokens.size());
  std::iota(numbers.begin(), numbers.end(), 0);
  return dropout(x, mask, std::move(numbers));
}

}  // namespace gloss
