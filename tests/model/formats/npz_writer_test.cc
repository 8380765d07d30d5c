// SPDX-License-Identifier: Apache-2.0

#include "model/formats/npz_writer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/error.h"
#include "base/files.h"
#include "model/formats/npz.h"
#include "tests/support/foreign_reading.h"
#include "tests/support/has.h"

namespace gloss {
namespace {

/// An array whose numbers are made in memory that the next array overwrites.
NpzArray floats(std::vector<float>& memory, const std::string& name, std::vector<std::int64_t> shape,
                std::vector<float> values) {
  return {name, NumberType::f32, std::move(shape), [&memory, values] {
            memory = values;
            return std::as_bytes(std::span(memory));
          }};
}

std::vector<NpzArray> some_arrays(std::vector<float>& memory) {
  static const std::string text("a: 1\0\0\0", 7);
  return {{"special:model.yml", NumberType::i8, {7}, [] { return std::as_bytes(std::span(text)); }},
          floats(memory, "second", {2, 3}, {0, 1, 2, 3, 4, 5}),
          floats(memory, "first", {1, 2}, {-0.0F, 7}),
          floats(memory, "empty", {1, 0}, {})};
}

TEST(NpzWriter, WrittenArraysAreReadAgain) {
  const TemporaryDirectory folder;
  std::vector<float> memory;
  write_npz(folder / "a.npz", some_arrays(memory));
  const StoredArrays arrays = read_npz(folder / "a.npz");
  EXPECT_EQ(arrays.all().size(), 4u);
  EXPECT_EQ(arrays.at("second").shape(), (std::vector<std::int64_t>{2, 3}));
  EXPECT_EQ(numbers_of(arrays.at("second")), (std::vector<float>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(arrays.at("first").shape(), (std::vector<std::int64_t>{1, 2}));
  EXPECT_TRUE(std::signbit(numbers_of(arrays.at("first")).front()));
  EXPECT_EQ(arrays.at("empty").count(), 0u);
  EXPECT_EQ(arrays.at("special:model.yml").type(), NumberType::i8);
  EXPECT_EQ(arrays.at("special:model.yml").bytes(100), std::string("a: 1\0\0\0", 7));
}

TEST(NpzWriter, TheSameArraysGiveTheSameBytes) {
  const TemporaryDirectory folder;
  std::vector<float> memory;
  write_npz(folder / "a.npz", some_arrays(memory));
  write_npz(folder / "b.npz", some_arrays(memory));
  EXPECT_EQ(read_file(folder / "a.npz"), read_file(folder / "b.npz"));
}

// Marian reads the archive from its start, without its directory: header, name, extra field, array, and so
// on.
TEST(NpzWriter, SizesPrecedeTheArrays) {
  const TemporaryDirectory folder;
  std::vector<float> memory;
  write_npz(folder / "a.npz", some_arrays(memory));
  const std::string bytes = read_file(folder / "a.npz");
  std::vector<std::string> names;
  std::size_t at = 0;
  const auto number = [&](std::size_t place, std::size_t size) {
    std::uint64_t value = 0;
    std::memcpy(&value, &bytes.at(at + place), size);
    return value;
  };
  while (bytes.compare(at, 4, "PK\3\4") == 0) {
    EXPECT_EQ(number(6, 2) & 8, 0u) << "sizes after the array";
    EXPECT_EQ(number(8, 2), 0u) << "compressed";
    const std::uint64_t size = number(22, 4), name = number(26, 2), extra = number(28, 2);
    EXPECT_EQ(number(18, 4), size);
    names.push_back(bytes.substr(at + 30, name));
    const std::size_t start = at + 30 + name + extra;
    EXPECT_EQ(bytes.substr(start, 6), "\x93NUMPY");
    EXPECT_LT(bytes.find('\n', start) - start, 256u) << "a header longer than Marian reads";
    at = start + size;
  }
  EXPECT_EQ(names,
            (std::vector<std::string>{"special:model.yml.npy", "second.npy", "first.npy", "empty.npy"}));
  EXPECT_EQ(bytes.compare(at, 4, "PK\1\2"), 0);
}

TEST(NpzWriter, FailuresNameTheFileAndKeepTheirReason) {
  const TemporaryDirectory folder;
  std::vector<float> memory;
  try {
    write_npz(folder / "missing/a.npz", some_arrays(memory));
    ADD_FAILURE() << "wrote a file in a directory that does not exist";
  } catch (const Error& error) {
    EXPECT_TRUE(has(error.what(), "missing/a.npz")) << error.what();
  }
  const auto fail = []() -> std::span<const std::byte> { throw InputError("the numbers are gone"); };
  try {
    write_npz(folder / "a.npz", {{"a", NumberType::f32, {1}, fail}});
    ADD_FAILURE() << "wrote numbers that are not there";
  } catch (const InputError& error) {
    EXPECT_TRUE(has(error.what(), "the numbers are gone")) << error.what();
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder / "")) << "an incomplete file";
}

}  // namespace
}  // namespace gloss
