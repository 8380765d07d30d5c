// SPDX-License-Identifier: Apache-2.0

#include "tests/fuzz/model_mutation.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/text.h"
#include "model/formats/yaml.h"
#include "tests/fuzz/json_mutation.h"
#include "tests/fuzz/plain_weights.h"
#include "tests/support/foreign_bytes.h"

namespace gloss {
namespace {

using nlohmann::json;

constexpr const char* kOptions = "special:model.yml";

std::string json_bytes(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::string replaced(std::string text, const std::string& from, const std::string& by) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + by.size()))
    text.replace(at, from.size(), by);
  return text;
}

/// A value as YAML, in which JSON is valid.
std::string yaml_bytes(const json& value) {
  return replaced(replaced(json_bytes(value), concat('"', kNotANumber, '"'), ".nan"),
                  concat('"', kInfinity, '"'), ".inf");
}

/// Changes the value of a JSON or YAML text; false if it is neither.
bool change_value(std::string& text, const std::function<void(json&)>& change) {
  json value = json::parse(text, nullptr, false);
  const bool yaml = value.is_discarded();
  if (yaml) {
    try {
      value = parse_yaml(std::string_view(text).substr(0, text.find('\0')), "");
    } catch (const InputError&) {
      return false;
    }
  }
  change(value);
  text = yaml ? yaml_bytes(value) : json_bytes(value);
  return true;
}

void change_lines(std::string& text, std::minstd_rand& random) {
  std::vector<std::string> lines = split(text, '\n');
  const std::size_t place = below(random, lines.size());
  switch (below(random, 6)) {
    case 0:
      lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(place));
      break;
    case 1:
      lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(place), std::string(one_of(random, lines)));
      break;
    case 2:
      std::swap(lines[place], lines[below(random, lines.size())]);
      break;
    case 3:
      lines[place] = some_word(random);
      break;
    case 4:
      lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(place), some_word(random));
      break;
    default:
      lines[place] += below(random, 2) == 0 ? " " + some_word(random) : some_word(random);
  }
  text = join(lines, "\n");
}

/// Gives an array as many bytes as its shape needs, unless those are very many.
void resize_bytes(PlainArray& array) {
  if (const auto size = size_for(array)) {
    const std::string old = array.bytes;
    array.bytes.resize(*size);
    for (std::size_t i = old.size(); i < *size && !old.empty(); ++i) array.bytes[i] = old[i % old.size()];
  }
}

void change_shape(PlainArray& array, std::minstd_rand& random) {
  static const std::vector<std::int64_t> kSizes{
      0,     1,         2,         3,         4,
      7,     8,         16,        24,        -1,
      65537, 1LL << 31, 1LL << 32, 1LL << 62, std::numeric_limits<std::int64_t>::min()};
  std::vector<std::int64_t>& shape = array.shape;
  if (shape.empty() || below(random, 8) == 0) {
    shape.insert(shape.begin(), 1);
    return;
  }
  std::int64_t& size = shape[below(random, shape.size())];
  switch (below(random, 7)) {
    case 0:
      std::ranges::reverse(shape);
      return;
    case 1:
      shape.pop_back();
      break;
    case 2:
      size = one_of(random, kSizes);
      break;
    case 3:
      size = static_cast<std::int64_t>(static_cast<std::uint64_t>(size) * 2);
      break;
    case 4:
      shape.push_back(1);
      return;
    default:
      size =
          static_cast<std::int64_t>(static_cast<std::uint64_t>(size) + (below(random, 2) == 0 ? 1 : -1ULL));
  }
  if (below(random, 4) != 0) resize_bytes(array);
}

void change_number(PlainArray& array, std::minstd_rand& random) {
  static const std::vector<float> kNumbers{
      0,     1,      -1,    std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
      3e38F, -3e38F, 1e-40F};
  if (array.bytes.empty()) return;
  if (array.bytes.size() < 4 || array.type != "F32") {
    array.bytes[below(random, array.bytes.size())] = static_cast<char>(random());
    return;
  }
  const std::string number = little_endian(one_of(random, kNumbers));
  const bool all = below(random, 4) == 0;
  const std::size_t place = below(random, array.bytes.size() / 4) * 4;
  for (std::size_t at = all ? 0 : place; at + 4 <= (all ? array.bytes.size() : place + 4); at += 4)
    array.bytes.replace(at, 4, number);
}

void change_name(PlainWeights& weights, PlainArray& array, std::minstd_rand& random) {
  const std::size_t digit = array.name.find_first_of("0123456789");
  if (digit != std::string::npos && below(random, 2) == 0) {
    array.name[digit] = static_cast<char>('0' + below(random, 4));
  } else if (below(random, 2) == 0) {
    array.name = one_of(random, weights.arrays).name;
  } else {
    const std::size_t dot = array.name.find_last_of("./_");
    array.name = array.name.substr(0, dot == std::string::npos ? 0 : dot + 1) + some_word(random);
  }
}

