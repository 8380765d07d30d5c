// SPDX-License-Identifier: Apache-2.0

#include "cli/options/option_description.h"

#include <cmath>

#include "base/error.h"

namespace gloss {
namespace {

std::string names_of(const Choice& choice) { return join(choice.names, "|"); }
bool has_short_names(const Choice& choice) { return names_of(choice).size() <= 24; }

std::string value_name(const Field& field) {
  if (!field.value.empty()) return is_list(field) ? field.value + "..." : field.value;
  if (is_flag(field)) return "";
  if (const auto* choice = std::get_if<Choice>(&field.target)) {
    return has_short_names(*choice) ? names_of(*choice) : "NAME";
  }
  if (std::holds_alternative<double*>(field.target)) return "X";
  const bool whole_number =
      std::holds_alternative<int*>(field.target) || std::holds_alternative<std::int64_t*>(field.target);
  return whole_number ? "N" : is_list(field) ? "NAME..." : "NAME";
}

/// The value that the field has without the option. A switch that is off, a number without a value of its own
/// (NaN) and the number of processors, which depends on the machine, are not shown as they are.
std::string default_text(const Field& field) {
  if (field.has(kAllProcessors)) return "all processors";
  if (field.has(kFromPreset)) return "from --preset";
  if (field.has(kPlanned)) return "from the text";
  const auto* const* number = std::get_if<double*>(&field.target);
  if (number != nullptr && std::isnan(**number)) return "";
  if (is_flag(field)) return is_switched_on(field) ? "on" : "";
  return field_text(field);
}

}  // namespace

bool is_flag(const Field& field) { return std::holds_alternative<bool*>(field.target); }
bool is_switched_on(const Field& field) {
  const auto* const* flag = std::get_if<bool*>(&field.target);
  return flag != nullptr && **flag;
}
bool is_list(const Field& field) { return std::holds_alternative<std::vector<std::string>*>(field.target); }
bool is_number_list(const Field& field) { return is_list(field) && field.value == "X"; }

ValueKind kind_of(const Field& field) {
  if (is_flag(field)) return ValueKind::none;
  if (std::holds_alternative<Choice>(field.target)) return ValueKind::choice;
  if (field.has(kModelDirectory)) return ValueKind::model;
  if (field.value == "FILE" || field.value == "DIR|FILE") return ValueKind::file;
  return field.value == "DIR" ? ValueKind::directory : ValueKind::text;
}

OptionDescription describe(const Field& field, bool with_default) {
  OptionDescription option{option_name(field.name), field.letter,   value_name(field), field.help, "", {},
                           kind_of(field),          is_list(field), field.has(kCommon)};
  if (const auto* choice = std::get_if<Choice>(&field.target)) {
    option.choices = choice->names;
    if (!has_short_names(*choice)) option.help += ": " + join(choice->names, ", ");
  }
  option.on = is_switched_on(field);  // also if the model may decide otherwise
  if (with_default) option.default_text = default_text(field);
  return option;
}

}  // namespace gloss
