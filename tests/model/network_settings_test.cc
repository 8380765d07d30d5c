// SPDX-License-Identifier: Apache-2.0
// Inconsistent settings of networks.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"
#include "network_variants.h"

namespace gloss {
namespace {

TEST(NetworkSettings, RejectsInconsistentSettings) {
  NetworkSettings settings = small_settings();
  settings.own<TransformerSettings>().positions = Positions::rotary;
  settings.sizes.width = 36;
  settings.sizes.heads = 4;
  EXPECT_THROW(check(settings), UsageError) << "rotary positions need heads of even width";
  settings = small_settings();
  settings.sizes.heads = 5;
  EXPECT_THROW(check(settings), UsageError);
  settings = small_settings();
  settings.source_vocabulary = 10;  // all embeddings are tied
  EXPECT_THROW(check(settings), UsageError);
  settings.sizes.tied_embeddings = TiedEmbeddings::inputs;
  EXPECT_THROW(check(settings), UsageError);
  settings = small_settings();
  settings.end_token = 57;
  EXPECT_THROW(check(settings), UsageError);
  settings = small_settings();
  settings.sizes.width = 65536;
  settings.sizes.max_positions = 1 << 20;
  EXPECT_THROW(check(settings), UsageError) << "a table of positions of 256 GiB";
  settings = small_settings();  // of T5 with 3 billion parameters
  settings.sizes.width = 2048;
  settings.sizes.max_positions = 1 << 14;
  EXPECT_THROW(check(settings), UsageError);
  settings.own<TransformerSettings>().positions = Positions::buckets;
  EXPECT_NO_THROW(check(settings)) << "buckets need no table of positions";
  const auto expect_refused = [](auto change, const char* why) {
    NetworkSettings changed = small_settings();
    change(changed.own<TransformerSettings>());
    EXPECT_THROW(check(changed), UsageError) << why;
  };
  expect_refused([](TransformerSettings& s) { s.key_value_heads = 3; }, "4 heads in groups of 3");
  expect_refused([](TransformerSettings& s) { s.key_value_heads = 8; }, "more than heads");
  expect_refused([](TransformerSettings& s) { s.decoder_heads = 5; }, "not a divisor of the width");
  expect_refused(
      [](TransformerSettings& s) {
        s.key_value_heads = 4;
        s.decoder_heads = 2;
      },
      "more than heads of the decoder");
  expect_refused([](TransformerSettings& s) { s.head_width = (1 << 16) + 1; }, "wide heads");
  expect_refused(
      [](TransformerSettings& s) {
        s.deep_norm = true;
        s.norm = NormPlacement::pre;
      },
      "factors of post-norm layers");
  expect_refused(
      [](TransformerSettings& s) {
        s.deep_norm = true;
        s.decoder_mixers = {"ssru"};
      },
      "factors of layers that average rows");
  expect_refused(
      [](TransformerSettings& s) {
        s.deep_norm = true;
        s.encoder_mixers = {"dynamic", "conformer"};
      },
      "factors of all layers of the encoder");
  expect_refused([](TransformerSettings& s) { s.query_key_norm = s.raw_past = true; }, "raw keys");
  using Numbers = std::vector<std::string>;
  for (const Numbers& numbers :
       {Numbers{"1", "1"}, {"1", "3", "2"}, {"0", "1", "2"}, {"1", "x", "1"}, {"1", "1.5", "1"}})
    expect_refused([&](TransformerSettings& s) { s.decoder_layer_weights = numbers; }, "three layers");
  for (const std::string steps : {"h", "dan ", "nnnnnnnnnnnnnnnnn"}) {
    expect_refused([&](TransformerSettings& s) { s.steps_after = steps; }, "unknown or many steps");
    expect_refused([&](TransformerSettings& s) { s.steps_top = steps; }, "unknown or many steps");
  }
  expect_refused([](TransformerSettings& s) { s.steps_before = "a"; }, "no input to add");
  expect_refused(
      [](TransformerSettings& s) {
        s.decoder_mixers = {"ssru"};
        s.positions = Positions::rotary;
      },
      "no queries to rotate");
  expect_refused(
      [](TransformerSettings& s) {
        s.decoder_mixers = {"ssru"};
        s.decoder_positions = Positions::rotary;
      },
      "no queries to rotate in the decoder");
  expect_refused(
      [](TransformerSettings& s) {
        s.decoder_positions = Positions::buckets;
        s.relative_reach = s.relative_buckets / 2;
      },
      "a reach smaller than the buckets");
  settings = small_language_model_settings();
  settings.own<TransformerSettings>().decoder_positions = Positions::alibi;
  EXPECT_THROW(check(settings), UsageError) << "no encoder whose positions could be others";
  settings = small_settings();
  settings.sizes.width = 36;  // 4 heads of width 9
  settings.sizes.heads = 4;
  EXPECT_NO_THROW(check(settings));
  settings.own<TransformerSettings>().decoder_positions = Positions::rotary;
  EXPECT_THROW(check(settings), UsageError) << "rotary positions need heads of even width";
  settings.sizes.width = settings.sizes.heads = 5;
  settings.own<TransformerSettings>().positions = Positions::none;
  settings.own<TransformerSettings>().decoder_positions = Positions::sinusoidal;
  EXPECT_THROW(check(settings), UsageError) << "sinusoids need an even width";
  expect_refused(
      [](TransformerSettings& s) {
        s.raw_past = true;
        s.positions = Positions::rotary;
      },
      "stored keys that are not rotated");
  expect_refused(
      [](TransformerSettings& s) {
        s.raw_past = true;
        s.decoder_positions = Positions::rotary;
      },
      "stored keys that are not rotated in the decoder");
  expect_refused(
      [](TransformerSettings& s) {
        s.attention_projection = false;
        s.head_width = 12;
      },
      "heads wider than the network");
  settings = small_settings();
  settings.sizes.decoder_layers = 0;
  settings.begin_token = -1;
  EXPECT_THROW(check(settings), UsageError) << "a masked model without a first token";
  expect_refused(
      [](TransformerSettings& s) {
        s.head_width = 1;
        s.decoder_heads = 1 << 16;
        s.positions = Positions::alibi;
        s.relative_reach = 1 << 20;
      },
      "a table of distances of 512 GiB");
  expect_refused(
      [](TransformerSettings& s) {
        s.positions = Positions::rotary;
        s.head_width = 9;
      },
      "rotary positions need heads of even width");
  expect_refused(
      [](TransformerSettings& s) {
        s.positions = Positions::buckets;
        s.relative_reach = 16;
      },
      "16 buckets have a distance of their own");
  settings = small_settings();
  settings.sizes.heads = 5;
  settings.own<TransformerSettings>().head_width = 6;
  check(settings);  // heads need not divide the width
  settings = small_recurrent_settings();
  settings.sizes.heads = 5;
  EXPECT_THROW(check(settings), UsageError);
  settings = small_recurrent_settings();
  settings.own<RecurrentSettings>().input_feeding = true;
  for (const QueryPlacement query : {QueryPlacement::before, QueryPlacement::between}) {
    settings.own<RecurrentSettings>().query = query;
    EXPECT_THROW(check(settings), UsageError);
  }
  settings.own<RecurrentSettings>().query = QueryPlacement::after;
  settings.own<RecurrentSettings>().attention = AttentionScore::none;
  EXPECT_THROW(check(settings), UsageError);
  settings = small_recurrent_settings();
  settings.own<RecurrentSettings>().selection = AttentionSelection::hard;
  for (const QueryPlacement query : {QueryPlacement::before, QueryPlacement::between}) {
    settings.own<RecurrentSettings>().query = query;
    EXPECT_THROW(check(settings), UsageError);
  }
  settings.own<RecurrentSettings>().query = QueryPlacement::after;
  settings.own<RecurrentSettings>().coverage = true;
  EXPECT_THROW(check(settings), UsageError);
  settings = small_recurrent_settings();
  settings.own<RecurrentSettings>().window = AttentionWindow::monotonic;
  settings.own<RecurrentSettings>().reverse_source = true;
  EXPECT_THROW(check(settings), UsageError);
  settings = small_recurrent_settings();
  settings.own<RecurrentSettings>().attention = AttentionScore::none;
  settings.own<RecurrentSettings>().context = SourceContext::first;
  settings.own<RecurrentSettings>().first_state = FirstState::zero;
  EXPECT_THROW(check(settings), UsageError) << "the decoder does not see the source";
  settings = small_recurrent_settings();
  settings.sizes.encoder_layers = 0;
  EXPECT_THROW(check(settings), UsageError) << "a language model has no source to attend to";
  settings = small_language_model_settings();
  settings.sizes.tied_embeddings = TiedEmbeddings::target;
  settings.source_vocabulary = 12;
  EXPECT_THROW(check(settings), UsageError) << "a language model has one vocabulary";
  settings = small_language_model_settings();
  settings.sizes.tied_embeddings = TiedEmbeddings::inputs;
  EXPECT_THROW(check(settings), UsageError) << "a language model has one input";
}

TEST(NetworkSettings, RejectsInconsistentPartsOfRecurrentNetworks) {
  const auto expect_rejected = [](void (*change)(RecurrentSettings&), const std::string& name) {
    NetworkSettings settings = small_recurrent_settings();
    settings.sizes.heads = 2;
    settings.own<RecurrentSettings>().product_norm = ProductNorm::separate;
    settings.own<RecurrentSettings>().encoder_stack = EncoderStack::alternating;
    settings.own<RecurrentSettings>().attention_width = 10;
    check(settings);
    change(settings.own<RecurrentSettings>());
    EXPECT_THROW(check(settings), UsageError) << name;
  };
  expect_rejected([](RecurrentSettings& own) { own.cell = Cell::lstm; },
                  "an LSTM has no candidate by itself");
  expect_rejected([](RecurrentSettings& own) { own.bidirectional = false; }, "one direction has one stack");
  expect_rejected([](RecurrentSettings& own) { own.attention_width = 11; }, "2 heads of width 11");
}

TEST(NetworkSettings, LanguageModelsBeginWithTheEndToken) {
  const VocabularySettings tokenizers{57, 57, 1, 2};
  NetworkSettings settings = small_settings();
  set_vocabulary(settings, tokenizers);
  EXPECT_EQ(settings.begin_token, 1);
  settings = small_language_model_settings();
  set_vocabulary(settings, tokenizers);
  EXPECT_EQ(settings.begin_token, 2);
  set_vocabulary(settings, {57, 57, -1, 2});
  EXPECT_EQ(settings.begin_token, -1) << "a zero vector";
}

TEST(NetworkSettings, TranslationSettingsAreNotOfferedForOtherPurposes) {
  NetworkSettings settings;
  const auto offered = [&](Purpose purpose, const std::string& name) {
    const Fields fields = fields_for(purpose, settings);
    return std::ranges::find(fields, name, &Field::name) != fields.end();
  };
  for (const char* name : {"encoder_layers", "attention", "scheduled_sampling"}) {
    EXPECT_TRUE(offered(Purpose::translation, name)) << name;
    EXPECT_FALSE(offered(Purpose::plain_text, name)) << name;
    EXPECT_FALSE(offered(Purpose::classification, name)) << name;
  }
  EXPECT_FALSE(offered(Purpose::plain_text, "bidirectional"));
  EXPECT_TRUE(offered(Purpose::classification, "bidirectional"));
  EXPECT_TRUE(offered(Purpose::classification, "norm"));
}

TEST(NetworkSettings, SettingsWithoutEffectAreRefused) {
  const auto expect_refused = [](const NetworkSettings& settings, const std::string& name) {
    EXPECT_THROW(refuse_unused(settings, [&](const std::string& given) { return given == name; }), UsageError)
        << name;
  };
  for (const char* name : {"cell", "attention", "input_feeding", "relative_reach", "relative_buckets"})
    expect_refused(small_settings(), name);
  NetworkSettings settings = small_settings();
  settings.sizes.decoder_layers = 0;
  settings.classifier.classes = 3;
  expect_refused(settings, "output_bias");
  for (const char* name : {"decoder_heads", "decoder_positions"}) expect_refused(settings, name);
  expect_refused(small_language_model_settings(), "token_types");
  expect_refused(small_language_model_settings(), "encoder_layer_weights");
  for (const char* name : {"steps_after", "average_width", "average_gate"})
    expect_refused(small_settings(), name);
  expect_refused(small_language_model_settings(), "decoder_feed_forward_width");
  settings = small_settings();
  settings.own<TransformerSettings>().decoder_positions = settings.own<TransformerSettings>().positions;
  expect_refused(settings, "decoder_positions");
  settings = small_language_model_settings();
  settings.own<TransformerSettings>().decoder_mixers = {"ssru"};
  settings.own<TransformerSettings>().norm = NormPlacement::pre;
  for (const char* name : {"query_key_norm", "deep_norm", "attention_projection"})
    expect_refused(settings, name);
  settings = small_recurrent_settings();
  for (const char* name : {"feed_forward_width", "positions", "context", "window_reach", "encoder_stack",
                           "upper_transitions", "product_norm_epsilon"}) {
    expect_refused(settings, name);
  }
  settings.sizes.encoder_layers = 0;
  for (const char* name : {"dropout_layers", "encoder_transitions"}) expect_refused(settings, name);
  settings = small_recurrent_settings();
  settings.own<RecurrentSettings>().attention = AttentionScore::none;
  for (const char* name : {"heads", "query", "window", "selection", "coverage", "attention_width"})
    expect_refused(settings, name);
  refuse_unused(settings, [](const std::string& name) { return name == "context" || name == "width"; });
}

}  // namespace
}  // namespace gloss
