// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/shared/export_format.h"

#include <algorithm>
#include <string_view>

#include "base/error.h"

namespace gloss {
namespace {

constexpr std::string_view kNormEpsilon = "norm_epsilon";

/// What to do about a setting that must have its default value. Those of imported models can hardly be
/// trained again.
std::string advice_for(const std::string& setting, const std::string& expected) {
  if (setting == kNormEpsilon)
    return concat("train with --norm-epsilon ", expected, ", or export it with --format ctranslate2");
  if (setting == "raw_past") {
    return "export it with --format marian, or import it with --search-as-trained: translations then differ "
           "from Marian's";
  }
  return concat("export a model with ", setting, " ", expected, ", or use another format");
}

/// The settings that networks of every program have.
const std::set<std::string>& settings_of_all() {
  static const std::set<std::string> names{
      "encoder_layers",    "decoder_layers",    "width",       "heads",    "max_positions", "tied_embeddings",
      "source_vocabulary", "target_vocabulary", "begin_token", "end_token"};
  return names;
}

}  // namespace

void refuse_export(const std::string& program, const std::string& setting, const std::string& value,
                   const std::string& advice) {
  throw UsageError(concat(program, " has no networks with ", setting, " ", value, "; ", advice));
}

void expect_known_settings(const NetworkSettings& settings, const std::set<std::string>& known,
                           const std::string& program) {
  NetworkSettings own = settings, standard;
  standard.architecture = own.architecture;
  standard.classifier.classes = own.classifier.classes;
  const Fields fields = all_fields_of(own), defaults = all_fields_of(standard);
  const Field* refused = nullptr;
  std::string expected;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const Field& field = fields[i];
    if (field.has(kTrainingOnly) || settings_of_all().contains(field.name) || known.contains(field.name) ||
        same_value(field, defaults[i]))
      continue;
    // Its advice names another format, which may lack the other settings as well.
    if (refused != nullptr && refused->name != kNormEpsilon) continue;
    refused = &field;
    expected = field_text(defaults[i]);
  }
  if (refused != nullptr)
    refuse_export(program, refused->name, field_text(*refused), advice_for(refused->name, expected));
}

void refuse_setting(const NetworkSettings& settings, const std::string& setting, const std::string& program,
                    const std::string& advice) {
  NetworkSettings own = settings;
  const Fields fields = all_fields_of(own);
  const auto found = std::ranges::find(fields, setting, &Field::name);
  expects(found != fields.end(), "there is no setting ", setting);
  refuse_export(program, setting, field_text(*found), advice);
}

}  // namespace gloss
