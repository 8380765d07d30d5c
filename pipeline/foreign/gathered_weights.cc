// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/gathered_weights.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/index.h"

namespace gloss {

const ForeignArray* GatheredWeights::expected(const std::string& name, const std::string& parameter,
                                              std::int64_t in, std::int64_t out) {
  if (name.empty()) return nullptr;
  const ForeignArray* const array = arrays_->find(name);
  if (array == nullptr) {
    throw InputError(
        concat(arrays_->path(), ": there is no tensor '", name, "'; expected one for ", parameter));
  }
  std::vector<std::int64_t> shape = array->shape();
  if (shape.size() == 1) shape.insert(shape.begin(), 1);
  if (shape != std::vector<std::int64_t>{in, out}) {
    throw InputError(concat(array->where(), " has the shape ", shape_text(array->shape()), "; expected ",
                            shape_text({in, out}), ", for ", parameter));
  }
  map_.ignore(name);  // not as it is
  return array;
}

std::vector<float> GatheredWeights::read(const ForeignArray& array) {
  std::vector<float> values(array.count());
  array.read(values);
  if (std::ranges::all_of(values, [](float value) { return std::isfinite(value); })) return values;
  throw InputError(concat(array.where(), " has numbers that are infinite or not a number"));
}

void GatheredWeights::stack(const std::string& parameter, std::int64_t in, const std::vector<Part>& parts,
                            const std::vector<int>& blocks) {
  struct Source {
    const ForeignArray* array;
    std::int64_t size;
  };
  std::vector<Source> sources;
  std::int64_t rows = 0;
  for (const Part& part : parts) {
    sources.push_back({expected(part.array, parameter, in, part.size), part.size});
    rows += part.size;
  }
  map_.compute(parameter, [arrays = arrays_, sources, in, rows, blocks](std::span<float> values) {
    std::vector<float> all(values.size(), 0.0f);
    expects(all.size() == index(in * rows), "stacked matrices of another size");
    float* to = all.data();
    for (const Source& source : sources) {
      const std::vector<float> from = source.array != nullptr ? read(*source.array) : std::vector<float>();
      for (std::int64_t row = 0; row < source.size; ++row) {
        for (std::int64_t column = 0; column < in; ++column, ++to) {
          if (!from.empty()) *to = from[index(column * source.size + row)];
        }
      }
    }
    const std::size_t block = blocks.empty() ? all.size() : all.size() / blocks.size();
    for (std::size_t i = 0; i * block < all.size(); ++i) {
      const std::size_t from = blocks.empty() ? 0 : index(blocks[i]);
      std::copy_n(all.data() + from * block, block, values.data() + i * block);
    }
  });
}

void GatheredWeights::join_columns(const std::string& parameter, std::int64_t out,
                                   const std::vector<Part>& parts) {
  std::vector<const ForeignArray*> sources;
  std::int64_t columns = 0;
  for (const Part& part : parts) {
    sources.push_back(expected(part.array, parameter, part.size, out));
    columns += part.size;
  }
  map_.compute(parameter, [arrays = arrays_, sources, out, columns](std::span<float> values) {
    expects(values.size() == index(out * columns), "joined matrices of another size");
    std::int64_t first = 0;
    for (const ForeignArray* const source : sources) {
      const std::vector<float> from = read(*source);
      const std::int64_t count = static_cast<std::int64_t>(from.size()) / out;
      for (std::int64_t column = 0; column < count; ++column) {
        for (std::int64_t row = 0; row < out; ++row) {
          values[index(row * columns + first + column)] = from[index(column * out + row)];
        }
      }
      first += count;
    }
  });
}

void GatheredWeights::sum(const std::string& parameter, std::int64_t size,
                          const std::vector<std::string>& arrays) {
  std::vector<const ForeignArray*> sources;
  for (const std::string& array : arrays) sources.push_back(expected(array, parameter, 1, size));
  map_.compute(parameter, [arrays = arrays_, sources](std::span<float> values) {
    std::ranges::fill(values, 0.0f);
    for (const ForeignArray* const source : sources) {
      const std::vector<float> from = read(*source);
      expects(from.size() == values.size(), "a sum of vectors of another size");
      for (std::size_t i = 0; i < from.size(); ++i) values[i] += from[i];
    }
  });
}

}  // namespace gloss
