// SPDX-License-Identifier: Apache-2.0

#include "model/formats/marian_binary.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "model/formats/npz.h"
#include "tests/support/foreign_bytes.h"
#include "tests/support/foreign_reading.h"
#include "tests/support/shared_data.h"

namespace gloss {
namespace {

constexpr std::int32_t kRows = 128, kColumns = 24;
constexpr float kFactor = 4;

/// A different number at each place of a matrix, as far as `Number` has so many.
template <class Number>
Number quantised(std::int32_t row, std::int32_t column) {
  return static_cast<Number>(row * kColumns + column - 1000);
}

/// A matrix in blocks of `width` rows and eight columns, in which the columns follow one another; width 0: by
/// columns.
template <class Number>
std::string matrix(std::int32_t width) {
  std::vector<Number> numbers(kRows * kColumns);
  for (std::int32_t r = 0; r < kRows; ++r) {
    for (std::int32_t c = 0; c < kColumns; ++c) {
      const std::int32_t place =
          width == 0 ? c * kRows + r
                     : ((c / 8 * (kRows / width) + r / width) * 8 + c % 8) * width + r % width;
      numbers[index(place)] = quantised<Number>(r, c);
    }
  }
  return little_endian(numbers) + little_endian(kFactor);
}

TEST(MarianBinary, NumbersAndSettingsAreReadByName) {
  const TemporaryDirectory folder;
  const std::string path = folder.write(
      "model.bin", marian_bytes({{"special:model.yml", 0x101, {8}, std::string("a: 1\n\0\0\0", 8)},
                                 {"Wemb", 0x404, {3, 2}, little_endian<float>({0, 1, 2, 3, 4, 5})},
                                 {"half", 0x402, {1, 2}, little_endian<std::uint16_t>({0x3c00, 0xc000})}}));
  const StoredArrays arrays = read_marian_binary(path);
  EXPECT_EQ(arrays.all().size(), 3u);
  EXPECT_EQ(arrays.at("special:model.yml").bytes(8), std::string("a: 1\n\0\0\0", 8));
  EXPECT_EQ(arrays.at("Wemb").shape(), (std::vector<std::int64_t>{3, 2}));
  EXPECT_EQ(numbers_of(arrays.at("Wemb")), (std::vector<float>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(numbers_of(arrays.at("half")), (std::vector<float>{1, -2}));
}

template <class Number>
void expect_original(std::uint64_t type, std::int32_t width) {
  const TemporaryDirectory folder;
  const std::string path =
      folder.write("model.bin", marian_bytes({{"a_W", type, {kRows, kColumns}, matrix<Number>(width)}}));
  const StoredArray array = read_marian_binary(path).at("a_W");
  EXPECT_EQ(array.shape(), (std::vector<std::int64_t>{kRows, kColumns}));
  const std::vector<float> numbers = numbers_of(array);
  for (std::int32_t r = 0; r < kRows; ++r) {
    for (std::int32_t c = 0; c < kColumns; ++c) {
      ASSERT_EQ(numbers[index(r * kColumns + c)], static_cast<float>(quantised<Number>(r, c)) / kFactor)
          << "type " << type << ", row " << r << ", column " << c;
    }
  }
}

TEST(MarianBinary, QuantisedMatricesHaveTheirOriginalOrder) {
  expect_original<std::int8_t>(0x10001, 0);
  expect_original<std::int8_t>(0x18001, 16);
  expect_original<std::int8_t>(0x11001, 32);
  expect_original<std::int8_t>(0x12001, 64);
  expect_original<std::int16_t>(0x10002, 0);
  expect_original<std::int16_t>(0x14002, 8);
  expect_original<std::int16_t>(0x11002, 16);
  expect_original<std::int16_t>(0x12002, 32);
}

TEST(MarianBinary, TypesThatCannotBeReadAreRefusedByName) {
  const auto refused = [](std::uint64_t type, const std::string& name) {
    expect_refused(read_marian_binary, marian_bytes({{"a_W", type, {2, 2}, std::string(16, 'x')}}),
                   {"'a_W'", name});
  };
  refused(0x802, "packed16");
  refused(0x1801, "packed8avx2");
  refused(0x2801, "packed8avx512");
  refused(0x777, "777");
}

TEST(MarianBinary, HeadersThatLieAreRefused) {
  constexpr std::int32_t kMost = std::numeric_limits<std::int32_t>::max();
  const std::string data(16, 'x');
  const auto refused = [](const MarianItem& item, const std::vector<std::string>& parts) {
    expect_refused(read_marian_binary, marian_bytes({item}), parts);
  };
  refused({"a", 0x404, {kMost, kMost, kMost}, data}, {"'a'", "64 numbers"});
  refused({"a", 0x404, {-1, 2}, data}, {"'a'", "negative"});
  refused({"a", 0x404, {2, 2}, data, 1ULL << 60}, {"'a'", "truncated"});
  refused({"a", 0x404, std::vector<std::int32_t>(99, 1), data}, {"'a'", "99"});
  refused({"", 0x404, {2, 2}, data}, {"without a name"});
  refused({std::string("a\0b", 3), 0x404, {2, 2}, data}, {"control"});
  refused({"a", 0x10001, {16, 17}, data}, {"'a'", "256 numbers"});
  refused({"a", 0x10001, {16, 16}, data}, {"foreign.file"});  // no room for the factor
  refused({"a", 0x10001, {4}, data}, {"'a'", "[4]"});
  refused({"a", 0x10001, {0, 4}, data}, {"'a'", "empty"});
  refused({"a", 0x10001, {2, 2}, std::string(8, '\0')}, {"'a'", "factor"});
  refused({"a", 0x10001, {2, 2}, "abcd\xff\xff\xff\xff"}, {"'a'", "factor"});
  refused({"a", 0x11001, {16, 8}, std::string(132, '\x40')}, {"'a'", "16 x 8", "32"});
  expect_refused(read_marian_binary, marian_bytes({{"a", 0x404, {2, 2}, data}}, 256, 2),
                 {"version 2", "encrypted"});
  expect_refused(read_marian_binary, little_endian<std::uint64_t>({1, 1ULL << 62}), {"items"});
  expect_refused(read_marian_binary, marian_bytes({{"a", 0x404, {2, 2}, data}, {"a", 0x404, {2, 2}, data}}),
                 {"'a'", "twice"});
}

TEST(MarianBinary, DamageAnywhereIsRefusedOrHarmless) {
  expect_robust(read_marian_binary, marian_bytes({{"b", 0x404, {2, 2}, std::string(16, 'x')},
                                                  {"a_W", 0x10001, {3, 4}, std::string(16, '\x40')}},
                                                 16));
}

/// Rounds to 127 steps, as Marian does.
std::vector<float> rounded(std::vector<float> numbers) {
  float largest = 0;
  for (const float number : numbers) largest = std::max(largest, std::abs(number));
  const float factor = 127 / largest;
  for (float& number : numbers) {
    number = std::clamp(std::nearbyint(number * factor), -127.0F, 127.0F) / factor;
  }
  return numbers;
}

TEST(MarianBinary, FilesOfMarianHaveTheNumbersOfItsArchives) {
  GLOSS_NEED_SHARED_DATA(folder, "interchange/marian");
  int quantised = 0;
  for (const std::string name : {"student-ssru", "transformer-post"}) {
    const StoredArrays archive = read_npz(*folder + "/" + name + "/model.npz");
    for (const std::string type :
         {"float32", "intgemm8", "intgemm8ssse3", "intgemm8avx2", "intgemm8avx512"}) {
      const std::string path = concat(*folder, "/", name, "/model.", type, ".bin");
      if (!std::filesystem::exists(path)) continue;
      const StoredArrays binary = read_marian_binary(path);
      EXPECT_EQ(binary.all().size(), archive.all().size());
      for (const auto& [parameter, array] : binary.all()) {
        if (parameter == "special:model.yml") continue;
        const std::vector<float> original = numbers_of(archive.at(parameter));
        const bool exact = array.type() == NumberType::f32;
        EXPECT_EQ(numbers_of(array), exact ? original : rounded(original)) << path << " " << parameter;
        quantised += exact ? 0 : 1;
      }
    }
  }
  EXPECT_EQ(quantised, 4 * 20 + 32);
}

}  // namespace
}  // namespace gloss
