// SPDX-License-Identifier: Apache-2.0

#include "pipeline/inference/text_model.h"
#include "base/index.h"
#include "pipeline/inference/translator.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/untrained_model.h"

namespace gloss {
namespace {

std::string error_of(const std::string& directory) {
  try {
    read_text_model(directory, Weights::mapped);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

class TranslationModelTest : public testing::Test {
 protected:
  bool has(const std::string& name) const { return std::filesystem::exists(folder / name); }
  TemporaryDirectory folder;
  const Subwords large = small_vocabulary(60), small = small_vocabulary(50);
};

TEST_F(TranslationModelTest, SurvivesARoundTrip) {
  write_untrained_model(folder.path(), large, small);
  const TextModel model = read_text_model(folder.path(), Weights::mapped);
  EXPECT_EQ(model.source->bytes(), large.bytes());
  EXPECT_EQ(model.target->bytes(), small.bytes());
  EXPECT_EQ(model.format.normalization, Normalization::nfkc);
  EXPECT_EQ(model.model.network->vocabulary_size(), 50);
}

TEST_F(TranslationModelTest, ASharedTokenizerIsStoredOnceAndReplacesOldOnes) {
  write_untrained_model(folder.path(), large, small);
  write_untrained_model(folder.path(), small, small);
  EXPECT_TRUE(has("tokenizer.model"));
  EXPECT_FALSE(has("source.model") || has("target.model"));
  const TextModel model = read_text_model(folder.path(), Weights::mapped);
  EXPECT_EQ(model.source, model.target);
  write_untrained_model(folder.path(), large, small);
  EXPECT_FALSE(has("tokenizer.model"));
}

TEST_F(TranslationModelTest, ATokenizerOfAnotherModelIsRefused) {
  write_untrained_model(folder.path(), large, small);
  folder.write("source.model", small.bytes());
  const std::string error = error_of(folder.path());
  EXPECT_NE(error.find("source.model does not belong"), std::string::npos) << error;
  EXPECT_NE(error.find("50 in the tokenizer but 60 in"), std::string::npos) << error;
}

TEST_F(TranslationModelTest, MissingOrDamagedPartsAreNamed) {
  write_untrained_model(folder.path(), large, small);
  const std::string config = folder.read("config.json");
  for (const auto& [from, to, expected] :
       {std::tuple{"\"text\"", "\"next\"", "no member \"text\""},
        std::tuple{"\"nfkc\"", "\"nfx\"", "normalization"},
        std::tuple{"\"normalization\"", "\"normalisation\"", "config.json: text"}}) {
    std::string damaged = config;
    damaged.replace(damaged.find(from), std::string(from).size(), to);
    folder.write("config.json", damaged);
    EXPECT_NE(error_of(folder.path()).find(expected), std::string::npos) << error_of(folder.path());
  }
  folder.write("config.json", config);
  std::filesystem::remove(folder / "target.model");
  EXPECT_NE(error_of(folder.path()).find("target.model"), std::string::npos) << error_of(folder.path());
  std::filesystem::remove(folder / "source.model");
  EXPECT_NE(error_of(folder.path()).find("no tokenizer"), std::string::npos) << error_of(folder.path());
}

TEST_F(TranslationModelTest, LengthsAreLimitedToTheNetworksPositions) {
  write_untrained_model(folder.path(), small, small);
  const TextModel model = read_text_model(folder.path(), Weights::mapped);
  TranslationSettings settings;
  limit_lengths(model.model.settings, settings);
  EXPECT_EQ(settings.max_source_tokens, 59);
  EXPECT_EQ(settings.search.max_length, 59);
  settings.search.min_length = 59;  // uses the last position
  const Translator translator(*model.model.network, *model.source, *model.target, model.format.normalization,
                              settings, 2);
  const auto translated = translator.translate(std::vector<std::string>{"dog", std::string(500, 'o'), ""});
  EXPECT_EQ(translated[0].translations[0].tokens, 59);
  EXPECT_EQ(translated[1].read_tokens - translated[1].left_out, 59);
}

TEST_F(TranslationModelTest, ARealNetworkTranslatesTheSameInEveryBatch) {
  write_untrained_model(folder.path(), large, small);
  const TextModel model = read_text_model(folder.path(), Weights::mapped);
  std::vector<std::string> lines;
  for (int i = 0; i < 30; ++i) lines.push_back("the dog" + std::string(index(i % 11), 'e'));
  std::vector<std::string> expected;
  for (const int threads : {1, 3}) {
    for (const int size : {1, 7, 64}) {
      TranslationSettings settings;
      settings.batches.batch_size = size;
      limit_lengths(model.model.settings, settings);
      const Translator translator(*model.model.network, *model.source, *model.target,
                                  model.format.normalization, settings, threads);
      std::vector<std::string> found;
      for (const TranslatedLine& line : translator.translate(lines)) {
        found.push_back(concat(line.translations[0].text, " ", line.translations[0].score));
      }
      if (expected.empty()) expected = found;
      EXPECT_EQ(found, expected) << threads << " threads, batches of " << size;
    }
  }
}

}  // namespace
}  // namespace gloss
