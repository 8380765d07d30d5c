// SPDX-License-Identifier: Apache-2.0

#include "model/formats/sharded_arrays.h"

#include <gtest/gtest.h>

#include "model/formats/foreign_safetensors.h"
#include "model/formats/torch_checkpoint.h"
#include "tests/support/foreign_reading.h"
#include "tests/support/safetensors_bytes.h"
#include "tests/support/shared_data.h"

namespace gloss {
namespace {

std::string one_tensor(const std::string& name) {
  return safetensors_bytes(tensor_header(name, "F32", "[1]", "[0,4]"), little_endian(1.5F));
}

class Shards : public testing::Test {
 protected:
  Shards() {
    folder_.write("1.safetensors", one_tensor("a"));
    folder_.write("2.safetensors", one_tensor("b"));
    folder_.write("3.safetensors", one_tensor("b"));
  }
  StoredArrays read(const std::string& index) const {
    return read_shards(folder_.write("index.json", index), read_foreign_safetensors);
  }
  std::string refusal(const std::string& index) const {
    return refusal_of([&] { read(index); });
  }

  TemporaryDirectory folder_;
};

TEST_F(Shards, ArraysOfAllFilesAreRead) {
  const StoredArrays arrays =
      read(R"({"metadata": {"total_size": 8}, "weight_map": {"a": "1.safetensors", "b": "2.safetensors"}})");
  EXPECT_EQ(arrays.all().size(), 2u);
  EXPECT_EQ(numbers_of(arrays.at("b")), (std::vector<float>{1.5F}));
}

TEST_F(Shards, OnlyFilesOfTheFolderAreOpened) {
  for (const std::string name : {"../1.safetensors", "/etc/passwd", "./1.safetensors", "..", ".", "",
                                 "a\\\\b", "1.safetensors\\u0000x"}) {
    const std::string message = refusal(R"({"weight_map": {"a": ")" + name + R"("}})");
    EXPECT_TRUE(has(message, "index.json") && has(message, "'a'") && has(message, "same directory"))
        << message;
  }
}

TEST_F(Shards, AnIndexThatDoesNotFitIsRefused) {
  EXPECT_TRUE(has(refusal(R"({"weight_map": {"a": "2.safetensors"}})"), "'a' is missing in 2.safetensors"));
  const std::string missing = refusal(R"({"weight_map": {"a": "4.safetensors"}})");
  EXPECT_TRUE(has(missing, "4.safetensors is missing") && has(missing, "index.json")) << missing;
  EXPECT_TRUE(has(refusal(R"({"weight_map": {"b": "2.safetensors", "c": "3.safetensors"}})"), "twice"));
  EXPECT_TRUE(has(refusal(R"({"weight_map": {"a": 1}})"), "'a'"));
  EXPECT_TRUE(has(refusal(R"({"weight_map": []})"), "weight_map"));
  EXPECT_TRUE(has(refusal(R"([])"), "weight_map"));
  EXPECT_TRUE(has(refusal(R"({)"), "index.json"));
}

TEST_F(Shards, ModelsInBothFormatsHaveTheSameWeights) {
  GLOSS_NEED_SHARED_DATA(folder, "interchange/huggingface");
  const auto read_torch = [](const std::string& path) { return read_torch_checkpoint(path).arrays; };
  const StoredArrays tensors =
      read_shards(*folder + "/m2m100/model.safetensors.index.json", read_foreign_safetensors);
  const StoredArrays pickled =
      read_shards(*folder + "/m2m100-bin-shards/pytorch_model.bin.index.json", read_torch);
  EXPECT_GT(tensors.all().size(), 80u);
  for (const auto& [name, array] : tensors.all()) {
    EXPECT_EQ(array.shape(), pickled.at(name).shape()) << name;
    EXPECT_EQ(numbers_of(array), numbers_of(pickled.at(name))) << name;
  }
}

}  // namespace
}  // namespace gloss
