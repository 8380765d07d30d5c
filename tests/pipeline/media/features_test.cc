// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <numeric>

#include "base/error.h"
#include "base/index.h"
#include "base/threads.h"
#include "model/formats/npz_writer.h"
#include "pipeline/media/feature_items.h"
#include "tests/support/temporary_directory.h"

namespace gloss {
namespace {

// Streams of one zip archive share its place in the file.
TEST(FeatureFiles, ThreadsReadArraysOfOneArchiveTogether) {
  constexpr int kArrays = 40, kNumbers = 5000, kReads = 400;
  const TemporaryDirectory folder;
  std::vector<float> values(kNumbers);
  std::vector<NpzArray> arrays;
  for (int array = 0; array < kArrays; ++array) {
    arrays.push_back({concat("m", array), NumberType::f32, {kNumbers, 1}, [&values, array] {
                        std::iota(values.begin(), values.end(), static_cast<float>(array));
                        return std::as_bytes(std::span(values));
                      }});
  }
  write_npz(folder / "all.npz", arrays);
  const FeatureFiles files;
  const ItemList list{.name = "list", .folder = folder.path()};
  for_each_item(4, kReads, [&](std::int64_t read) {
    const auto array = static_cast<int>(read % kArrays);
    const Features features = files.read(list, concat("all.npz#m", array));
    ASSERT_EQ(features.positions, kNumbers);
    for (int i = 0; i < kNumbers; ++i) ASSERT_EQ(features.values[index(i)], static_cast<float>(array + i));
  });
}

}  // namespace
}  // namespace gloss
