// SPDX-License-Identifier: Apache-2.0

#include "model/networks/own_settings.h"

#include <algorithm>

#include "model/networks/architecture.h"

namespace gloss {

OwnSettingsSet::OwnSettingsSet() {
  for (const Architecture& row : architectures()) all_.emplace_back(row.name, row.own_settings());
}

OwnSettingsSet::OwnSettingsSet(const OwnSettingsSet& other) {
  for (const auto& [name, own] : other.all_) all_.emplace_back(name, own->copy());
}

OwnSettingsSet& OwnSettingsSet::operator=(const OwnSettingsSet& other) {
  for (std::size_t i = 0; i < other.all_.size(); ++i) {
    const auto& [name, own] = other.all_[i];
    if (i < all_.size()) {
      all_[i].second->assign(*own);
    } else {
      all_.emplace_back(name, own->copy());
    }
  }
  return *this;
}

Fields OwnSettingsSet::fields(const std::string& architecture) {
  for (const auto& [name, own] : all_) {
    if (name == architecture) return own->fields();
  }
  const auto row = std::ranges::find(architectures(), architecture, &Architecture::name);
  expects(row != architectures().end(), "settings of an unknown architecture '", architecture, "'");
  return all_.emplace_back(architecture, row->own_settings()).second->fields();
}

}  // namespace gloss
