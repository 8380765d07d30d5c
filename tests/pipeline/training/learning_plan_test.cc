// SPDX-License-Identifier: Apache-2.0

#include "pipeline/training/learning_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "tests/support/has.h"

namespace gloss {
namespace {

TextSample natural_text(std::int64_t lines) {
  TextSample figures;
  figures.lines = lines;
  figures.source_words = figures.target_words = 12;
  figures.growth = 0.65;
  figures.different_words = 8000;
  figures.sampled = 1;
  return figures;
}

struct LearningPlanTest : testing::Test {
  LearningPlanTest() {
    planning.network_of = [this](Preset preset) {
      NetworkSettings sized = chosen;
      apply_preset(preset, sized);
      return sized;
    };
  }
  LearningPlan plan(TextSample figures, bool validates = true) {
    constexpr std::int64_t kTokensOfLine = 15;
    const std::int64_t tokens = figures.lines * kTokensOfLine;
    LearningPlan plan(planning, network, tokenizers, loop, std::move(figures), task, validates);
    plan.choose_vocabulary();
    plan.choose_network();
    plan.choose_rest(tokens);
    return plan;
  }
  nlohmann::json network_value(const std::string& name) {
    return fields_to_json(chosen_fields_of(network)).at(name);
  }

  Planning planning;
  LearningTask task{.figure = StopOn::bleu, .network = {{"encoder_mixers", {"dynamic"}}}};
  NetworkSettings chosen, network;
  TokenizerSettings tokenizers;
  LoopSettings loop;
};

TEST_F(LearningPlanTest, PresetsGrowWithTheText) {
  EXPECT_EQ(preset_for(0), Preset::tiny);
  EXPECT_EQ(preset_for(199'999), Preset::tiny);
  EXPECT_EQ(preset_for(200'000), Preset::small);
  EXPECT_EQ(preset_for(1'999'999), Preset::small);
  EXPECT_EQ(preset_for(2'000'000), Preset::base);
}

TEST_F(LearningPlanTest, VocabulariesGrowWithTheText) {
  EXPECT_EQ(pieces_for(48'000, 80), 2000);
  EXPECT_EQ(pieces_for(700'000, 80), 8000);
  EXPECT_EQ(pieces_for(8'000'000, 80), 16'000);
  EXPECT_EQ(pieces_for(1e10, 80), 32'000);
  EXPECT_EQ(pieces_for(1, 80), 500);
  EXPECT_EQ(pieces_for(48'000, 3000), 6000) << "each Chinese character has a piece";
}

TEST_F(LearningPlanTest, ChoosesWhatWasNotGiven) {
  plan(natural_text(29'000));
  EXPECT_EQ(tokenizers.vocab_size, 8000);
  EXPECT_EQ(network.sizes.width, 128);
  EXPECT_EQ(network_value("encoder_mixers"), nlohmann::json{"dynamic"});
  EXPECT_EQ(network_value("norm"), "pre");
  EXPECT_EQ(network_value("norm_type"), "rms");
  EXPECT_EQ(loop.optimizer.update, Update::muon);
  EXPECT_EQ(loop.schedule.decay, Decay::cooldown);
  EXPECT_EQ(loop.batches.batch_tokens, 4096);
  EXPECT_DOUBLE_EQ(loop.schedule.learning_rate, 0.0045);
  EXPECT_GT(loop.training.max_updates, 1500);
  EXPECT_LT(loop.training.max_updates, 3000);
  EXPECT_LT(loop.schedule.warmup_updates, loop.training.max_updates / 4);
  EXPECT_GT(loop.training.early_stopping, 0);
  EXPECT_EQ(loop.training.stop_on, StopOn::bleu);
  check(loop);
}

TEST_F(LearningPlanTest, KeepsWhatWasGiven) {
  planning.given = {"vocab_size",     "norm",      "dropout",     "max_updates",
                    "warmup_updates", "optimizer", "batch_tokens"};
  tokenizers.vocab_size = 1234;
  loop.training.max_updates = 77;
  loop.schedule.warmup_updates = 3;
  loop.batches.batch_tokens = 999;
  const LearningPlan made = plan(natural_text(29'000));
  EXPECT_EQ(made.updates(), 77);
  EXPECT_EQ(tokenizers.vocab_size, 1234);
  EXPECT_EQ(loop.training.max_updates, 77);
  EXPECT_EQ(loop.schedule.warmup_updates, 3);
  EXPECT_EQ(loop.batches.batch_tokens, 999);
  EXPECT_EQ(loop.optimizer.update, Update::adam);
  EXPECT_EQ(network_value("norm"), "post");
  EXPECT_EQ(network_value("norm_type"), "layer") << "pre and rms go together";
  EXPECT_EQ(network_value("encoder_mixers"), nlohmann::json{"dynamic"});
  EXPECT_DOUBLE_EQ(network.sizes.dropout, 0.1);
}

TEST_F(LearningPlanTest, LeavesOutWhatConflictsWithGivenSettings) {
  planning.given = {"deep_norm", "positions"};
  for (const Field& field : chosen_fields_of(chosen)) {
    if (field.name == "deep_norm") set_field(field, "true", "");
    if (field.name == "positions") set_field(field, "rotary", "");
  }
  plan(natural_text(29'000));
  EXPECT_EQ(network_value("norm"), "post");
  EXPECT_EQ(network_value("encoder_mixers"), nlohmann::json{"attention"});
}

TEST_F(LearningPlanTest, LearnsASmallLanguageSooner) {
  const std::int64_t natural = plan(natural_text(20'000)).updates();
  TextSample small = natural_text(20'000);
  small.growth = 0.1;
  EXPECT_LT(plan(small).updates(), natural / 2);
  small.different_words = 40;
  EXPECT_EQ(plan(small).updates(), natural) << "letters, of which nothing follows";
}

TEST_F(LearningPlanTest, OtherLimitsReplaceTheNumberOfUpdates) {
  planning.given = {"max_epochs"};
  loop.training.max_epochs = 2;
  const LearningPlan made = plan(natural_text(29'000));
  EXPECT_EQ(loop.training.max_updates, 0);
  EXPECT_EQ(made.updates(), 212) << "2 passes over 435,000 tokens";
  EXPECT_LT(loop.schedule.warmup_updates, 50);
  EXPECT_DOUBLE_EQ(network.sizes.dropout, 0.1);
}

TEST_F(LearningPlanTest, RanksShareABatch) {
  planning.ranks = 4;
  const std::int64_t together = plan(natural_text(29'000)).updates();
  EXPECT_EQ(loop.batches.batch_tokens, 1024);
  planning.ranks = 1;
  EXPECT_EQ(plan(natural_text(29'000)).updates(), together);
}

TEST_F(LearningPlanTest, WithoutValidationNothingStopsEarly) {
  plan(natural_text(29'000), false);
  EXPECT_EQ(loop.training.early_stopping, 0);
}

TEST_F(LearningPlanTest, FitsIntoTheTime) {
  LearningPlan made = plan(natural_text(29'000));
  EXPECT_TRUE(made.fit_time(240, 0.25));
  EXPECT_EQ(made.updates(), 960);
  EXPECT_EQ(loop.batches.batch_tokens, 4096);
  EXPECT_TRUE(made.fit_time(30, 0.25));
  EXPECT_LT(loop.batches.batch_tokens, 4096) << "more and smaller steps";
  EXPECT_GT(made.updates(), 120);
  EXPECT_LT(loop.schedule.warmup_updates, made.updates() / 4);
}

TEST_F(LearningPlanTest, AGivenNumberOfUpdatesDoesNotExtendTheTime) {
  planning.given = {"max_updates"};
  loop.training.max_updates = 100'000;
  LearningPlan made = plan(natural_text(29'000));
  EXPECT_EQ(made.updates(), 100'000);
  EXPECT_TRUE(made.fit_time(240, 0.25));
  EXPECT_EQ(made.updates(), 960);
  loop.training.max_updates = 500;
  EXPECT_TRUE(made.fit_time(240, 0.25));
  EXPECT_EQ(made.updates(), 500);
}

TEST_F(LearningPlanTest, ChoosesASmallerNetworkForAShortTime) {
  LearningPlan made = plan(natural_text(3'000'000));
  EXPECT_EQ(network.sizes.width, 512);
  EXPECT_FALSE(made.fit_time(3600, 4)) << "900 updates are too few for base";
  EXPECT_EQ(network.sizes.width, 256);
  EXPECT_TRUE(made.fit_time(3600, 1));
  EXPECT_EQ(network.sizes.width, 256);
  EXPECT_EQ(made.updates(), 3600);
  planning.preset = Preset::base;
  LearningPlan given = plan(natural_text(3'000'000));
  EXPECT_TRUE(given.fit_time(3600, 4)) << "the preset was given";
  EXPECT_EQ(network.sizes.width, 512);
}

TEST_F(LearningPlanTest, ContinuesWithTheStoredPlan) {
  plan(natural_text(29'000));
  const nlohmann::json stored = [&] {
    nlohmann::json all = fields_to_json(chosen_fields_of(network));
    all.update(fields_to_json(planned_fields_of(network, tokenizers, loop)));
    return all;
  }();
  const double rate = loop.schedule.learning_rate;
  const std::int64_t updates = loop.training.max_updates;
  loop = {};
  network = {};
  planning.given = {"dropout"};
  chosen.sizes.dropout = 0.4;
  take_stored_plan(planning, stored, network, tokenizers, loop);
  EXPECT_DOUBLE_EQ(loop.schedule.learning_rate, rate);
  EXPECT_EQ(loop.training.max_updates, updates);
  EXPECT_EQ(loop.optimizer.update, Update::muon);
  EXPECT_EQ(network.sizes.width, 128);
  EXPECT_EQ(network_value("norm"), "pre");
  EXPECT_DOUBLE_EQ(network.sizes.dropout, 0.4) << "given: a difference is an error elsewhere";
  planning.preset = Preset::base;
  take_stored_plan(planning, stored, network, tokenizers, loop);
  EXPECT_EQ(network.sizes.width, 512) << "given: a difference is an error elsewhere";
}

TEST_F(LearningPlanTest, SaysWhatItChose) {
  const std::string text = join(plan(natural_text(29'000)).text(), "\n");
  for (const char* part : {"29000 pairs", "--vocab-size 8000", "--preset tiny", "--encoder-mixers dynamic",
                           "--optimizer muon", "--learning-rate 0.0045", "--batch-tokens 4096"}) {
    EXPECT_TRUE(has(text, part)) << text;
  }
}

TEST_F(LearningPlanTest, SaysNothingIfAllWasGiven) {
  for (const Field& field : planned_fields_of(network, tokenizers, loop)) planning.given.insert(field.name);
  planning.preset = Preset::tiny;
  EXPECT_TRUE(plan(natural_text(29'000)).text().empty());
}

TEST_F(LearningPlanTest, ALanguageOfSymbolsNeedsLittleDropout) {
  TextSample symbols = natural_text(20'000);
  plan(symbols);
  EXPECT_GE(network.sizes.dropout, 0.2);
  symbols.different_words = 40;
  plan(symbols);
  EXPECT_DOUBLE_EQ(network.sizes.dropout, 0.1);
}

TEST_F(LearningPlanTest, FollowsTheTask) {
  task = {.figure = StopOn::accuracy, .updates = 0.5};
  const std::int64_t labels = plan(natural_text(29'000)).updates();
  EXPECT_EQ(loop.training.stop_on, StopOn::accuracy);
  EXPECT_EQ(network_value("encoder_mixers"), nlohmann::json{"attention"});
  task = {.figure = StopOn::bleu};
  EXPECT_NEAR(static_cast<double>(plan(natural_text(29'000)).updates()), 2.0 * static_cast<double>(labels),
              100);
}

TEST_F(LearningPlanTest, ALanguageModelHasTheMixersInItsDecoder) {
  task.network = {{"decoder_mixers", {"dynamic", "attention"}}};
  chosen.sizes.encoder_layers = 0;
  planning.network_of = [this](Preset preset) {
    NetworkSettings sized = chosen;
    apply_preset(preset, sized);
    sized.sizes.encoder_layers = 0;
    return sized;
  };
  plan(natural_text(29'000));
  const nlohmann::json mixers = network_value("decoder_mixers");
  ASSERT_EQ(mixers.size(), static_cast<std::size_t>(network.sizes.decoder_layers)) << mixers;
  for (std::size_t layer = 0; layer < mixers.size(); ++layer)
    EXPECT_EQ(mixers[layer], layer % 2 == 0 ? "dynamic" : "attention");
}

}  // namespace
}  // namespace gloss
