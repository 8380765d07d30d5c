// SPDX-License-Identifier: Apache-2.0

#include "model/formats/foreign_safetensors.h"

#include <gtest/gtest.h>

#include <cmath>

#include "model/formats/safetensors.h"
#include "tests/support/foreign_reading.h"
#include "tests/support/safetensors_bytes.h"
#include "tests/support/shared_data.h"

namespace gloss {
namespace {

using Floats = std::vector<float>;

TEST(ForeignSafetensors, EveryTypeAndShapeIsRead) {
  const auto read = [](const std::string& dtype, const std::string& shape, const std::string& data) {
    const TemporaryDirectory folder;
    const std::string path = folder.write(
        "model.safetensors",
        safetensors_bytes(tensor_header("a", dtype, shape, concat("[0,", data.size(), "]")), data));
    const StoredArray array = read_foreign_safetensors(path).at("a");
    return numbers_of(array);
  };
  EXPECT_EQ(read("F64", "[1]", little_endian(2.5)), (Floats{2.5F}));
  EXPECT_EQ(read("F32", "[1,2]", little_endian<float>({1.5F, -2})), (Floats{1.5F, -2}));
  EXPECT_EQ(read("F16", "[2]", little_endian<std::uint16_t>({0x3c00, 0xc000})), (Floats{1, -2}));
  EXPECT_EQ(read("BF16", "[]", little_endian<std::uint16_t>(0x3fc0)), (Floats{1.5F}));
  EXPECT_EQ(read("I64", "[1,1,1,1,1]", little_endian<std::int64_t>(-7)), (Floats{-7}));
  EXPECT_EQ(read("I32", "[1]", little_endian<std::int32_t>(-7)), (Floats{-7}));
  EXPECT_EQ(read("I16", "[1]", little_endian<std::int16_t>(-7)), (Floats{-7}));
  EXPECT_EQ(read("I8", "[1]", "\xff"), (Floats{-1}));
  EXPECT_EQ(read("U8", "[1]", "\xff"), (Floats{255}));
  EXPECT_EQ(read("BOOL", "[3]", std::string("\1\0\1", 3)), (Floats{1, 0, 1}));
  EXPECT_EQ(read("F32", "[0,9]", ""), Floats{});
}

TEST(ForeignSafetensors, HeadersThatLieAreRefused) {
  const std::string eight(8, 'x');
  const auto refused = [&](const std::string& header, const std::vector<std::string>& parts) {
    expect_refused(read_foreign_safetensors, safetensors_bytes(header, eight), parts);
  };
  refused(tensor_header("a", "F8_E4M3", "[8]", "[0,8]"), {"'a'", "F8_E4M3", "BF16"});
  refused(tensor_header("a", "F32", "[3]", "[0,8]"), {"'a'", "8 bytes", "12"});
  refused(tensor_header("a", "F32", "[2]", "[0,16]"), {"truncated", "16", "8"});
  refused(tensor_header("a", "F32", "[1]", "[0,4]"), {"4 bytes", "8"});
  refused(tensor_header("a", "F32", "[4294967296,4294967296]", "[0,8]"), {"'a'", "shape"});
  refused(tensor_header("a", "F32", "[8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8]", "[0,8]"),
          {"'a'", "shape"});
  refused(tensor_header("a", "F32", "[-2]", "[0,8]"), {"'a'", "-2"});
  refused(tensor_header("a", "F32", "2", "[0,8]"), {"'a'", "shape"});
  refused(tensor_header("a", "F32", "[2]", "[8,0]"), {"'a'"});
  refused(tensor_header("", "F32", "[2]", "[0,8]"), {"without a name"});
  refused(tensor_header("a\\u0000b", "F32", "[2]", "[0,8]"), {"control"});
  refused(tensor_header("a", "F32", "[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,2]", "[0,8]"), {"'a'", "17"});
  expect_refused(read_foreign_safetensors, "{}", {"2 bytes"});
}

TEST(ForeignSafetensors, OurOwnModelsHaveFewerTypesAndShapes) {
  const TemporaryDirectory folder;
  const auto refusal = [&](const std::string& dtype, const std::string& shape, const std::string& data) {
    std::string header = tensor_header("a", dtype, shape, concat("[0,", data.size(), "]"));
    header.resize(256 - 8, ' ');
    const std::string path = folder.write("own.safetensors", safetensors_bytes(header, data));
    return refusal_of([&] { SafetensorsFile file(path); });
  };
  EXPECT_EQ(refusal("F32", "[2]", std::string(8, 'x')), "");
  EXPECT_TRUE(has(refusal("F16", "[4]", std::string(8, 'x')), "F16"));
  EXPECT_TRUE(has(refusal("F32", "[]", std::string(4, 'x')), "one to four"));
  EXPECT_TRUE(has(refusal("F32", "[1,1,1,1,1]", std::string(4, 'x')), "one to four"));
  EXPECT_TRUE(has(refusal("F32", "[0]", ""), "empty"));
}

TEST(ForeignSafetensors, DamageAnywhereIsRefusedOrHarmless) {
  expect_robust(
      read_foreign_safetensors,
      safetensors_bytes(
          R"({"a":{"dtype":"F16","shape":[2,1],"data_offsets":[0,4]},"b":{"dtype":"U8","shape":[],"data_offsets":[4,5]}})",
          "12345"));
}

TEST(ForeignSafetensors, HalfPrecisionModelsAreRead) {
  GLOSS_NEED_SHARED_DATA(folder, "interchange/huggingface");
  const StoredArrays narrow = read_foreign_safetensors(*folder + "/marian-fp16/model.safetensors");
  const StoredArrays wide = read_foreign_safetensors(*folder + "/marian/model.safetensors");
  ASSERT_EQ(narrow.all().size(), wide.all().size());
  for (const auto& [name, array] : narrow.all()) {
    EXPECT_EQ(array.type(), NumberType::f16);
    const Floats rounded = numbers_of(array), original = numbers_of(wide.at(name));
    for (std::size_t i = 0; i < original.size(); ++i) {
      ASSERT_NEAR(rounded[i], original[i], 0x1p-11 * std::abs(original[i]) + 0x1p-25) << name;
    }
  }
}

}  // namespace
}  // namespace gloss
