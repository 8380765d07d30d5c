// SPDX-License-Identifier: Apache-2.0

#include "model/formats/foreign_arrays.h"

#include <algorithm>

#include "base/error.h"
#include "base/index.h"
#include "base/text.h"

namespace gloss {
namespace {

constexpr std::size_t kLongestName = 1024;

}  // namespace

void ForeignArrays::expect_name(std::string_view name) const {
  const auto control = [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; };
  if (name.empty()) throw InputError(concat(path_, " has a tensor without a name"));
  if (name.size() > kLongestName) {
    throw InputError(concat(path_, " has a tensor whose name has ", name.size(), " bytes, expected at most ",
                            kLongestName));
  }
  if (std::ranges::any_of(name, control)) {
    const std::string_view plain = name.substr(0, index(std::ranges::find_if(name, control) - name.begin()));
    throw InputError(concat(path_, ": the name of a tensor, '", plain, "...', has a control character"));
  }
}

std::string ForeignArrays::where(std::string_view name) const {
  return concat(path_, ": tensor '", name, "'");
}

void ForeignArrays::add(const std::string& name, ForeignArray array) {
  expect_name(name);
  if (!all_.emplace(name, std::move(array)).second) throw InputError(concat(where(name), " occurs twice"));
}

const ForeignArray* ForeignArrays::find(const std::string& name) const {
  const auto found = all_.find(name);
  return found == all_.end() ? nullptr : &found->second;
}

const ForeignArray& ForeignArrays::at(const std::string& name) const {
  if (const ForeignArray* array = find(name)) return *array;
  throw InputError(concat(where(name), " is missing"));
}

}  // namespace gloss