void change_array(PlainWeights& weights, std::minstd_rand& random) {
  if (weights.arrays.empty()) return;
  const std::size_t place = below(random, weights.arrays.size());
  PlainArray& array = weights.arrays[place];
  if (array.name == kOptions && below(random, 4) != 0) {
    change_value(array.bytes, [&](json& value) { mutate(value, random); });
    array.shape = {static_cast<std::int64_t>(array.bytes.size())};
    return;
  }
  switch (below(random, 8)) {
    case 0:
      weights.arrays.erase(weights.arrays.begin() + static_cast<std::ptrdiff_t>(place));
      return;
    case 1:
      weights.arrays.push_back(array);
      return change_name(weights, weights.arrays.back(), random);
    case 2:
      return change_name(weights, array, random);
    case 3: {
      static const std::vector<std::string> kTypes{"F64", "F32", "F16", "BF16", "I64", "I32",
                                                   "I16", "I8",  "U8",  "BOOL", "C64"};
      array.type = one_of(random, kTypes);
      return resize_bytes(array);
    }
    case 4:
      return change_number(array, random);
    default:
      return change_shape(array, random);
  }
}

/// Changes the options of Marian or what other formats keep beside the arrays, if there are any.
bool change_settings(PlainWeights& weights, const std::function<void(json&)>& change) {
  if (!weights.about.empty()) {
    change(weights.about);
    return true;
  }
  for (PlainArray& array : weights.arrays) {
    if (array.name != kOptions) continue;
    const bool changed = change_value(array.bytes, change);
    array.shape = {static_cast<std::int64_t>(array.bytes.size())};
    return changed;
  }
  return false;
}

void replace_numbers(json& value, std::int64_t from, std::int64_t by) {
  if (value.is_structured()) {
    for (json& part : value) replace_numbers(part, from, by);
  } else if (value.is_number_integer() && value == from) {
    value = by;
  }
}

bool has_values(const InputModelFile& file) {
  const bool vocabulary = file.name.starts_with("vocab") || file.name.find("vocabulary") != std::string::npos;
  return !vocabulary && (file.name.ends_with(".json") || file.name.ends_with(".yml"));
}

/// Changes a size in all settings and shapes, so that they still agree.
void change_size(ModelFiles& files, std::minstd_rand& random) {
  std::vector<std::int64_t> sizes{1, 2, 8};
  for (const InputModelFile& file : files) {
    const auto weights = read_plain(file.bytes);
    if (!weights || weights->arrays.empty()) continue;
    for (const PlainArray& array : weights->arrays) {
      if (array.name != kOptions) sizes.insert(sizes.end(), array.shape.begin(), array.shape.end());
    }
  }
  const std::int64_t from = one_of(random, sizes);
  const auto by = static_cast<std::int64_t>(below(random, 40));
  const auto change = [&](json& value) { replace_numbers(value, from, by); };
  for (InputModelFile& file : files) {
    if (has_values(file)) change_value(file.bytes, change);
    auto weights = read_plain(file.bytes);
    if (!weights) continue;
    change_settings(*weights, change);
    for (PlainArray& array : weights->arrays) {
      if (array.name == kOptions) continue;
      std::ranges::replace(array.shape, from, by);
      resize_bytes(array);
    }
    file.bytes = written_plain(*weights);
  }
}

void change_file(InputModelFile& file, std::minstd_rand& random, const ChangeBytes& change_bytes) {
  const auto change = [&](json& value) { mutate(value, random); };
  const bool any = below(random, 16) == 0;
  if (!any) {
    if (auto weights = read_plain(file.bytes)) {
      if (below(random, 2) == 0 || !change_settings(*weights, change)) change_array(*weights, random);
      file.bytes = written_plain(*weights);
      return;
    }
    const bool lines = file.name.ends_with(".txt") || (file.name.ends_with(".yml") && below(random, 4) == 0);
    if (lines) return change_lines(file.bytes, random);
    if ((file.name.ends_with(".json") || file.name.ends_with(".yml")) && change_value(file.bytes, change))
      return;
  }
  change_bytes(file.bytes);
}

}  // namespace

void mutate(ModelFiles& files, std::minstd_rand& random, const ChangeBytes& change_bytes) {
  if (files.empty()) return;
  for (std::size_t times = 1 + below(random, 3); times > 0; --times) {
    switch (const std::size_t place = below(random, files.size()); below(random, 24)) {
      case 0:
        return static_cast<void>(files.erase(files.begin() + static_cast<std::ptrdiff_t>(place)));
      case 1:
        files[place].bytes = files[below(random, files.size())].bytes;
        break;
      case 2:
      case 3:
      case 4:
        change_size(files, random);
        break;
      default:
        change_file(files[place], random, change_bytes);
    }
  }
}

}  // namespace gloss
