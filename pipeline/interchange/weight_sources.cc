// SPDX-License-Identifier: Apache-2.0

#include "pipeline/interchange/weight_sources.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/index.h"

namespace gloss {
namespace {

/// The shape of a parameter as that of an array.
std::vector<std::int64_t> sizes_of(const Shape& shape) {
  std::vector<std::int64_t> sizes;
  for (int i = 0; i < shape.rank(); ++i) sizes.push_back(shape[i]);
  return sizes;
}

/// Throws InputError unless arrays of these shapes can be stacked to the parameter.
void expect_shape(const std::vector<const ForeignArray*>& arrays, const std::string& parameter,
                  const Shape& shape) {
  const std::vector<std::int64_t> expected = sizes_of(shape);
  std::int64_t rows = 0;
  for (const ForeignArray* const array : arrays) {
    std::vector<std::int64_t> sizes = array->shape();
    // A bias may be a matrix of one row.
    if (expected.size() == 1 && sizes.size() == 2 && sizes.front() == 1) sizes.erase(sizes.begin());
    const bool fits =
        sizes.size() == expected.size() && std::equal(sizes.begin() + 1, sizes.end(), expected.begin() + 1);
    if (!fits) {
      throw InputError(concat(array->where(), " has the shape ", shape_text(array->shape()), "; expected ",
                              shape_text(expected), arrays.size() > 1 ? " or a part of its rows" : "",
                              ", for ", parameter));
    }
    rows += sizes.front();
  }
  if (rows == expected.front()) return;
  throw InputError(concat(arrays.front()->where(), arrays.size() > 1 ? " and those after it have " : " has ",
                          rows, " rows; expected ", expected.front(), ", for ", parameter));
}

}  // namespace

WeightSources::WeightSources(std::shared_ptr<const ForeignArrays> arrays, std::vector<std::string> prefixes)
    : arrays_(std::move(arrays)), prefixes_(std::move(prefixes)) {}

const std::pair<const std::string, ForeignArray>* WeightSources::find(const std::string& array) const {
  for (const std::string& prefix : prefixes_) {
    const auto found = arrays_->all().find(prefix + array);
    if (found != arrays_->all().end()) return &*found;
  }
  return nullptr;
}

void WeightSources::take(const std::string& parameter, const std::vector<std::string>& arrays) {
  std::vector<const ForeignArray*> sources;
  for (const std::string& name : arrays) {
    const auto* const found = find(name);
    if (found == nullptr) {
      throw InputError(concat(arrays_->path(), ": there is no tensor '", prefixes_.front(), name,
                              "'; expected one for ", parameter));
    }
    used_.insert(found->first);
    sources.push_back(&found->second);
  }
  taken_[parameter] = std::move(sources);
}

void WeightSources::take_linear(const std::string& layer, const std::vector<std::string>& layers) {
  for (const std::string part : {".weight", ".bias"}) {
    std::vector<std::string> names;
    for (const std::string& name : layers) names.push_back(name + part);
    take(layer + part, names);
  }
}

void WeightSources::compute(const std::string& parameter, Fill fill) {
  computed_[parameter] = std::move(fill);
}

void WeightSources::ignore(const std::string& array) {
  if (const auto* const found = find(array); found != nullptr) used_.insert(found->first);
}

void WeightSources::read(const std::string& parameter, const Shape& shape, std::span<float> values) const {
  if (const auto computed = computed_.find(parameter); computed != computed_.end()) {
    computed->second(values);
    return;
  }
  const auto taken = taken_.find(parameter);
  expects(taken != taken_.end(), "nothing gives the values of ", parameter);
  expect_shape(taken->second, parameter, shape);
  for (const ForeignArray* const array : taken->second) {
    const std::span<float> part = values.first(array->count());
    array->read(part);
    if (!std::ranges::all_of(part, [](float value) { return std::isfinite(value); })) {
      throw InputError(concat(array->where(), " has numbers that are infinite or not a number"));
    }
    values = values.subspan(array->count());
  }
}

std::vector<std::string> WeightSources::unused() const {
  std::vector<std::string> names;
  for (const auto& [name, array] : arrays_->all()) {
    if (!used_.contains(name)) names.push_back(name);
  }
  return names;
}

}  // namespace gloss
