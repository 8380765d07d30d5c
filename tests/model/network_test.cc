#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/error.h"
#include "model/tensor/matmul.h"
#include "model/tensor/ops.h"
#include "model/tensor/pool.h"
#include "model/tensor/threads.h"
#include "network_variants.h"

namespace gloss {
namespace {

class NetworkVariant : public testing::TestWithParam<Variant> {};

TEST_P(NetworkVariant, TellsWhereItLooks) {
  const NetworkSettings& settings = GetParam().settings;
  const Fresh fresh(settings);
  const Batch batch = random_batch(settings, std::vector<int>{5, 1, 12}, 5);
  const std::vector<TokenId> latest(3, fresh.network->begin());
  const std::unique_ptr<DecoderState> state = fresh.network->start(batch.source);
  const std::unique_ptr<DecoderState> other = fresh.network->start(batch.source);
  SourceAttention attention;
  if (!looks(settings)) {
    EXPECT_THROW(fresh.network->step(latest, *state, &attention), UsageError);
    return;
  }
  attention.of_every_head = true;
  const Tensor asked = fresh.network->step(latest, *state, &attention);
  const Tensor plain = fresh.network->step(latest, *other);
  EXPECT_TRUE(std::ranges::equal(asked.values(), plain.values()));
  ASSERT_EQ(attention.starts.size(), 4u);
  for (int row = 0; row < 3; ++row) {
    const std::span<const float> weights = attention.of_rows(row, 1);
    EXPECT_EQ(static_cast<int>(weights.size()), batch.source.length(row));
    EXPECT_NEAR(std::accumulate(weights.begin(), weights.end(), 0.0), 1, 1e-5);
  }
  // Of every layer and head; the mean over those of the last layer is what is told without asking for them.
  const bool transformer = settings.architecture == Architecture::transformer;
  ASSERT_EQ(attention.heads, settings.transformer.heads);
  ASSERT_EQ(static_cast<int>(attention.maps.size()),
            attention.heads * (transformer ? settings.transformer.decoder_layers : 1));
  std::vector<float> mean(attention.weights.size(), 0.0f);
  for (std::size_t map = 0; map < attention.maps.size(); ++map) {
    ASSERT_EQ(attention.maps[map].size(), mean.size());
    EXPECT_NEAR(std::accumulate(attention.maps[map].begin(), attention.maps[map].end(), 0.0), 3, 1e-4);
    if (attention.maps.size() - map > static_cast<std::size_t>(attention.heads)) continue;
    for (std::size_t i = 0; i < mean.size(); ++i) {
      mean[i] += attention.maps[map][i] / static_cast<float>(attention.heads);
    }
  }
  for (std::size_t i = 0; i < mean.size(); ++i) EXPECT_NEAR(mean[i], attention.weights[i], 1e-6);
}

TEST_P(NetworkVariant, DecodesAsItWasTaught) {
  const NetworkSettings& settings = GetParam().settings;
  const Fresh fresh(settings);
  const Batch batch = random_batch(settings, std::vector<int>{5, 1, 12, 9, 30, 3, 8}, 5);
  const std::vector<float> taught = fresh.network->log_probabilities(batch);
  const auto stepped = step_by_step(*fresh.network, batch, /*shuffles=*/true);
  for (int row = 0; row < batch.target.rows(); ++row) {
    for (int i = 0; i < batch.target.length(row); ++i) {
      EXPECT_NEAR(stepped[static_cast<std::size_t>(row)][static_cast<std::size_t>(i)],
                  taught[static_cast<std::size_t>(batch.target.starts[static_cast<std::size_t>(row)] + i)],
                  2e-4)
          << "row " << row << " token " << i;
    }
  }
}

TEST_P(NetworkVariant, TellsOnceOfEachGradientThatIsWhole) {
  Fresh fresh(GetParam().settings);
  fresh.parameters.keep_gradients();
  const Batch batch = random_batch(GetParam().settings, std::vector<int>{5, 1, 12}, 5);
  std::vector<float> told(fresh.parameters.gradients().size(), -1.0f);
  int leaves = 0;
  backward(fresh.network->loss(batch, nullptr).sum, [&](const Tensor& leaf) {
    const std::span<float> part = fresh.parameters.gradient_part(leaf);
    const auto at = part.data() - fresh.parameters.gradients().data();
    EXPECT_EQ(told[static_cast<std::size_t>(at)], -1.0f) << "told twice";
    std::copy(part.begin(), part.end(), told.begin() + at);
    ++leaves;
  });
  EXPECT_EQ(leaves, static_cast<int>(fresh.parameters.entries().size()));
  const std::span<float> whole = fresh.parameters.gradients();
  EXPECT_EQ(told, std::vector<float>(whole.begin(), whole.end())) << "told too early, or not of all";
}

TEST_P(NetworkVariant, ScoresOfARowDoNotDependOnItsBatch) {
  const NetworkSettings& settings = GetParam().settings;
  const Fresh fresh(settings);
  const std::vector<int> lengths = {5, 1, 12, 9, 30, 3, 8, 2, 2, 17, 4};
  const Batch together = random_batch(settings, lengths, 5);
  const auto all = step_by_step(*fresh.network, together, false);
  for (int row = 0; row < together.source.rows(); ++row) {
    Batch alone;
    alone.source.add(together.source.row(row));
    alone.target.add(together.target.row(row));
    EXPECT_EQ(step_by_step(*fresh.network, alone, false)[0], all[static_cast<std::size_t>(row)])
        << "row " << row;
  }
}

TEST_P(NetworkVariant, RowsThatEnterLaterAreScoredAsByThemselves) {
  const NetworkSettings& settings = GetParam().settings;
  const Fresh fresh(settings);
  const Batch early = random_batch(settings, std::vector<int>{5, 1, 12}, 5),
              late = random_batch(settings, std::vector<int>{9, 4}, 6);
  const auto scores_of = [](const Tensor& scores, int row) {
    const std::span<float> all = scores.values();
    const auto width = static_cast<std::size_t>(scores.columns());
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(row) * width);
    return std::vector<float>(begin, begin + scores.columns());
  };
  const std::unique_ptr<DecoderState> alone = fresh.network->start(late.source),
                                      state = fresh.network->start(early.source),
                                      more = fresh.network->start(late.source);
  fresh.network->step(std::vector<TokenId>(3, fresh.network->begin()), *state);
  const Tensor second = fresh.network->step(std::vector<TokenId>{7, 8, 9}, *state);
  EXPECT_EQ(second.columns(), settings.target_vocabulary);
  const std::vector<int> kept{2, 2, 0};
  state->select(kept);
  state->append(*more);
  // Rows of the third sentence twice, of the first, and two new ones.
  const TokenId begin = fresh.network->begin();
  const Tensor together = fresh.network->step(std::vector<TokenId>{3, 4, 5, begin, begin}, *state);
  const Tensor apart = fresh.network->step(std::vector<TokenId>{begin, begin}, *alone);
  EXPECT_EQ(scores_of(together, 3), scores_of(apart, 0));
  EXPECT_EQ(scores_of(together, 4), scores_of(apart, 1));

