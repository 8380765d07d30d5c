#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace gloss {

/// One of several named values: the names in order and how to read and set the index of the present one.
struct Choice {
  std::vector<std::string> names;
  std::function<int()> get;
  std::function<void(int)> set;
};

/// A Choice over an enumeration whose values count up from 0 in the order of `names`.
template <class Enumeration>
Choice choice(Enumeration& value, std::vector<std::string> names) {
  return {std::move(names), [&value] { return static_cast<int>(value); },
          [&value](int index) { value = static_cast<Enumeration>(index); }};
}

/// What a field refers to.
using FieldTarget =
    std::variant<bool*, int*, std::int64_t*, double*, std::string*, std::vector<std::string>*, Choice>;

/// The smallest and largest value that a number may take.
struct Range {
  double smallest = -std::numeric_limits<double>::infinity();
  double largest = std::numeric_limits<double>::infinity();
};

/// One member of a settings struct. From the list of a struct's fields come its command line options, help
/// text, place in config.json and check of ranges: a setting is described once, beside its struct.
struct Field {
  std::string name;  ///< in whole words with underscores, as in config.json; options write hyphens instead
  FieldTarget target;
  std::string help;
  Range range = {};
  char letter = 0;  ///< short option, or 0
};

using Fields = std::vector<Field>;

/// Adds `more` to the end of `fields`.
void append(Fields& fields, const Fields& more);

/// A name as options write it, with hyphens for underscores.
std::string option_name(std::string name);

/// The value as it would be written on the command line.
std::string field_text(const Field&);
/// Sets the field from text; throws UsageError (value found, values expected) naming it as `label`.
void set_field(const Field&, const std::string& text, const std::string& label);

/// An object with one member per field.
nlohmann::json fields_to_json(const Fields&);
/// Sets every field from an object made by fields_to_json. A missing, unknown, mistyped or out-of-range
/// member throws InputError naming it and `where`. Members listed in `optional` may be missing (they keep
/// their value).
void fields_from_json(const Fields&, const nlohmann::json& object, const std::string& where,
                      const std::vector<std::string>& optional = {});

}  // namespace gloss
