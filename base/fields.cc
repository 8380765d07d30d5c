// SPDX-License-Identifier: Apache-2.0

#include "base/fields.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/index.h"
#include "base/shown.h"

namespace gloss {
namespace {

using nlohmann::json;

/// A limit without an exponent, as it would be typed.
std::string limit_text(double limit) {
  const bool whole = limit == std::floor(limit) && std::abs(limit) < 0x1p63;
  return whole ? std::to_string(static_cast<std::int64_t>(limit)) : number_text(limit);
}

std::string range_text(const Range& range) {
  const std::string smallest = limit_text(range.smallest), largest = limit_text(range.largest);
  if (std::isinf(range.smallest) && std::isinf(range.largest)) return "";
  if (std::isinf(range.largest)) return " of at least " + smallest;
  if (std::isinf(range.smallest)) return " of at most " + largest;
  return concat(" from ", smallest, " to ", largest);
}

template <class Number>
void set_number(const Field& field, Number* target, const std::string& text, const std::string& label,
                std::string_view kind) {
  Number value{};
  const bool good = parse_number(text, value) && std::isfinite(static_cast<double>(value)) &&
                    static_cast<double>(value) >= field.range.smallest &&
                    static_cast<double>(value) <= field.range.largest;
  if (!good) {
    throw UsageError(concat(label, ": found ", shown(text), ", expected ", kind, range_text(field.range)));
  }
  *target = value;
}

struct ToText {
  std::string operator()(const bool* v) const { return *v ? "true" : "false"; }
  std::string operator()(const int* v) const { return std::to_string(*v); }
  std::string operator()(const std::int64_t* v) const { return std::to_string(*v); }
  std::string operator()(const double* v) const { return number_text(*v); }
  std::string operator()(const std::string* v) const { return *v; }
  std::string operator()(const std::vector<std::string>* v) const { return join(*v, " "); }
  std::string operator()(const Choice& v) const { return v.names.at(index(v.get())); }
};

struct FromText {
  const Field& field;
  const std::string& text;
  const std::string& label;
  void operator()(bool* v) const {
    if (text == "true" || text == "1" || text == "yes" || text == "on") {
      *v = true;
    } else if (text == "false" || text == "0" || text == "no" || text == "off") {
      *v = false;
    } else {
      throw UsageError(concat(label, ": found ", shown(text), ", expected true or false"));
    }
  }
  void operator()(int* v) const { set_number(field, v, text, label, "a whole number"); }
  void operator()(std::int64_t* v) const { set_number(field, v, text, label, "a whole number"); }
  void operator()(double* v) const { set_number(field, v, text, label, "a number"); }
  void operator()(std::string* v) const { *v = text; }
  void operator()(std::vector<std::string>* v) const { v->push_back(text); }
  void operator()(const Choice& v) const {
    const auto found = std::find(v.names.begin(), v.names.end(), text);
    if (found == v.names.end()) {
      throw UsageError(concat(label, ": found ", shown(text), ", expected one of ", join(v.names, ", ")));
    }
    v.set(static_cast<int>(found - v.names.begin()));
  }
};

struct Address {
  const void* operator()(const void* member) const { return member; }
  const void* operator()(const Choice& choice) const { return choice.address; }
};

struct CopyTo {
  const FieldTarget& target;
  void operator()(const Choice& from) const { std::get<Choice>(target).set(from.get()); }
  template <class T>
  void operator()(const T* from) const {
    *std::get<T*>(target) = *from;
  }
};

struct SameAs {
  const FieldTarget& target;
  bool operator()(const Choice& one) const { return std::get<Choice>(target).get() == one.get(); }
  template <class T>
  bool operator()(const T* one) const {
    return *std::get<T*>(target) == *one;
  }
};

struct ToJson {
  json operator()(const std::vector<std::string>* v) const { return *v; }
  json operator()(const Choice& v) const { return ToText{}(v); }
  template <class T>
  json operator()(const T* v) const {
    return *v;
  }
};

[[noreturn]] void wrong_type(const std::string& where, const std::string& name, const json& found,
                             std::string_view expected) {
  throw InputError(
      concat(where, ": ", shown(name), " is ", found.dump().substr(0, 60), ", expected ", expected));
}

struct FromJson {
  const Field& field;
  const json& value;
  const std::string& where;
  void operator()(bool* v) const {
    if (!value.is_boolean()) wrong_type(where, field.name, value, "true or false");
    *v = value.get<bool>();
  }
  void operator()(int* v) const { whole(v); }
  void operator()(std::int64_t* v) const { whole(v); }
  void operator()(double* v) const {
    if (!value.is_number()) wrong_type(where, field.name, value, "a number");
    in_range(value.get<double>());
    *v = value.get<double>();
  }
  void operator()(std::string* v) const {
    if (!value.is_string()) wrong_type(where, field.name, value, "a string");
    *v = value.get<std::string>();
  }
  void operator()(std::vector<std::string>* v) const {
    if (!value.is_array()) wrong_type(where, field.name, value, "a list of strings");
    std::vector<std::string> items;
    for (const json& item : value) {
      if (!item.is_string()) wrong_type(where, field.name, item, "a string");
      items.push_back(item.get<std::string>());
    }
    *v = std::move(items);
  }
  void operator()(const Choice& v) const {
    const std::string name = value.is_string() ? value.get<std::string>() : std::string();
    const auto found = std::find(v.names.begin(), v.names.end(), name);
    if (found == v.names.end()) {
      wrong_type(where, field.name, value, concat("one of ", join(v.names, ", ")));
    }
    v.set(static_cast<int>(found - v.names.begin()));
  }