  const std::unique_ptr<DecoderState> third = fresh.network->start(early.source);
  fresh.network->step(std::vector<TokenId>(3, begin), *third);
  fresh.network->step(std::vector<TokenId>{7, 8, 9}, *third);
  third->select(std::vector<int>{2});
  EXPECT_EQ(scores_of(together, 1), scores_of(fresh.network->step(std::vector<TokenId>{4}, *third), 0));
}

TEST_P(NetworkVariant, GradientEqualsCentralDifferencesOfTheLoss) {
  NetworkSettings settings = GetParam().settings;
  settings.transformer.activation =
      Activation::gelu;  // smooth: differences across the kink of ReLU prove nothing
  Fresh fresh(settings);
  fresh.parameters.keep_gradients();
  const Batch batch = random_batch(settings, std::vector<int>{5, 1, 9}, 8);
  backward(fresh.network->loss(batch, nullptr).sum);
  constexpr float kStep = 5e-3f;
  Random random(4);
  for (const Parameters::Entry& entry : fresh.parameters.entries()) {
    // Scores of hard attention learn from draws alone; where they change the best position the loss jumps.
    if (settings.recurrent.selection == AttentionSelection::hard && entry.name.starts_with("attention.")) {
      continue;
    }
    double squares = 0;
    const Tensor gradient = entry.tensor.gradient();
    for (const float g : gradient.values()) squares += static_cast<double>(g) * g;
    const double typical = std::sqrt(squares / static_cast<double>(entry.tensor.count()));
    for (int sample = 0; sample < 3; ++sample) {
      const auto i = static_cast<std::size_t>(random.below(static_cast<std::uint64_t>(entry.tensor.count())));
      float& value = entry.tensor.values()[i];
      const float before = value;
      value = before + kStep;
      const double more = fresh.network->loss(batch, nullptr).cross_entropy;
      value = before - kStep;
      const double less = fresh.network->loss(batch, nullptr).cross_entropy;
      value = before;
      EXPECT_NEAR(entry.tensor.gradient().values()[i], (more - less) / (2 * kStep), 0.05 * typical + 1e-2)
          << entry.name << " number " << i;
    }
  }
}

TEST_P(NetworkVariant, LossCountsTokensAndAddsUpOverBatches) {
  const NetworkSettings& settings = GetParam().settings;
  const Fresh fresh(settings);
  const Batch batch = random_batch(settings, std::vector<int>{5, 1, 9, 20}, 8);
  double sum = 0;
  int tokens = 0;
  for (int row = 0; row < batch.source.rows(); ++row) {
    Batch alone;
    alone.source.add(batch.source.row(row));
    alone.target.add(batch.target.row(row));
    const Loss loss = fresh.network->loss(alone, nullptr);
    sum += loss.cross_entropy;
    tokens += loss.tokens;
  }
  const Loss together = fresh.network->loss(batch, nullptr);
  EXPECT_EQ(together.tokens, tokens);
  EXPECT_NEAR(together.cross_entropy, sum, 1e-4 * sum);
  EXPECT_NEAR(together.sum.data()[0], sum, 1e-4 * sum);
}

TEST_P(NetworkVariant, WeightsCountForEachTargetToken) {
  const NetworkSettings& settings = GetParam().settings;
  const Fresh fresh(settings);
  const Batch batch = random_batch(settings, std::vector<int>{5, 1, 9}, 8);
  Batch weighted = batch;
  weighted.weights = {0.5f, 3, 0};
  double cross_entropy = 0, weight = 0;
  for (int row = 0; row < batch.source.rows(); ++row) {
    Batch alone;
    alone.source.add(batch.source.row(row));
    alone.target.add(batch.target.row(row));
    const Loss loss = fresh.network->loss(alone, nullptr);
    EXPECT_EQ(loss.weight, loss.tokens);
    const auto counts = static_cast<double>(weighted.weights[static_cast<std::size_t>(row)]);
    cross_entropy += counts * loss.cross_entropy;
    weight += counts * loss.tokens;
  }
  const Loss loss = fresh.network->loss(weighted, nullptr);
  EXPECT_NEAR(loss.cross_entropy, cross_entropy, 1e-4 * cross_entropy);
  EXPECT_DOUBLE_EQ(loss.weight, weight);
  EXPECT_EQ(loss.tokens, fresh.network->loss(batch, nullptr).tokens);
}

TEST_P(NetworkVariant, DropoutRepeatsFromItsSeedAndOnAnyNumberOfThreads) {
  NetworkSettings settings = GetParam().settings;
  settings.transformer.attention_dropout = settings.transformer.activation_dropout = 0.2;
  settings.recurrent.scheduled_sampling = 0.3;
  const Batch batch = random_batch(settings, std::vector<int>{5, 1, 12, 9, 30, 3, 8}, 5);
  std::vector<std::vector<float>> gradients;
  for (const int threads : {1, 2, 3, 1}) {
    set_threads_per_operation(threads);
    Fresh fresh(settings);
    fresh.parameters.keep_gradients();
    Random random(9);
    const Regularization regularization{random, 0.1};
    backward(fresh.network->loss(batch, &regularization).sum);
    const auto values = fresh.parameters.gradients();
    gradients.emplace_back(values.begin(), values.end());
  }
  set_threads_per_operation(1);
  EXPECT_EQ(gradients[0], gradients[3]);
  for (std::size_t i = 0; i < gradients[0].size(); ++i) {
    // Products that sum over rows may add in another order; nothing else may differ.
    ASSERT_NEAR(gradients[0][i], gradients[1][i], 1e-3 * (1 + std::abs(gradients[0][i])));
    ASSERT_NEAR(gradients[0][i], gradients[2][i], 1e-3 * (1 + std::abs(gradients[0][i])));
  }
}

/// The first scores of a sentence of five tokens and its end, and where they look, with its tokens in some
/// order.
std::vector<float> first_scores(const Network& network, const std::vector<std::size_t>& order,
                                SourceAttention& attention) {
  const std::vector<TokenId> tokens{11, 7, 30, 7, 42, 2};
  std::vector<TokenId> permuted;
  for (const std::size_t place : order) permuted.push_back(tokens[place]);
  TokenRows source;
  source.add(permuted);
  const std::unique_ptr<DecoderState> state = network.start(source);
  const Tensor scores = network.step(std::vector<TokenId>{network.begin()}, *state, &attention);
  return {scores.data(), scores.data() + scores.columns()};
}

TEST(Network, WithoutPositionsTheOrderOfTheSourceIsUnknown) {
  const std::vector<std::size_t> as_it_is{0, 1, 2, 3, 4, 5}, other{3, 5, 0, 4, 1, 2};
  for (const Positions positions : {Positions::none, Positions::sinusoidal, Positions::learned,
                                    Positions::relative, Positions::rotary, Positions::alibi}) {
    NetworkSettings settings = small_settings();
    settings.transformer.positions = positions;
    const Fresh fresh(settings);
    SourceAttention attention, permuted_attention;
    const std::vector<float> scores = first_scores(*fresh.network, as_it_is, attention),
                             permuted = first_scores(*fresh.network, other, permuted_attention);
    // The encoder's rows are permuted like its tokens: so is the attention to them, and sums are the same.
    float scores_apart = 0, weights_apart = 0;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      scores_apart = std::max(scores_apart, std::abs(scores[i] - permuted[i]));
    }
    for (std::size_t i = 0; i < other.size(); ++i) {
      weights_apart =
          std::max(weights_apart, std::abs(attention.weights[other[i]] - permuted_attention.weights[i]));
    }
    if (positions == Positions::none) {
      EXPECT_LT(scores_apart, 1e-4f);
      EXPECT_LT(weights_apart, 1e-5f);
    } else {
      EXPECT_GT(scores_apart, 1e-3f) << static_cast<int>(positions);
      EXPECT_GT(weights_apart, 1e-4f) << static_cast<int>(positions);
    }
  }
}

