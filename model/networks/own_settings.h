// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/fields.h"

namespace gloss {

/// The settings that only one architecture has, in a struct known only to the files of that architecture. The
/// struct has `Fields fields_of(Struct&)`.
class OwnSettings {
 public:
  virtual ~OwnSettings() = default;
  virtual std::unique_ptr<OwnSettings> copy() const = 0;
  /// `other` has settings of the same type.
  virtual void assign(const OwnSettings& other) = 0;
  virtual Fields fields() = 0;
};

/// Wraps a struct of settings.
template <class Settings>
struct OwnSettingsOf : OwnSettings {
  Settings settings;
  std::unique_ptr<OwnSettings> copy() const override { return std::make_unique<OwnSettingsOf>(*this); }
  void assign(const OwnSettings& other) override {
    settings = dynamic_cast<const OwnSettingsOf&>(other).settings;
  }
  Fields fields() override { return fields_of(settings); }
};

/// The default values of these settings, for a row of the table of architectures.
template <class Settings>
std::unique_ptr<OwnSettings> default_settings() {
  return std::make_unique<OwnSettingsOf<Settings>>();
}

/// The architecture-specific settings of all architectures: one struct for each row of the table. Assignment
/// keeps the structs in place, so that fields remain valid as long as this object.
class OwnSettingsSet {
 public:
  /// The default values.
  OwnSettingsSet();
  OwnSettingsSet(const OwnSettingsSet&);
  OwnSettingsSet& operator=(const OwnSettingsSet&);
  ~OwnSettingsSet() = default;

  /// The settings of the architecture with this settings type.
  template <class Settings>
  Settings& of() {
    return find<Settings>();
  }
  template <class Settings>
  const Settings& of() const {
    return find<Settings>();
  }
  /// The fields of the settings of this architecture.
  Fields fields(const std::string& architecture);

 private:
  template <class Settings>
  Settings& find() const {
    for (const auto& [name, own] : all_) {
      if (auto* const found = dynamic_cast<OwnSettingsOf<Settings>*>(own.get())) return found->settings;
    }
    throw BrokenPromise("settings of an architecture that is not in the table");
  }

  std::vector<std::pair<std::string, std::unique_ptr<OwnSettings>>> all_;  // by architecture
};

}  // namespace gloss
