// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/shared/weight_readers.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/index.h"
#include "base/shown.h"

namespace gloss {
namespace {

/// The shape of a parameter as that of an array.
std::vector<std::int64_t> sizes_of(const Shape& shape) {
  std::vector<std::int64_t> sizes;
  for (int i = 0; i < shape.rank(); ++i) sizes.push_back(shape[i]);
  return sizes;
}

/// The shape of an array in gloss's order.
std::vector<std::int64_t> shape_of(const StoredArray& array, bool transposed) {
  std::vector<std::int64_t> sizes = array.shape();
  if (transposed) std::ranges::reverse(sizes);
  return sizes;
}

void expect_finite(const StoredArray& array, std::span<const float> values) {
  if (std::ranges::all_of(values, [](float value) { return std::isfinite(value); })) return;
  throw InputError(concat(array.where(), " has numbers that are infinite or not a number"));
}

}  // namespace

WeightReaders::WeightReaders(std::shared_ptr<const StoredArrays> arrays, ParameterMap map, ArrayNames names)
    : arrays_(std::move(arrays)), names_(std::move(names)), computed_(map.computed()) {
  for (const auto& [parameter, parts] : map.taken()) {
    Taken& taken =
        taken_[parameter] = {{}, parts.transposed, parts.spare_rows, parts.factor, parts.unused_rows};
    for (const std::string& name : parts.arrays) {
      const auto* found = find(name);
      if (const auto copies = map.all_copies().find(name); copies != map.all_copies().end()) {
        for (const std::string& copy : copies->second) {
          const auto* const other = find(copy);
          if (other == nullptr) continue;
          used_.insert(other->first);
          if (found == nullptr) found = other;
          if (!found->second.same_numbers(other->second)) {
            throw InputError(concat(other->second.where(), " differs from ", shown(found->first),
                                    "; expected the same numbers, as config.json ties the two"));
          }
        }
      }
      if (found == nullptr) {
        throw InputError(
            concat(arrays_->path(), ": there is no tensor ", shown(name), "; expected one for ", parameter));
      }
      used_.insert(found->first);
      taken.arrays.push_back(&found->second);
    }
  }
  for (const auto& [parameter, parts] : map.gathered()) {
    gathered_[parameter] = {parts, arrays_of(parts, *arrays_, parameter)};
    for (const GatheredParts::Part& part : parts.parts) used_.insert(part.array);
  }
  for (const std::string& name : map.ignored()) {
    if (const auto* const found = find(name); found != nullptr) used_.insert(found->first);
  }
}

const std::pair<const std::string, StoredArray>* WeightReaders::find(const std::string& array) const {
  const auto& all = arrays_->all();
  for (const std::string& prefix : {std::string(), names_.optional_prefix}) {
    if (!array.starts_with(prefix)) continue;
    const std::string name = array.substr(prefix.size());
    if (const auto found = all.find(name); found != all.end()) return &*found;
    for (const auto& [end, older] : names_.older_ends) {
      if (!name.ends_with(end)) continue;
      const auto found = all.find(name.substr(0, name.size() - end.size()) + older);
      if (found != all.end()) return &*found;
    }
  }
  return nullptr;
}

void WeightReaders::expect_shape(const Taken& taken, const std::string& parameter, const Shape& shape) {
  const std::vector<std::int64_t> expected = sizes_of(shape);
  const bool several = taken.arrays.size() > 1;
  std::int64_t rows = 0;
  for (const StoredArray* const array : taken.arrays) {
    std::vector<std::int64_t> sizes = shape_of(*array, taken.transposed);
    // A bias may be a matrix of one row.
    if (expected.size() == 1 && sizes.size() == 2 && sizes.front() == 1) sizes.erase(sizes.begin());
    const bool fits =
        sizes.size() == expected.size() && std::equal(sizes.begin() + 1, sizes.end(), expected.begin() + 1);
    if (!fits) {
      std::vector<std::int64_t> wanted = expected;
      wanted.front() += taken.other_rows();
      if (taken.transposed) std::ranges::reverse(wanted);
      throw InputError(concat(array->where(), " has the shape ", shape_text(array->shape()), "; expected ",
                              shape_text(wanted), several ? " or a part of it" : "", ", for ", parameter));
    }
    rows += sizes.front();
  }
  if (rows == expected.front() + taken.other_rows()) return;
  throw InputError(concat(taken.arrays.front()->where(), several ? " and those after it have " : " has ",
                          rows, taken.transposed ? " columns; expected " : " rows; expected ",
                          expected.front() + taken.other_rows(), ", for ", parameter));
}

void WeightReaders::expect_fits(const std::string& parameter, const Shape& shape) const {
  // These are checked against the settings before.
  if (computed_.contains(parameter) || gathered_.contains(parameter)) return;
  const auto found = taken_.find(parameter);
  expects(found != taken_.end(), "nothing gives the values of ", parameter);
  expect_shape(found->second, parameter, shape);
}

void WeightReaders::read(const std::string& parameter, const Shape& shape, std::span<float> values) const {
  if (const auto computed = computed_.find(parameter); computed != computed_.end()) {
    computed->second(values);
    return;
  }
  if (const auto gathered = gathered_.find(parameter); gathered != gathered_.end())
    return gather(gathered->second.parts, gathered->second.arrays, values);
  const auto found = taken_.find(parameter);
  expects(found != taken_.end(), "nothing gives the values of ", parameter);
  const Taken& taken = found->second;
  expect_shape(taken, parameter, shape);
  std::vector<float> copy;  // of an array in another order
  for (const StoredArray* const array : taken.arrays) {
    const std::size_t spare = index(taken.spare_rows) * index(shape.columns());
    const std::size_t others = index(taken.other_rows()) * index(shape.columns());
    const std::span<float> part = values.first(array->count() - others);
    if (taken.transposed || others > 0) {
      copy.resize(array->count());
      array->read(copy);
      if (taken.transposed) {
        const std::size_t columns = index(shape.columns()), rows = part.size() / columns;
        for (std::size_t i = 0; i < part.size(); ++i) part[i] = copy[i % columns * rows + i / columns];
      } else {
        std::copy_n(copy.begin() + static_cast<std::ptrdiff_t>(spare), part.size(), part.begin());
      }
    } else {
      array->read(part);
    }
    expect_finite(*array, part);
    if (taken.factor != 1) {
      for (float& value : part) value *= taken.factor;
    }
    values = values.subspan(part.size());
  }
}

std::vector<std::string> WeightReaders::unused() const {
  const auto ignored = [&](const std::string& name) {
    return std::ranges::any_of(names_.ignored_ends,
                               [&](const std::string& end) { return name.ends_with(end); });
  };
  std::vector<std::string> names;
  for (const auto& [name, array] : arrays_->all()) {
    if (!used_.contains(name) && !ignored(name)) names.push_back(name);
  }
  return names;
}

}  // namespace gloss