TEST(Network, SettingsThatDoNotFitAreRefused) {
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
  settings.recurrent.query = QueryPlacement::before;
  EXPECT_THROW(check(settings), UsageError);
  settings.recurrent.query = QueryPlacement::after;
  settings.recurrent.attention = AttentionScore::none;
  EXPECT_THROW(check(settings), UsageError);
  settings = small_recurrent_settings();
  settings.recurrent.selection = AttentionSelection::hard;
  settings.recurrent.query = QueryPlacement::before;
  EXPECT_THROW(check(settings), UsageError);
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

TEST(Network, SettingsWithoutEffectAreRefused) {
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
  settings.recurrent.attention = AttentionScore::none;
  for (const char* name : {"heads", "query", "window", "selection", "coverage"})
    expect_refused(settings, name);
  refuse_unused(settings, [](const std::string& name) { return name == "context" || name == "width"; });
}

TEST_P(NetworkVariant, SteadyWorkMakesNoPrimitivesAndTakesNoMemory) {
  const NetworkSettings& settings = GetParam().settings;
  const Fresh fresh(settings);
  const Batch batch = random_batch(settings, std::vector<int>{5, 1, 12, 9}, 5);
  step_by_step(*fresh.network, batch, false);
  const std::int64_t primitives = matmul_primitives_made();
  const std::size_t misses = pool_misses();
  step_by_step(*fresh.network, batch, false);
  EXPECT_EQ(matmul_primitives_made(), primitives);
  EXPECT_EQ(pool_misses(), misses);
}

constexpr auto kNameOfVariant = [](const auto& test) { return test.param.name; };
INSTANTIATE_TEST_SUITE_P(All, NetworkVariant, testing::ValuesIn(variants()), kNameOfVariant);

TEST(Matmul, ARowDoesNotDependOnTheOthers) {
  Random random(2);
  const std::int64_t most = 130;
  for (const auto& [k, n] : {std::pair{32, 96}, {512, 96}, {2048, 96}, {32, 1}, {512, 1}}) {
    Tensor a = Tensor::uninitialised({most, k}), b = Tensor::uninitialised({n, k});
    for (float& v : a.values()) v = static_cast<float>(random.normal());
    for (float& v : b.values()) v = static_cast<float>(random.normal());
    const Tensor whole = linear(a, b, {});
    for (const std::int64_t m : {2, 8, 16, 33, 64, 129}) {
      const Tensor part = linear(Tensor::over(a.data(), {m, k}), b, {});
      for (std::int64_t i = 0; i < m * n; ++i) {
        ASSERT_EQ(part.data()[i], whole.data()[i])
            << m << " rows, k " << k << ", n " << n << ", number " << i;
      }
    }
  }
}

}  // namespace
}  // namespace gloss
