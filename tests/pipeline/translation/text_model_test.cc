// SPDX-License-Identifier: Apache-2.0

#include "pipeline/text_models/text_model.h"
#include "base/index.h"
#include "pipeline/translation/length_limits.h"
#include "pipeline/translation/translator.h"

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
    read_text_model(directory, Weights::in_place);
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
  const TextModel model = read_text_model(folder.path(), Weights::in_place);
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
  const TextModel model = read_text_model(folder.path(), Weights::in_place);
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

TEST_F(TranslationModelTest, AnInterruptedReplacementIsNeverAMix) {
  // Two models that differ in nothing but the bytes of their files: each mix of them would load and be wrong.
  const TemporaryDirectory replaced, replacing;
  Listener silent;
  SubwordSettings settings;
  settings.size = 50;
  int line = 0;
  const auto next = [&](std::string& text) {
    text = "another text of quite other words and of numbers such as " + std::to_string(line);
    return line++ < 100;
  };
  const Subwords changed = learn_subwords(next, settings, 1, silent);
  write_untrained_model(replaced.path(), small, small, 3);
  write_untrained_model(replacing.path(), changed, changed, 4);
  const std::vector<std::string> in_order{"tokenizer.model", "model.safetensors", "config.json"};
  for (std::size_t done = 0; done <= in_order.size(); ++done) {
    for (std::size_t i = 0; i < in_order.size(); ++i) {
      folder.write(in_order[i], (i < done ? replacing : replaced).read(in_order[i]));
    }
    const std::string error = error_of(folder.path());
    if (done == 0 || done == in_order.size()) {
      EXPECT_EQ(error, "no error");
    } else {
      EXPECT_NE(error.find("sums"), std::string::npos) << done << ": " << error;
    }
  }
  // Killed after the last rename, before the tokenizer of the old model was removed.
  write_untrained_model(folder.path(), large, small);
  folder.write("tokenizer.model", small.bytes());
  EXPECT_EQ(error_of(folder.path()), "no error");
  EXPECT_EQ(read_text_model(folder.path(), Weights::in_place).source->bytes(), large.bytes());
}

TEST_F(TranslationModelTest, LengthsAreLimitedToTheNetworksPositions) {
  write_untrained_model(folder.path(), small, small);
  const TextModel model = read_text_model(folder.path(), Weights::in_place);
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
  const TextModel model = read_text_model(folder.path(), Weights::in_place);
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
