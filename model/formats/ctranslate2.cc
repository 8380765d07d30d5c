// SPDX-License-Identifier: Apache-2.0

#include "model/formats/ctranslate2.h"

#include <array>
#include <cctype>
#include <cmath>
#include <fstream>
#include <optional>
#include <utility>
#include <vector>

#include "base/index.h"
#include "model/formats/byte_reader.h"

namespace gloss {
namespace {

constexpr std::uint32_t kOldest = 2, kNewest = 6, kFirstWithAliases = 3, kFirstWithTypes = 4;
constexpr std::uint32_t kMostAliases = 100'000;
constexpr std::array kCTranslate2Types{NumberType::f32, NumberType::i8,  NumberType::i16,
                                       NumberType::i32, NumberType::f16, NumberType::bf16};
constexpr std::string_view kScale = "_scale";
// int16 weights of old files have no scale of their own.
constexpr float kOldScale = 1000;

/// A variable as it is in the file.
struct Variable {
  NumberType type;
  std::vector<std::int64_t> shape;
  StoredNumbers stored;
};

std::string read_text(ByteReader& reader, std::string_view what) {
  const std::string_view text = reader.text(reader.number<std::uint16_t>(what), what);
  if (text.empty() || text.back() != '\0') {
    throw InputError(
        concat(reader.where(), ": ", what, " before offset ", reader.offset(), " does not end with NUL"));
  }
  return std::string(text.substr(0, text.size() - 1));
}

/// Old files have the size of a number instead of its type.
NumberType type_of_size(std::uint8_t size, const std::string& where) {
  if (size == 4) return NumberType::f32;
  if (size == 2) return NumberType::i16;
  if (size == 1) return NumberType::i8;
  throw InputError(concat(where, " has numbers of ", int{size}, " bytes; expected 1, 2 or 4"));
}

NumberType type_of_number(std::uint8_t number, const std::string& where) {
  if (number < kCTranslate2Types.size()) return kCTranslate2Types[number];
  throw InputError(
      concat(where, " has the type ", int{number}, "; expected 0 to ", kCTranslate2Types.size() - 1));
}

class Reader {
 public:
  explicit Reader(const std::string& path)
      : file_(std::make_shared<const MappedFile>(path)),
        reader_(file_->bytes(), path),
        result_{{}, 1, StoredArrays(path), {}} {}

  CTranslate2File read() {
    const auto version = reader_.number<std::uint32_t>("the version");
    if (version < kOldest || version > kNewest) {
      throw InputError(concat(reader_.where(), " has version ", version, "; expected a model.bin of ",
                              "CTranslate2, version ", kOldest, " to ", kNewest));
    }
    result_.specification = read_text(reader_, "the name of the specification");
    result_.revision = reader_.number<std::uint32_t>("the revision");
    const auto count = reader_.number<std::uint32_t>("the number of variables");
    for (std::uint32_t i = 0; i < count; ++i) read_variable(version);
    for (const auto& [name, variable] : variables_) {
      if (!is_scale(name)) result_.arrays.add(name, array(name, variable));
    }
    if (version >= kFirstWithAliases) {
      const auto aliases = reader_.number<std::uint32_t>("the number of aliases");
      if (aliases > kMostAliases) {
        throw InputError(
            concat(reader_.where(), " has ", aliases, " aliases; expected at most ", kMostAliases));
      }
      for (std::uint32_t i = 0; i < aliases; ++i) read_alias();
    }
    if (reader_.left() > 0) {
      throw InputError(concat(reader_.where(), " has ", reader_.left(), " bytes after its last entry"));
    }
    return std::move(result_);
  }

