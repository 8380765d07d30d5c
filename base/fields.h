// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace gloss {

/// A value with a fixed set of names: the names in order, and functions to read and set the index of the
/// current one.
struct Choice {
  std::vector<std::string> names;
  std::function<int()> get;
  std::function<void(int)> set;
  const void* address = nullptr;  ///< of the value
};

/// A Choice over an enumeration whose values are numbered from 0 in the order of `names`.
template <class Enumeration>
Choice choice(Enumeration& value, std::vector<std::string> names) {
  return {std::move(names), [&value] { return static_cast<int>(value); },
          [&value](int index) { value = static_cast<Enumeration>(index); }, &value};
}

/// The member that a field refers to.
using FieldTarget =
    std::variant<bool*, int*, std::int64_t*, double*, std::string*, std::vector<std::string>*, Choice>;

/// The smallest and largest allowed value of a number.
struct Range {
  double smallest = -std::numeric_limits<double>::infinity();
  double largest = std::numeric_limits<double>::infinity();
};

/// Properties of a field: a set of these bits.
enum Traits : unsigned {
  kNoTraits = 0,
  kCommon = 1 << 0,            ///< shown in the short help of a command
  kTrainingOnly = 1 << 1,      ///< affects only training: fine-tuning may change it
  kFreeOnResume = 1 << 2,      ///< may change when a training continues
  kOptional = 1 << 3,          ///< missing in older files; keeps its default then
  kTwoSided = 1 << 4,          ///< only for text with source and target
  kLearnsVocabulary = 1 << 5,  ///< no effect if the vocabulary is given
  kFromPreset = 1 << 6,        ///< its default follows from a preset
  kAllProcessors = 1 << 7,     ///< its default is the number of processors, which help does not show
  kPlanned = 1 << 8,           ///< its default is chosen from the training text
  kModelDirectory = 1 << 12,   ///< the text names a model or training directory to read
  kWritten = 1 << 13,          ///< the text names a file that the command writes
};

/// One member of a settings struct. The list of a struct's fields defines its command-line options, help
/// texts, members of config.json and range checks, so that each setting is described once, next to its
/// struct.
struct Field {
  std::string name;  ///< whole words with underscores, as in config.json; options have hyphens instead
  FieldTarget target;
  std::string help;
  Range range = {};
  char letter = 0;         ///< short option, or 0
  std::string value = {};  ///< name of the value in help, such as "FILE"; empty: follows from the type
  unsigned traits = kNoTraits;

  /// True if it has one of these traits.
  bool has(unsigned wanted) const { return (traits & wanted) != 0; }
};

using Fields = std::vector<Field>;

/// Appends `more` to `fields`.
void append(Fields& fields, const Fields& more);

/// The address of the member that a field refers to; it identifies the member.
const void* address_of(const Field&);
/// The field that refers to this member, which must exist.
Field& field_at(Fields&, const void* member);
template <class Member>
Field& field_of(Fields& fields, const Member& member) {
  return field_at(fields, &member);
}
/// True if the field refers to one of these members.
template <class... Members>
bool refers_to(const Field& field, const Members&... members) {
  const void* const address = address_of(field);
  return ((address == static_cast<const void*>(&members)) || ...);
}
/// Adds traits to the fields of these members.
template <class... Members>
void add_traits(Fields& fields, unsigned traits, const Members&... members) {
  ((field_of(fields, members).traits |= traits), ...);
}
/// Removes the fields of these members from the list.
template <class... Members>
void leave_out(Fields& fields, const Members&... members) {
  std::erase_if(fields, [&](const Field& field) { return refers_to(field, members...); });
}
/// Removes the fields that have one of these traits.
void leave_out_traits(Fields&, unsigned traits);

/// Copies the value of the member of `from` to the member of `to`, which must have the same type.
void copy_value(const Field& from, const Field& to);
/// True if two members of the same type have the same value.
bool same_value(const Field&, const Field&);

/// Returns whether the user gave the value of a member, identified by its address.
using Given = std::function<bool(const void* member)>;
/// Copies the values that the user gave. Both lists belong to structs of the same type; `given` refers to the
/// members of `from`.
void copy_given(const Fields& from, const Fields& to, const Given& given);
/// The names of the fields whose values the user gave.
std::set<std::string> given_names(const Fields&, const Given&);

/// The name of an option: the name of its field with hyphens for underscores.
std::string option_name(std::string name);

/// The value as written on the command line.
std::string field_text(const Field&);
/// Sets the field from text; otherwise throws a UsageError with `label`, the value found and the values
/// expected.
void set_field(const Field&, const std::string& text, const std::string& label);

/// An object with one member per field.
nlohmann::json fields_to_json(const Fields&);
/// The value of one field in such an object.
nlohmann::json field_to_json(const Field&);
/// Sets every field from an object written by fields_to_json. Throws an InputError naming the member and
/// `where` if a member is missing, unknown, of the wrong type or out of range. Only members of kOptional
/// fields may be missing; these fields keep their values.
void fields_from_json(const Fields&, const nlohmann::json& object, const std::string& where);

}  // namespace gloss
