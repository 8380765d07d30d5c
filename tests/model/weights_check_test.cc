// SPDX-License-Identifier: Apache-2.0

#include "model/weights_check.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/checksum.h"
#include "base/error.h"
#include "base/files.h"
#include "base/index.h"
#include "tests/support/temporary_directory.h"

namespace gloss {
namespace {

constexpr std::int64_t kBlockNumbers = 32 * 1024;  // f32 numbers of a block that is checked at once
constexpr std::int64_t kNumbers = 2 * kBlockNumbers + 100;

class WeightsCheck : public testing::Test {
 protected:
  /// The check's result for a file with an array of several blocks before another one.
  std::string check(const std::vector<float>& numbers) const {
    const std::vector<float> more(kBlockNumbers + 1, 2.0f);
    AtomicFile file(path);
    write_safetensors(file,
                      std::vector<NamedArray>{{"long", DType::f32, Shape{kNumbers}, numbers.data()},
                                              {"more", DType::f32, Shape{kBlockNumbers + 1}, more.data()}});
    file.commit();
    return check_weights(SafetensorsFile(path));
  }

  TemporaryDirectory folder;
  std::string path = folder / "weights";
};

TEST_F(WeightsCheck, ReturnsTheSumOfTheFile) {
  const std::string sum = check(std::vector<float>(index(kNumbers), 1.0f));
  EXPECT_EQ(sum, checksum(read_file(path)));
}

TEST_F(WeightsCheck, LooksIntoEveryBlock) {
  for (const std::int64_t place :
       {std::int64_t{0}, kBlockNumbers - 1, kBlockNumbers, 2 * kBlockNumbers, kNumbers - 1}) {
    std::vector<float> numbers(index(kNumbers), 1.0f);
    numbers[index(place)] = std::nanf("");
    try {
      check(numbers);
      ADD_FAILURE() << "accepted NaN at " << place;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("'long'"), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace gloss
