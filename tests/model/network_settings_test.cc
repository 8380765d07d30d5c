// Settings of networks that do not fit together.
#include <gtest/gtest.h>

#include "base/error.h"
#include "network_variants.h"

namespace gloss {
namespace {

TEST(NetworkSettings, SettingsThatDoNotFitAreRefused) {
  NetworkSettings settings = small_settings();
  settings.transformer.positions = Positions::rotary;
  settings.transformer.width = 36;
  settings.transformer.heads = 4;
  EXPECT_THROW(check(settings), UsageError) << "heads of width 9 cannot turn";
  settings = small_settings();
  settings.transformer.heads = 5;
  EXPECT_THROW(check(settings), UsageError);
  settings = small_settings();
  settings.source_vocabulary = 10;  // with all embeddings tied
  EXPECT_THROW(check(settings), UsageError);
  settings = small_settings();
  settings.end_token = 57;
  EXPECT_THROW(check(settings), UsageError);
  settings = small_settings();
  settings.transformer.width = 65536;
  settings.transformer.max_positions = 1 << 20;
  EXPECT_THROW(check(settings), UsageError) << "a table of positions of 256 GiB";
  settings = small_recurrent_settings();
  settings.transformer.heads = 5;
  EXPECT_THROW(check(settings), UsageError);
  settings = small_recurrent_settings();
  settings.recurrent.input_feeding = true;
  for (const QueryPlacement query : {QueryPlacement::before, QueryPlacement::between}) {
    settings.recurrent.query = query;
    EXPECT_THROW(check(settings), UsageError);
  }
  settings.recurrent.query = QueryPlacement::after;
  settings.recurrent.attention = AttentionScore::none;
  EXPECT_THROW(check(settings), UsageError);
  settings = small_recurrent_settings();
  settings.recurrent.selection = AttentionSelection::hard;
  for (const QueryPlacement query : {QueryPlacement::before, QueryPlacement::between}) {
    settings.recurrent.query = query;
    EXPECT_THROW(check(settings), UsageError);
  }
  settings.recurrent.query = QueryPlacement::after;
  settings.recurrent.coverage = true;
  EXPECT_THROW(check(settings), UsageError);
  settings = small_recurrent_settings();
  settings.recurrent.window = AttentionWindow::monotonic;
  settings.recurrent.reverse_source = true;
  EXPECT_THROW(check(settings), UsageError);
  settings = small_recurrent_settings();
  settings.recurrent.attention = AttentionScore::none;
  settings.recurrent.context = SourceContext::first;
  settings.recurrent.first_state = FirstState::zero;
  EXPECT_THROW(check(settings), UsageError) << "a decoder that knows nothing of its source";
  settings = small_recurrent_settings();
  settings.transformer.encoder_layers = 0;
  EXPECT_THROW(check(settings), UsageError) << "a language model has no source to attend to";
  settings = small_language_model_settings();
  settings.transformer.tied_embeddings = TiedEmbeddings::target;
  settings.source_vocabulary = 12;
  EXPECT_THROW(check(settings), UsageError) << "a language model has one vocabulary";
}

TEST(NetworkSettings, SettingsWithoutEffectAreRefused) {
  const auto expect_refused = [](const NetworkSettings& settings, const std::string& name) {
    EXPECT_THROW(refuse_unused(settings, [&](const std::string& given) { return given == name; }), UsageError)
        << name;
  };
  for (const char* name : {"cell", "attention", "input_feeding", "relative_reach"})
    expect_refused(small_settings(), name);
  NetworkSettings settings = small_recurrent_settings();
  for (const char* name : {"feed_forward_width", "positions", "context", "window_reach"}) {
    expect_refused(settings, name);
  }
  settings.transformer.encoder_layers = 0;
  expect_refused(settings, "dropout_layers");
  settings = small_recurrent_settings();
  settings.recurrent.attention = AttentionScore::none;
  for (const char* name : {"heads", "query", "window", "selection", "coverage"})
    expect_refused(settings, name);
  refuse_unused(settings, [](const std::string& name) { return name == "context" || name == "width"; });
}

}  // namespace
}  // namespace gloss
