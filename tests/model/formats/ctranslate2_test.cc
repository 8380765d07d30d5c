// SPDX-License-Identifier: Apache-2.0

#include "model/formats/ctranslate2.h"

#include <gtest/gtest.h>

#include <limits>

#include "tests/support/foreign_bytes.h"
#include "tests/support/foreign_reading.h"
#include "tests/support/shared_data.h"

namespace gloss {
namespace {

// Types from version 4 on; before, the size of a number.
constexpr std::uint8_t kF32 = 0, kI8 = 1, kI16 = 2, kI32 = 3, kF16 = 4, kBf16 = 5, kFourBytes = 4;

using Numbers = std::vector<float>;

StoredArrays ctranslate2_arrays_of(const std::string& path) { return read_ctranslate2(path).arrays; }

CTranslate2File read_bytes(const std::string& bytes) {
  const TemporaryDirectory folder;
  return read_ctranslate2(folder.write("model.bin", bytes));
}

TEST(CTranslate2, EveryTypeIsWidened) {
  const CTranslate2File file =
      read_bytes(ctranslate2_bytes({{"a", {3, 2}, kF32, little_endian<float>({0, 1, 2, 3, 4, 5})},
                                    {"b", {2}, kF16, little_endian<std::uint16_t>({0x3c00, 0xc000})},
                                    {"c", {2}, kBf16, little_endian<std::uint16_t>({0x3f80, 0xc000})},
                                    {"d", {}, kI16, little_endian<std::int16_t>(-7)},
                                    {"e", {1}, kI32, little_endian<std::int32_t>(70000)},
                                    {"f", {}, kI8, "\x05"}}));
  EXPECT_EQ(file.specification, "TransformerSpec");
  EXPECT_EQ(file.revision, 7u);
  const StoredArrays& arrays = file.arrays;
  EXPECT_EQ(arrays.all().size(), 6u);
  EXPECT_EQ(arrays.at("a").shape(), (std::vector<std::int64_t>{3, 2}));
  EXPECT_EQ(numbers_of(arrays.at("a")), (Numbers{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(numbers_of(arrays.at("b")), (Numbers{1, -2}));
  EXPECT_EQ(numbers_of(arrays.at("c")), (Numbers{1, -2}));
  EXPECT_EQ(numbers_of(arrays.at("d")), (Numbers{-7}));
  EXPECT_EQ(numbers_of(arrays.at("e")), (Numbers{70000}));
  EXPECT_EQ(numbers_of(arrays.at("f")), (Numbers{5}));
}

TEST(CTranslate2, QuantisedWeightsAreDividedByTheirScales) {
  const std::string bytes = little_endian<std::int8_t>({1, -2, 3, 127});
  const CTranslate2File file =
      read_bytes(ctranslate2_bytes({{"a/weight", {2, 2}, kI8, bytes},
                                    {"a/weight_scale", {2}, kF32, little_endian<float>({2, 4})},
                                    {"b/weight", {2}, kI16, little_endian<std::int16_t>({100, -50})},
                                    {"b/weight_scale", {}, kF32, little_endian(10.0F)},
                                    {"c/weight", {1}, kI16, little_endian<std::int16_t>(500)}},
                                   {{"d/weight", "a/weight"}, {"d/weight_scale", "a/weight_scale"}}));
  EXPECT_EQ(file.arrays.all().size(), 4u);  // scales are not arrays of their own
  for (const std::string name : {"a/weight", "d/weight"})
    EXPECT_EQ(numbers_of(file.arrays.at(name)), (Numbers{0.5, -1, 0.75, 31.75})) << name;
  EXPECT_EQ(numbers_of(file.arrays.at("b/weight")), (Numbers{10, -5}));
  EXPECT_EQ(numbers_of(file.arrays.at("c/weight")), (Numbers{0.5}));  // 1000, if there is no scale
  EXPECT_EQ(file.aliases, (std::map<std::string, std::string>{{"d/weight", "a/weight"}}));
}

TEST(CTranslate2, OldVersionsHaveSizesInsteadOfTypes) {
  for (const std::uint32_t version : {2U, 3U}) {
    const CTranslate2File file =
        read_bytes(ctranslate2_bytes({{"a", {2}, kFourBytes, little_endian<float>({1, 2})},
                                      {"b/weight", {1, 2}, 1, std::string("\x04\x06", 2)},
                                      {"b/weight_scale", {1}, kFourBytes, little_endian(2.0F)},
                                      {"n", {}, 2, little_endian<std::int16_t>(8)}},
                                     {}, version));
    EXPECT_EQ(numbers_of(file.arrays.at("a")), (Numbers{1, 2}));
    EXPECT_EQ(numbers_of(file.arrays.at("b/weight")), (Numbers{2, 3}));
    EXPECT_EQ(numbers_of(file.arrays.at("n")), (Numbers{8}));
  }
}

TEST(CTranslate2, FilesThatLieAreRefused) {
  constexpr std::uint32_t kMost = std::numeric_limits<std::uint32_t>::max();
  const std::string data(16, 'x');
  const auto refused = [](const std::vector<CTranslate2Item>& items, const std::vector<std::string>& parts) {
    expect_refused(ctranslate2_arrays_of, ctranslate2_bytes(items), parts);
  };
  refused({{"a", {kMost, kMost, kMost}, kF32, data}}, {"'a'", "4 numbers"});
  refused({{"a", {2}, kF32, data}}, {"'a'", "16 bytes", "8"});
  refused({{"a", {2, 2}, kF32, data, kMost - 16}}, {"'a'", "truncated"});
  refused({{"a", std::vector<std::uint32_t>(99, 1), kF32, data}}, {"'a'", "99"});
  refused({{"a", {2, 2}, 6, data}}, {"'a'", "type 6"});
  refused({{"", {2, 2}, kF32, data}}, {"without a name"});
  refused({{std::string("a\0b", 3), {2, 2}, kF32, data}}, {"control"});
  refused({{"a", {4}, kF32, data}, {"a", {4}, kF32, data}}, {"'a'", "twice"});
  refused({{"a_weight", {16}, kI8, data}}, {"'a_weight_scale'", "missing"});
  const CTranslate2Item weight{"a_weight", {2, 8}, kI8, data};
  const auto scale = [](const std::vector<float>& scales) {
    return CTranslate2Item{
        "a_weight_scale", {static_cast<std::uint32_t>(scales.size())}, kF32, little_endian(scales)};
  };
  refused({weight, scale({1, 2, 3})}, {"'a_weight_scale'", "[3]", "2 rows"});
  refused({weight, scale({1, 0})}, {"'a_weight_scale'", "positive"});
  refused({weight, scale({1, -2})}, {"'a_weight_scale'", "-2"});
  refused({weight, scale({1, std::numeric_limits<float>::infinity()})}, {"'a_weight_scale'", "inf"});
  const CTranslate2Item plain{"a", {4}, kF32, data};
  expect_refused(ctranslate2_arrays_of, ctranslate2_bytes({plain}, {{"b", "c"}}), {"'b'", "'c'"});
  expect_refused(ctranslate2_arrays_of, ctranslate2_bytes({plain}, {{"a", "a"}}), {"'a'", "twice"});
  expect_refused(ctranslate2_arrays_of, ctranslate2_bytes({}, {}, 1), {"version 1", "2 to 6"});
  expect_refused(ctranslate2_arrays_of, ctranslate2_bytes({}, {}, 7), {"version 7", "2 to 6"});
  expect_refused(ctranslate2_arrays_of, ctranslate2_bytes({plain}) + "x", {"1 bytes"});
  expect_refused(ctranslate2_arrays_of, ctranslate2_bytes({{"a", {4}, 3, data.substr(0, 12)}}, {}, 3),
                 {"'a'", "3 bytes"});
  std::string many = ctranslate2_bytes({plain});
  many.replace(many.size() - 4, 4, little_endian(kMost));
  expect_refused(ctranslate2_arrays_of, many, {"aliases", "100000"});
}

TEST(CTranslate2, DamageAnywhereIsRefusedOrHarmless) {
  expect_robust(ctranslate2_arrays_of,
                ctranslate2_bytes({{"a_weight", {2, 2}, kI8, std::string(4, 'x')},
                                   {"a_weight_scale", {2}, kF32, std::string(8, '\x40')},
                                   {"n", {}, kI16, "xx"}},
                                  {{"b", "a_weight"}, {"c", "n"}}));
}

TEST(CTranslate2, FilesOfOldReleasesAreRead) {
  GLOSS_NEED_SHARED_DATA(folder, "interchange/ctranslate2");
  const CTranslate2File file = read_ctranslate2(*folder + "/aren-transliteration/model.bin");
  EXPECT_EQ(file.specification, "TransformerBase");
  EXPECT_EQ(file.arrays.all().size(), 200u);
  EXPECT_EQ(file.arrays.at("decoder/projection/weight").shape(), (std::vector<std::int64_t>{43, 32}));
}

}  // namespace
}  // namespace gloss
