// SPDX-License-Identifier: Apache-2.0

#include "model/formats/stored_arrays.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "tests/support/foreign_bytes.h"
#include "tests/support/foreign_reading.h"

namespace gloss {
namespace {

/// A file whose bytes are the numbers of arrays.
class NumberFile {
 public:
  explicit NumberFile(const std::string& bytes)
      : file_(std::make_shared<MappedFile>(folder_.write("numbers", bytes))),
        source_(std::make_shared<MappedBytes>(file_, file_->bytes())) {}

  StoredArray array(NumberType type, std::vector<std::int64_t> shape,
                    std::vector<StoredDimension> dimensions = {}, std::uint64_t start = 0,
                    std::vector<float> divisors = {}) const {
    return {"numbers: tensor 'a'",
            type,
            std::move(shape),
            {source_, start, std::move(dimensions),
             std::make_shared<const std::vector<float>>(std::move(divisors))}};
  }
  std::string refusal(NumberType type, std::vector<std::int64_t> shape,
                      std::vector<StoredDimension> dimensions = {}) const {
    return refusal_of([&] { array(type, shape, dimensions); });
  }

 private:
  TemporaryDirectory folder_;
  std::shared_ptr<MappedFile> file_;
  std::shared_ptr<MappedBytes> source_;
};

std::vector<float> counting(std::size_t count) {
  std::vector<float> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0.0F);
  return numbers;
}

TEST(StoredArrays, EveryTypeIsWidenedExactly) {
  const auto read = [](const std::string& bytes, NumberType type, std::int64_t count) {
    return numbers_of(NumberFile(bytes).array(type, {count}));
  };
  using Widened = std::vector<float>;
  EXPECT_EQ(read(little_endian<double>({1.5, -0.1}), NumberType::f64, 2), (Widened{1.5F, -0.1F}));
  EXPECT_EQ(read(little_endian<float>({1.5F, -0.1F}), NumberType::f32, 2), (Widened{1.5F, -0.1F}));
  EXPECT_EQ(read(little_endian<std::int64_t>({-3, 1LL << 40}), NumberType::i64, 2), (Widened{-3, 0x1p40F}));
  EXPECT_EQ(read(little_endian<std::int32_t>({-3, 7}), NumberType::i32, 2), (Widened{-3, 7}));
  EXPECT_EQ(read(little_endian<std::int16_t>({-300, 7}), NumberType::i16, 2), (Widened{-300, 7}));
  EXPECT_EQ(read("\xff\x7f", NumberType::i8, 2), (Widened{-1, 127}));
  EXPECT_EQ(read("\xff\x7f", NumberType::u8, 2), (Widened{255, 127}));
  EXPECT_EQ(read(std::string("\2\0", 2), NumberType::boolean, 2), (Widened{1, 0}));
  EXPECT_EQ(read(little_endian<std::uint16_t>({0x3fc0, 0xc2f7}), NumberType::bf16, 2),
            (Widened{1.5F, -123.5F}));
}

TEST(StoredArrays, EveryHalfPrecisionNumberIsItsDefinition) {
  std::vector<std::uint16_t> all(1 << 16);
  std::iota(all.begin(), all.end(), std::uint16_t{0});
  const std::vector<float> numbers =
      numbers_of(NumberFile(little_endian(all)).array(NumberType::f16, {1 << 16}));
  for (std::size_t bits = 0; bits < all.size(); ++bits) {
    const int exponent = bits >> 10 & 0x1f, fraction = bits & 0x3ff;
    const float sign = bits & 0x8000 ? -1.0F : 1.0F;
    if (exponent == 31 && fraction != 0) {
      EXPECT_TRUE(std::isnan(numbers[bits])) << bits;
    } else if (exponent == 31) {
      EXPECT_EQ(numbers[bits], sign * std::numeric_limits<float>::infinity()) << bits;
    } else {
      const float size = exponent == 0 ? std::ldexp(static_cast<float>(fraction), -24)
                                       : std::ldexp(static_cast<float>(1024 + fraction), exponent - 25);
      EXPECT_EQ(numbers[bits], sign * size) << bits;
      EXPECT_EQ(std::signbit(numbers[bits]), sign < 0) << bits;
    }
  }
}

TEST(StoredArrays, AnyOrderOfDimensionsIsReadByRows) {
  const NumberFile file(little_endian(counting(24)));
  // [2, 3] of a transposed matrix, a part of wider rows, a swap of the outer of three dimensions, equal rows.
  EXPECT_EQ(numbers_of(file.array(NumberType::f32, {2, 3}, {{2, 1}, {3, 2}})),
            (std::vector<float>{0, 2, 4, 1, 3, 5}));
  EXPECT_EQ(numbers_of(file.array(NumberType::f32, {2, 2}, {{2, 6}, {2, 1}}, 8)),
            (std::vector<float>{2, 3, 8, 9}));
  EXPECT_EQ(numbers_of(file.array(NumberType::f32, {2, 2, 3}, {{2, 3}, {2, 6}, {3, 1}})),
            (std::vector<float>{0, 1, 2, 6, 7, 8, 3, 4, 5, 9, 10, 11}));
  EXPECT_EQ(numbers_of(file.array(NumberType::f32, {2, 2}, {{2, 0}, {2, 5}})),
            (std::vector<float>{0, 5, 0, 5}));
  EXPECT_EQ(numbers_of(file.array(NumberType::f32, {1, 4}, {{1, 999}, {4, 1}}, 4)),
            (std::vector<float>{1, 2, 3, 4}));
}

TEST(StoredArrays, LargeArraysAreReadInPartsInAnyOrder) {
  constexpr std::int64_t kHeight = 700, kWidth = 300;
  const NumberFile file(little_endian(counting(kHeight * kWidth)));
  EXPECT_EQ(numbers_of(file.array(NumberType::f32, {kHeight, kWidth})), counting(kHeight * kWidth));
  const std::vector<float> turned =
      numbers_of(file.array(NumberType::f32, {kHeight, kWidth}, {{kHeight, 1}, {kWidth, kHeight}}));
  for (std::int64_t r = 0; r < kHeight; ++r) {
    for (std::int64_t c = 0; c < kWidth; ++c) {
      ASSERT_EQ(turned[index(r * kWidth + c)], static_cast<float>(c * kHeight + r));
    }
  }
}

TEST(StoredArrays, QuantisedNumbersAreDividedAsAWholeOrByRow) {
  const NumberFile file("\x02\x04\xfa\x08");
  EXPECT_EQ(numbers_of(file.array(NumberType::i8, {2, 2}, {}, 0, {4})),
            (std::vector<float>{0.5F, 1, -1.5F, 2}));
  EXPECT_EQ(numbers_of(file.array(NumberType::i8, {2, 2}, {}, 0, {2, 4})),
            (std::vector<float>{1, 2, -1.5F, 2}));
}

TEST(StoredArrays, ArraysThatTheFileDoesNotHaveAreRefused) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  const NumberFile file(std::string(24, '\0'));
  const auto refused = [&](const std::string& part, NumberType type, std::vector<std::int64_t> shape,
                           std::vector<StoredDimension> dimensions = {}) {
    const std::string message = file.refusal(type, shape, dimensions);
    EXPECT_TRUE(has(message, "tensor 'a'") && has(message, part)) << part << ": " << message;
  };
  EXPECT_EQ(file.refusal(NumberType::f32, {2, 3}), "");
  EXPECT_EQ(file.refusal(NumberType::f32, {}), "");
  EXPECT_EQ(file.refusal(NumberType::f32, {kMost, 0, kMost}), "");
  refused("6 numbers", NumberType::f32, {7});
  refused("[2, 2, 2]", NumberType::f32, {2, 2, 2});
  refused("3 numbers", NumberType::f64, {4});
  refused("numbers", NumberType::f32, {kMost, kMost});
  refused("numbers", NumberType::f32, {1LL << 32, 1LL << 32});
  refused("negative", NumberType::f32, {-1});
  refused("negative", NumberType::f32, {-2, -3});
  refused("dimensions", NumberType::f32, std::vector<std::int64_t>(17, 1));
  refused("strides", NumberType::f32, {2, 2}, {{2, 5}, {2, 1}});
  refused("strides", NumberType::f32, {2, 2}, {{2, kMost}, {2, kMost}});
  refused("stride", NumberType::f32, {2}, {{2, -1}});
  refused("overlap", NumberType::f32, {3, 2}, {{3, 1}, {2, 1}});
  refused("numbers", NumberType::f32, {1 << 20}, {{1 << 20, 0}});
}