 private:
  void in_range(double number) const {
    if (!(number >= field.range.smallest && number <= field.range.largest)) {
      wrong_type(where, field.name, value, concat("a number", range_text(field.range)));
    }
  }
  template <class Whole>
  void whole(Whole* v) const {
    if (!value.is_number_integer() ||
        (value.is_number_unsigned() && value.get<std::uint64_t>() > std::uint64_t(INT64_MAX))) {
      wrong_type(where, field.name, value, "a whole number");
    }
    const auto number = value.get<std::int64_t>();
    in_range(static_cast<double>(number));
    if (number < std::numeric_limits<Whole>::min() || number > std::numeric_limits<Whole>::max()) {
      wrong_type(where, field.name, value, "a smaller whole number");
    }
    *v = static_cast<Whole>(number);
  }
};

}  // namespace

void append(Fields& fields, const Fields& more) { fields.insert(fields.end(), more.begin(), more.end()); }

const void* address_of(const Field& field) { return std::visit(Address{}, field.target); }

Field& field_at(Fields& fields, const void* member) {
  const auto found = std::ranges::find(fields, member, address_of);
  expects(found != fields.end(), "no field of the list refers to the member");
  return *found;
}

void leave_out_traits(Fields& fields, unsigned traits) {
  std::erase_if(fields, [&](const Field& field) { return field.has(traits); });
}

void copy_value(const Field& from, const Field& to) { std::visit(CopyTo{to.target}, from.target); }

bool same_value(const Field& a, const Field& b) { return std::visit(SameAs{b.target}, a.target); }

void copy_given(const Fields& from, const Fields& to, const Given& given) {
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (given(address_of(from[i]))) copy_value(from[i], to[i]);
  }
}

std::set<std::string> given_names(const Fields& fields, const Given& given) {
  std::set<std::string> names;
  for (const Field& field : fields) {
    if (given(address_of(field))) names.insert(field.name);
  }
  return names;
}

std::string option_name(std::string name) {
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

std::string field_text(const Field& field) { return std::visit(ToText{}, field.target); }

void set_field(const Field& field, const std::string& text, const std::string& label) {
  std::visit(FromText{field, text, label}, field.target);
}

json field_to_json(const Field& field) { return std::visit(ToJson{}, field.target); }

json fields_to_json(const Fields& fields) {
  json object = json::object();
  for (const Field& field : fields) object[field.name] = field_to_json(field);
  return object;
}

void fields_from_json(const Fields& fields, const json& object, const std::string& where) {
  if (!object.is_object())
    throw InputError(concat(where, ": expected an object with one member per setting"));
  for (const Field& field : fields) {
    const auto member = object.find(field.name);
    if (member != object.end()) {
      std::visit(FromJson{field, *member, where}, field.target);
    } else if (!field.has(kOptional)) {
      throw InputError(concat(where, ": the member ", shown(field.name), " is missing"));
    }
  }
  for (const auto& [name, value] : object.items()) {
    if (std::ranges::find(fields, name, &Field::name) == fields.end())
      throw InputError(concat(where, ": unknown member ", shown(name)));
  }
}

}  // namespace gloss
