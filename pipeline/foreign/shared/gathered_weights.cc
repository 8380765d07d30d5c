// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/shared/gathered_weights.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/index.h"
#include "base/shown.h"

namespace gloss {
namespace {

using Join = GatheredParts::Join;

/// [in, out] of the array of a part.
std::vector<std::int64_t> shape_of(const GatheredParts& gathered, const GatheredParts::Part& part) {
  if (gathered.join == Join::columns) return {part.size, gathered.other};
  return {gathered.other, part.size};
}

/// Calls `take` with the places of each number of a part, in the array and in the parameter.
template <class Take>
void for_each_number(const GatheredParts& gathered, std::size_t number, const Take& take) {
  std::int64_t first = 0, total = 0;
  for (std::size_t i = 0; i < gathered.parts.size(); ++i) {
    if (i < number) first += gathered.parts[i].size;
    total += gathered.parts[i].size;
  }
  if (gathered.join == Join::sum) first = 0;
  const std::int64_t blocks = std::max<std::int64_t>(1, std::ssize(gathered.blocks)), block = total / blocks;
  std::vector<std::int64_t> place_of(index(blocks));  // of each block
  for (std::int64_t i = 0; i < std::ssize(gathered.blocks); ++i)
    place_of[index(gathered.blocks[index(i)])] = i;
  const std::vector<std::int64_t> shape = shape_of(gathered, gathered.parts[number]);
  for (std::int64_t in = 0; in < shape[0]; ++in) {
    for (std::int64_t out = 0; out < shape[1]; ++out) {
      const std::int64_t row = first + out;
      const std::int64_t place = gathered.join == Join::columns
                                     ? out * total + first + in
                                     : (place_of[index(row / block)] * block + row % block) * shape[0] + in;
      take(index(in * shape[1] + out), index(place));
    }
  }
}

const StoredArray* expected(const StoredArrays& arrays, const std::string& name, const std::string& parameter,
                            const std::vector<std::int64_t>& wanted) {
  if (name.empty()) return nullptr;
  const StoredArray* const array = arrays.find(name);
  if (array == nullptr) {
    throw InputError(
        concat(arrays.path(), ": there is no tensor ", shown(name), "; expected one for ", parameter));
  }
  std::vector<std::int64_t> shape = array->shape();
  if (shape.size() == 1) shape.insert(shape.begin(), 1);
  if (shape != wanted) {
    throw InputError(concat(array->where(), " has the shape ", shape_text(array->shape()), "; expected ",
                            shape_text(wanted), ", for ", parameter));
  }
  return array;
}

std::vector<float> read(const StoredArray& array) {
  std::vector<float> values(array.count());
  array.read(values);
  if (std::ranges::all_of(values, [](float value) { return std::isfinite(value); })) return values;
  throw InputError(concat(array.where(), " has numbers that are infinite or not a number"));
}

}  // namespace

std::vector<const StoredArray*> arrays_of(const GatheredParts& gathered, const StoredArrays& arrays,
                                          const std::string& parameter) {
  std::vector<const StoredArray*> all;
  for (const GatheredParts::Part& part : gathered.parts)
    all.push_back(expected(arrays, part.array, parameter, shape_of(gathered, part)));
  return all;
}

void gather(const GatheredParts& gathered, const std::vector<const StoredArray*>& arrays,
            std::span<float> parameter) {
  std::ranges::fill(parameter, 0.0F);
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    if (arrays[i] == nullptr) continue;
    const std::vector<float> values = read(*arrays[i]);
    const bool adds = gathered.join == Join::sum && i > 0;
    for_each_number(gathered, i, [&](std::size_t from, std::size_t to) {
      parameter[to] = adds ? parameter[to] + values[from] : values[from];
    });
  }
}

std::vector<ScatteredArray> scattered_arrays(const GatheredParts& gathered, std::span<const float> parameter,
                                             const std::function<void(const std::string& why)>& refuse) {
  std::vector<ScatteredArray> all;
  for (std::size_t i = 0; i < gathered.parts.size(); ++i) {
    const GatheredParts::Part& part = gathered.parts[i];
    if (part.array.empty()) {
      bool zero = true;
      for_each_number(gathered, i, [&](std::size_t, std::size_t at) { zero = zero && parameter[at] == 0; });
      if (!zero) refuse("numbers other than 0");
      continue;
    }
    const ScatteredArray array{part.array, shape_of(gathered, part), i};
    const auto known = std::ranges::find(all, part.array, &ScatteredArray::name);
    if (known == all.end()) {
      all.push_back(array);
    } else if (scatter(gathered, *known, parameter) != scatter(gathered, array, parameter)) {
      refuse("parts that differ");
    }
  }
  return all;
}

std::vector<float> scatter(const GatheredParts& gathered, const ScatteredArray& array,
                           std::span<const float> parameter) {
  // -0, which changes no sum: the first part of one has all of it.
  std::vector<float> values(index(array.shape[0] * array.shape[1]), -0.0F);
  if (gathered.join == Join::sum && array.part > 0) return values;
  for_each_number(gathered, array.part,
                  [&](std::size_t to, std::size_t from) { values[to] = parameter[from]; });
  return values;
}

}  // namespace gloss
