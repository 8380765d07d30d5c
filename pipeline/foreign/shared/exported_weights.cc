// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/shared/exported_weights.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/index.h"

namespace gloss {
namespace {

/// The number that times `factor` is `product`, or the nearest one.
float divided(float product, float factor) {
  const float quotient = product / factor;
  for (const float far :
       {quotient, -std::numeric_limits<float>::infinity(), std::numeric_limits<float>::infinity()}) {
    const float candidate = std::nextafter(quotient, far);
    if (candidate * factor == product) return candidate;
  }
  return quotient;
}

ExportedArray array_of(const Parameters::Entry& entry, const ParameterParts& parts, std::size_t number) {
  const StoredMatrix whole = entry.tensor.stored();
  const auto count = static_cast<std::int64_t>(parts.arrays.size());
  expects(whole.rows % count == 0, entry.name, " cannot be split into ", count, " parts");
  const std::int64_t rows = whole.rows / count;
  ExportedArray array{.name = parts.arrays[number],
                      .shape = {},
                      .rows = rows_of(whole, static_cast<std::int64_t>(number) * rows, rows),
                      .transposed = parts.transposed,
                      .spare_rows = parts.spare_rows,
                      .factor = parts.factor};
  for (int i = 0; i < entry.tensor.shape().rank(); ++i) array.shape.push_back(entry.tensor.shape()[i]);
  array.shape.front() = rows + parts.spare_rows;
  if (array.transposed) std::ranges::reverse(array.shape);
  return array;
}

}  // namespace

std::size_t ExportedArray::count() const { return index((rows.rows + spare_rows) * rows.columns); }

void ExportedArray::read(std::span<float> all) const {
  expects(all.size() == count(), "room for ", all.size(), " numbers, expected ", count());
  const std::size_t columns = index(rows.columns), spare = index(spare_rows) * columns;
  std::ranges::fill(all.first(spare), 0.0F);
  const std::span<float> part = all.subspan(spare);
  std::vector<float> row(columns);
  for (std::int64_t r = 0; r < rows.rows; ++r) {
    if (!transposed) {
      widen_row(rows, r, part.data() + index(r) * columns);
      continue;
    }
    widen_row(rows, r, row.data());
    for (std::size_t c = 0; c < columns; ++c) part[c * index(rows.rows) + index(r)] = row[c];
  }
  if (factor == 1) return;
  for (float& value : part) value = divided(value, factor);
}

std::vector<ExportedArray> exported_arrays(const Parameters& parameters, const ParameterMap& map) {
  std::vector<ExportedArray> arrays;
  for (const Parameters::Entry& entry : parameters.entries()) {
    if (map.computed().contains(entry.name) || map.gathered(entry.name) != nullptr) continue;
    const auto parts = map.taken().find(entry.name);
    expects(parts != map.taken().end(), "no array is for ", entry.name);
    for (std::size_t i = 0; i < parts->second.arrays.size(); ++i)
      arrays.push_back(array_of(entry, parts->second, i));
  }
  return arrays;
}

}  // namespace gloss
