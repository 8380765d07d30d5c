// SPDX-License-Identifier: Apache-2.0

#include "model/formats/marian_binary.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "model/formats/byte_reader.h"

namespace gloss {
namespace {

/// A type of number in the file. Quantised matrices are stored by columns. Instruction sets multiply blocks
/// of eight columns and `width` rows (0: the matrix is one block) and have all numbers of a block together.
struct MarianType {
  std::uint64_t number;
  const char* name;
  std::optional<NumberType> type;  ///< none: cannot be read
  bool quantised = false;
  std::int64_t width = 0;
};

constexpr std::array kMarianTypes{
    MarianType{0x404, "float32", NumberType::f32},
    MarianType{0x402, "float16", NumberType::f16},
    MarianType{0x408, "float64", NumberType::f64},
    MarianType{0x101, "int8", NumberType::i8},
    MarianType{0x102, "int16", NumberType::i16},
    MarianType{0x104, "int32", NumberType::i32},
    MarianType{0x108, "int64", NumberType::i64},
    MarianType{0x201, "uint8", NumberType::u8},
    MarianType{0x204, "uint32", std::nullopt},
    MarianType{0x10001, "intgemm8", NumberType::i8, true},
    MarianType{0x18001, "intgemm8ssse3", NumberType::i8, true, 16},
    MarianType{0x11001, "intgemm8avx2", NumberType::i8, true, 32},
    MarianType{0x12001, "intgemm8avx512", NumberType::i8, true, 64},
    MarianType{0x13001, "intgemm8avx512vnni", NumberType::i8, true, 64},
    MarianType{0x10002, "intgemm16", NumberType::i16, true},
    MarianType{0x14002, "intgemm16sse2", NumberType::i16, true, 8},
    MarianType{0x11002, "intgemm16avx2", NumberType::i16, true, 16},
    MarianType{0x12002, "intgemm16avx512", NumberType::i16, true, 32},
    MarianType{0x802, "packed16", std::nullopt},
    MarianType{0x1801, "packed8avx2", std::nullopt},
    MarianType{0x2801, "packed8avx512", std::nullopt},
};

struct Item {
  std::string name;
  std::uint64_t name_size, type, dimensions, bytes;
  std::vector<std::int64_t> shape;
};

constexpr std::uint64_t kMostItems = 1'000'000;
constexpr std::uint64_t kMostMarianDimensions = 16;

/// Everything before the data.
std::vector<Item> read_items(ByteReader& reader) {
  const std::string& path = reader.where();
  const auto version = reader.number<std::uint64_t>("the version");
  if (version != 1) {
    throw InputError(concat(path, " has version ", version, "; expected a .bin file of Marian, version 1",
                            version == 2 ? " (version 2 is encrypted)" : ""));
  }
  const auto count = reader.number<std::uint64_t>("the number of items");
  if (count > kMostItems || count * 32 > reader.left()) {
    throw InputError(
        concat(path, " claims ", count, " items, more than its ", reader.left(), " bytes can have"));
  }
  std::vector<Item> items(count);
  for (Item& item : items) {
    item.name_size = reader.number<std::uint64_t>("the length of a name");
    item.type = reader.number<std::uint64_t>("a type");
    item.dimensions = reader.number<std::uint64_t>("a number of dimensions");
    item.bytes = reader.number<std::uint64_t>("a size");
  }
  for (Item& item : items) {
    const std::string_view name = reader.text(item.name_size, "a name");
    if (name.empty() || name.back() != '\0') {
      throw InputError(concat(path, ": a name before offset ", reader.offset(), " does not end with NUL"));
    }
    item.name = name.substr(0, name.size() - 1);
  }
  for (Item& item : items) {
    if (item.dimensions > kMostMarianDimensions) {
      throw InputError(concat(path, ": tensor '", item.name.c_str(), "' has ", item.dimensions,
                              " dimensions, expected at most ", kMostMarianDimensions));
    }
    for (std::uint64_t i = 0; i < item.dimensions; ++i) {
      item.shape.push_back(reader.number<std::int32_t>(concat("the shape of '", item.name.c_str(), "'")));
    }
  }
  return items;
}

/// The order of the numbers of a quantised matrix with `rows` x `columns`.
std::vector<StoredDimension> order_of(const MarianType& type, std::int64_t rows, std::int64_t columns,
                                      const std::string& where) {
  if (type.width == 0) return {{rows, 1}, {columns, rows}};
  constexpr std::int64_t kColumns = 8;
  if (rows % type.width != 0 || columns % kColumns != 0) {
    throw InputError(concat(where, " has ", rows, " x ", columns, " numbers; expected multiples of ",
                            type.width, " rows and ", kColumns, " columns for ", type.name));
  }
  const std::int64_t block = kColumns * type.width;
  return {{rows / type.width, block},
          {type.width, 1},
          {columns / kColumns, rows * kColumns},
          {kColumns, type.width}};
}

}  // namespace

StoredArrays read_marian_binary(const std::string& path) {
  const auto file = std::make_shared<const MappedFile>(path);
  ByteReader reader(file->bytes(), path);
  const std::vector<Item> items = read_items(reader);
  reader.take(reader.number<std::uint64_t>("the length of the padding"), "padding");
  StoredArrays arrays(path);
  for (const Item& item : items) {
    arrays.expect_name(item.name);
    const std::string where = arrays.where(item.name);
    const auto type = std::ranges::find(kMarianTypes, item.type, &MarianType::number);
    if (type == kMarianTypes.end() || !type->type) {
      throw InputError(concat(where, " has the type ",
                              type == kMarianTypes.end() ? hexadecimal(item.type) : type->name,
                              ", which cannot be read; expected float32, float16, intgemm8 or intgemm16"));
    }
    StoredNumbers stored{.source = std::make_shared<MappedBytes>(file, reader.take(item.bytes, where))};
    if (type->quantised) {
      if (item.shape.size() != 2) {
        throw InputError(concat(where, " of type ", type->name, " has shape ", shape_text(item.shape),
                                ", expected two sizes"));
      }
      // Checked without the order first: every product of sizes is then a number of the file.
      const StoredArray all(where, *type->type, item.shape, stored);
      if (all.count() == 0) throw InputError(concat(where, " of type ", type->name, " is empty"));
      stored.dimensions = order_of(*type, item.shape[0], item.shape[1], where);
      float factor;
      const auto stream = stored.source->open();
      stream->skip(all.count() * size_of(*type->type));
      stream->read(std::as_writable_bytes(std::span(&factor, 1)));
      if (!std::isfinite(factor) || factor <= 0) {
        throw InputError(
            concat(where, " has the quantisation factor ", factor, ", expected a positive number"));
      }
      stored.divisors = std::make_shared<const std::vector<float>>(1, factor);
    }
    arrays.add(item.name, StoredArray(where, *type->type, item.shape, std::move(stored)));
  }
  return arrays;
}

}  // namespace gloss