 private:
  void read_variable(std::uint32_t version) {
    const std::string name = read_text(reader_, "the name of a variable");
    result_.arrays.expect_name(name);
    const std::string where = result_.arrays.where(name);
    Variable variable{};
    const auto rank = reader_.number<std::uint8_t>("a rank");
    for (int i = 0; i < rank; ++i) variable.shape.push_back(reader_.number<std::uint32_t>("a size"));
    const auto type = reader_.number<std::uint8_t>("a type");
    std::uint64_t bytes = 0;
    if (version >= kFirstWithTypes) {
      variable.type = type_of_number(type, where);
      bytes = reader_.number<std::uint32_t>("a number of bytes");
    } else {
      variable.type = type_of_size(type, where);
      bytes = std::uint64_t{type} * reader_.number<std::uint32_t>("a number of items");
    }
    variable.stored.source =
        std::make_shared<MappedBytes>(file_, reader_.take(bytes, concat("the tensor '", name, "'")));
    // Refuses sizes that lie before anything uses them.
    const StoredArray numbers(where, variable.type, variable.shape, variable.stored);
    if (numbers.count() * size_of(variable.type) != bytes) {
      throw InputError(concat(where, " has ", bytes, " bytes, but its shape ", shape_text(variable.shape),
                              " needs ", numbers.count() * size_of(variable.type)));
    }
    if (!variables_.emplace(name, std::move(variable)).second)
      throw InputError(concat(where, " occurs twice"));
  }

  /// True for the scale of a quantised weight.
  bool is_scale(const std::string& name) const {
    if (!name.ends_with(kScale)) return false;
    const auto weight = variables_.find(name.substr(0, name.size() - kScale.size()));
    return weight != variables_.end() && is_quantised(weight->first, weight->second);
  }
  /// Other whole numbers are settings.
  static bool is_quantised(const std::string& name, const Variable& variable) {
    return name.ends_with("weight") && (variable.type == NumberType::i8 || variable.type == NumberType::i16);
  }

  StoredArray array(const std::string& name, const Variable& variable) const {
    StoredNumbers stored = variable.stored;
    if (is_quantised(name, variable))
      stored.divisors = std::make_shared<const std::vector<float>>(scales(name, variable));
    return {result_.arrays.where(name), variable.type, variable.shape, std::move(stored)};
  }

  std::vector<float> scales(const std::string& name, const Variable& weight) const {
    const std::string scale = name + std::string(kScale);
    const std::string where = result_.arrays.where(scale);
    const auto found = variables_.find(scale);
    if (found == variables_.end()) {
      if (weight.type == NumberType::i16) return {kOldScale};
      throw InputError(concat(where, " is missing; expected one scale for each row of '", name, "'"));
    }
    const Variable& variable = found->second;
    const StoredArray numbers(where, variable.type, variable.shape, variable.stored);
    const std::size_t rows = weight.shape.empty() ? 1 : index(weight.shape.front());
    if (numbers.count() != 1 && numbers.count() != rows) {
      throw InputError(concat(where, " has the shape ", shape_text(variable.shape),
                              "; expected one number, or one for each of the ", rows, " rows of '", name,
                              "'"));
    }
    std::vector<float> divisors(numbers.count());
    numbers.read(divisors);
    for (const float divisor : divisors) {
      if (std::isfinite(divisor) && divisor > 0) continue;
      throw InputError(concat(where, " has the scale ", divisor, "; expected positive numbers"));
    }
    return divisors;
  }

  void read_alias() {
    const std::string alias = read_text(reader_, "an alias"),
                      name = read_text(reader_, "the name of an alias");
    result_.arrays.expect_name(alias);
    if (is_scale(name)) return;  // belongs to an alias of the weight
    const StoredArray* const array = result_.arrays.find(name);
    if (array == nullptr) {
      throw InputError(concat(result_.arrays.where(alias), " is an alias of '", name.substr(0, 200).c_str(),
                              "', which is not in the file"));
    }
    result_.arrays.add(alias, StoredArray(*array));
    result_.aliases.emplace(alias, name);
  }

  std::shared_ptr<const MappedFile> file_;
  ByteReader reader_;
  CTranslate2File result_;
  std::map<std::string, Variable> variables_;
};

}  // namespace

bool begins_as_ctranslate2(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::array<char, 7> start{};
  file.read(start.data(), start.size());
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(start[i]); };
  const bool version = byte(0) >= 1 && byte(0) <= 99 && byte(1) + byte(2) + byte(3) == 0;
  return file.gcount() == start.size() && version && byte(4) > 1 && byte(5) == 0 &&
         std::isalpha(byte(6)) != 0;
}

CTranslate2File read_ctranslate2(const std::string& path) { return Reader(path).read(); }

}  // namespace gloss