TEST(StoredArrays, BytesOfSmallArraysHaveALimit) {
  const NumberFile file("settings");
  EXPECT_EQ(file.array(NumberType::i8, {8}).bytes(8), "settings");
  EXPECT_EQ(file.array(NumberType::i8, {3}, {}, 5).bytes(8), "ngs");
  const std::string message = refusal_of([&] { file.array(NumberType::i8, {8}).bytes(7); });
  EXPECT_TRUE(has(message, "8 bytes") && has(message, "7")) << message;
  EXPECT_NE(refusal_of([&] { file.array(NumberType::i8, {2, 2}, {{2, 1}, {2, 2}}).bytes(8); }), "");
}

TEST(StoredArrays, NamesAreUniqueAndPlain) {
  const NumberFile file("1234");
  StoredArrays arrays("model.file");
  const auto add = [&](const std::string& name) {
    return refusal_of([&] { arrays.add(name, file.array(NumberType::i8, {4})); });
  };
  EXPECT_EQ(add("encoder/a->b"), "");
  EXPECT_TRUE(has(add("encoder/a->b"), "twice"));
  EXPECT_TRUE(has(add(""), "model.file"));
  EXPECT_TRUE(has(add(std::string("a\0b", 3)), "control"));
  EXPECT_TRUE(has(add(std::string(2000, 'a')), "2000"));
  EXPECT_EQ(arrays.find("b"), nullptr);
  EXPECT_EQ(arrays.at("encoder/a->b").count(), 4u);
  EXPECT_TRUE(has(refusal_of([&] { arrays.at("b"); }), "'b' is missing"));
}

}  // namespace
}  // namespace gloss
