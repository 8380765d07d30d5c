// SPDX-License-Identifier: Apache-2.0
// Converted models in the directory of GLOSS_IMPORT_CACHE.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/files.h"
#include "tests/pipeline/foreign/foreign_model_use.h"
#include "tests/support/another_build.h"
#include "tests/support/has.h"
#include "tests/support/hugging_face_marian.h"
#include "tests/support/marian_model.h"

namespace gloss {
namespace {

struct ImportCache : ForeignModelUse {};

TEST_F(ImportCache, IsConvertedOnceWithACache) {
  const std::string cache = folder / "some/cache", expected = translation(foreign);
  EXPECT_EQ(translation(foreign, cache), expected);
  const std::vector<std::string> names = names_in(cache);
  ASSERT_EQ(names.size(), 1u);
  const std::string config = concat(cache, "/", names.front(), "/config.json");
  const auto written = std::filesystem::last_write_time(config);
  EXPECT_EQ(translation(foreign, cache), expected);
  EXPECT_EQ(std::filesystem::last_write_time(config), written);
  HuggingFaceMarian other;
  other.config["activation_function"] = "relu";
  other.write(foreign);
  translation(foreign, cache);
  EXPECT_EQ(names_in(cache).size(), 2u);
}

TEST_F(ImportCache, AnotherBuildOfTheProgramConvertsAgain) {
  const std::string cache = folder / "cache", copy = folder / "copy", other = folder / "other";
  translation(foreign, cache);
  std::filesystem::copy_file(kGlossBinary, copy);
  write_another_build(other);
  const auto conversions = [&](const std::string& program) {
    EXPECT_EQ(run_program({program, "info", foreign}, "", {"GLOSS_IMPORT_CACHE=" + cache}).status, 0);
    return names_in(cache).size();
  };
  EXPECT_EQ(conversions(copy), 1u) << "the same program, installed elsewhere";
  EXPECT_EQ(conversions(other), 2u);
}

TEST_F(ImportCache, DamagedConversionsInACacheAreMadeAgain) {
  const std::string cache = folder / "cache", expected = translation(foreign, cache);
  const std::string directory = concat(cache, "/", names_in(cache).at(0));
  for (const std::string name : {"config.json", "model.safetensors", "tokenizer.model"}) {
    ASSERT_TRUE(std::filesystem::remove(concat(directory, "/", name))) << name;
    EXPECT_EQ(translation(foreign, cache), expected) << name;
    EXPECT_TRUE(std::filesystem::exists(concat(directory, "/", name))) << name;
  }
  std::filesystem::resize_file(directory + "/model.safetensors", 999);
  EXPECT_EQ(translation(foreign, cache), expected);
  for (const std::string name : {"model.safetensors", "tokenizer.model"}) {
    std::string bytes = read_file(concat(directory, "/", name));
    bytes.at(bytes.size() - 9) ^= 1;
    folder.write(concat("cache/", names_in(cache).at(0), "/", name), bytes);
    EXPECT_EQ(translation(foreign, cache), expected) << name;
    folder.write(concat("cache/", names_in(cache).at(0), "/", name), bytes.substr(0, 100));
    EXPECT_EQ(translation(foreign, cache), expected) << name;
  }
  EXPECT_EQ(names_in(cache).size(), 1u);
}

TEST_F(ImportCache, ACacheKnowsTheFilesBesideTheWeights) {
  const std::string cache = folder / "cache", weights = folder / "marian/model.npz";
  MarianModel model;
  model.write(folder / "marian");
  const auto info = [&] { return gloss({"info", weights}, "", cache).output; };
  const std::string before = info();
  folder.write("marian/model.npz.decoder.yml",
               "models: [model.npz]\nvocabs: [vocab.yml, vocab.yml]\nbeam-size: 3\n");
  const std::string after = info();
  EXPECT_FALSE(has(before, "\"beam_size\": 3")) << before;
  EXPECT_NE(after, before);
  EXPECT_EQ(names_in(cache).size(), 2u);
}

}  // namespace
}  // namespace gloss
