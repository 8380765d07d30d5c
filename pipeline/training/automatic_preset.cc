// SPDX-License-Identifier: Apache-2.0

#include "pipeline/training/automatic_preset.h"

#include <algorithm>

#include "base/error.h"
#include "base/json.h"

namespace gloss {
namespace {

constexpr std::int64_t kFewLines = 200'000, kManyLines = 2'000'000;

nlohmann::json settings_of(const NetworkOfPreset& network_of, Preset preset) {
  NetworkSettings network = network_of(preset);
  return fields_to_json(fields_of(network));
}

std::string name_of(Preset preset) { return field_text({"preset", preset_choice(preset), ""}); }

}  // namespace

Preset preset_for(std::int64_t lines) {
  if (lines < kFewLines) return Preset::tiny;
  return lines < kManyLines ? Preset::small : Preset::base;
}

Preset stored_preset(const NetworkOfPreset& network_of, const nlohmann::json& stored) {
  const auto differences = [&](Preset preset) {
    const nlohmann::json settings = settings_of(network_of, preset);
    return std::ranges::count_if(settings.items(), [&](const auto& setting) {
      return !stored.contains(setting.key()) || stored.at(setting.key()) != setting.value();
    });
  };
  // In a tie the first one wins: base, which older trainings always used.
  constexpr Preset kAll[] = {Preset::base, Preset::tiny,    Preset::small,
                             Preset::big,  Preset::student, Preset::student_tiny};
  return *std::ranges::min_element(kAll, {}, differences);
}

std::string preset_text(const NetworkOfPreset& network_of, std::int64_t lines) {
  const Preset preset = preset_for(lines), other = preset == Preset::tiny ? Preset::base : Preset::tiny;
  if (settings_of(network_of, preset) == settings_of(network_of, other)) return "";
  return concat("using --preset ", name_of(preset), " for ", lines,
                " lines of training text; to choose another network, give --preset or its sizes");
}

}  // namespace gloss
