// SPDX-License-Identifier: Apache-2.0

#include "network_variants.h"
#include "base/index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/error.h"

namespace gloss {

std::ostream& operator<<(std::ostream& out, const Variant& variant) { return out << variant.name; }

NetworkSettings small_settings() {
  NetworkSettings s;
  s.sizes.encoder_layers = 2;
  s.sizes.decoder_layers = 3;
  s.sizes.width = 32;
  s.own<TransformerSettings>().feed_forward_width = 48;
  s.sizes.heads = 4;
  s.sizes.max_positions = 40;
  s.source_vocabulary = s.target_vocabulary = 57;
  return s;
}

NetworkSettings small_recurrent_settings() {
  NetworkSettings s = small_settings();
  s.architecture = "recurrent";
  apply_default_sizes(s);
  s.sizes.width = 24;
  s.own<RecurrentSettings>().embedding_width = 20;
  return s;
}

NetworkSettings small_language_model_settings() {
  NetworkSettings s = small_settings();
  s.sizes.encoder_layers = 0;
  s.own<TransformerSettings>().norm = NormPlacement::pre;
  s.own<TransformerSettings>().activation = Activation::gelu;
  s.own<TransformerSettings>().positions = Positions::learned;
  return s;
}

NetworkSettings small_recurrent_language_model_settings() {
  NetworkSettings s = small_recurrent_settings();
  s.sizes.encoder_layers = 0;
  s.own<RecurrentSettings>().attention = AttentionScore::none;
  return s;
}

namespace {

std::vector<Variant> recurrent_variants() {
  std::vector<Variant> all;
  const auto add = [&](const char* name, Cell cell, AttentionScore attention) -> NetworkSettings& {
    all.push_back({name, small_recurrent_settings()});
    all.back().settings.own<RecurrentSettings>().cell = cell;
    all.back().settings.own<RecurrentSettings>().attention = attention;
    return all.back().settings;
  };
  add("gru_additive_after", Cell::gru, AttentionScore::additive);
  NetworkSettings* s = &add("gru_additive_before", Cell::gru, AttentionScore::additive);
  s->own<RecurrentSettings>().query = QueryPlacement::before;
  s->own<RecurrentSettings>().first_state = FirstState::mean;
  s->sizes.scale_embeddings = false;
  s->sizes.decoder_layers = 2;
  s = &add("lstm_general_fed_deep", Cell::lstm, AttentionScore::general);
  s->own<RecurrentSettings>().input_feeding = s->own<RecurrentSettings>().residual =
      s->own<RecurrentSettings>().layer_norm = true;
  s->sizes.encoder_layers = 3;
  s->sizes.decoder_layers = 2;
  s->sizes.heads = 3;
  s = &add("lstm_dot_reversed", Cell::lstm, AttentionScore::dot);
  s->own<RecurrentSettings>().reverse_source = true;
  s->sizes.encoder_layers = 2;
  s = &add("tanh_scaled_dot_one_direction", Cell::tanh, AttentionScore::scaled_dot);
  s->own<RecurrentSettings>().bidirectional = false;
  s->own<RecurrentSettings>().first_state = FirstState::zero;
  s->sizes.heads = 2;
  s->sizes.tied_embeddings = TiedEmbeddings::none;
  s->source_vocabulary = 31;
  s = &add("gru_general_monotonic_window", Cell::gru, AttentionScore::general);
  s->own<RecurrentSettings>().window = AttentionWindow::monotonic;
  s->own<RecurrentSettings>().window_reach = 2;
  s = &add("gru_general_predictive_window_fed", Cell::gru, AttentionScore::general);
  s->own<RecurrentSettings>().window = AttentionWindow::predictive;
  s->own<RecurrentSettings>().window_reach = 6;
  s->own<RecurrentSettings>().input_feeding = s->own<RecurrentSettings>().reverse_source = true;
  s->sizes.heads = 2;
  add("lstm_additive_hard", Cell::lstm, AttentionScore::additive).own<RecurrentSettings>().selection =
      AttentionSelection::hard;
  add("gru_additive_coverage", Cell::gru, AttentionScore::additive).own<RecurrentSettings>().coverage = true;
  s = &add("lstm_general_coverage_before", Cell::lstm, AttentionScore::general);
  s->own<RecurrentSettings>().coverage = true;
  s->own<RecurrentSettings>().query = QueryPlacement::before;
  s->sizes.heads = 2;
  s = &add("gru_additive_between", Cell::gru, AttentionScore::additive);
  s->own<RecurrentSettings>().query = QueryPlacement::between;
  s = &add("lstm_scaled_dot_between_deep_coverage", Cell::lstm, AttentionScore::scaled_dot);
  s->own<RecurrentSettings>().query = QueryPlacement::between;
  s->own<RecurrentSettings>().coverage = s->own<RecurrentSettings>().residual =
      s->own<RecurrentSettings>().layer_norm = true;
  s->sizes.decoder_layers = 2;
  // As in Marian: of the type s2s with deep transitions and skip connections, and of the type nematus.
  s = &add("gru_deep_alternating_joint_norm", Cell::gru, AttentionScore::additive);
  s->own<RecurrentSettings>().query = QueryPlacement::between;
  s->own<RecurrentSettings>().encoder_stack = EncoderStack::alternating;
  s->own<RecurrentSettings>().encoder_transitions = s->own<RecurrentSettings>().decoder_transitions =
      s->own<RecurrentSettings>().upper_transitions = 1;
  s->own<RecurrentSettings>().product_norm = ProductNorm::joint;
  s->own<RecurrentSettings>().product_norm_epsilon = 1e-4;
  s->own<RecurrentSettings>().first_state = FirstState::mean;
  s->own<RecurrentSettings>().attention_width = 32;
  s->own<RecurrentSettings>().residual = true;
  s->sizes.encoder_layers = s->sizes.decoder_layers = 2;
  s->sizes.output_bias = true;
  s = &add("gru_between_separate_norm", Cell::gru, AttentionScore::additive);
  s->own<RecurrentSettings>().query = QueryPlacement::between;
  s->own<RecurrentSettings>().product_norm = ProductNorm::separate;
  s->own<RecurrentSettings>().decoder_transitions = 1;
  s = &add("lstm_separate_stacks_fed_joint_norm", Cell::lstm, AttentionScore::general);
  s->own<RecurrentSettings>().encoder_stack = EncoderStack::separate;
  s->own<RecurrentSettings>().product_norm = ProductNorm::joint;
  s->own<RecurrentSettings>().input_feeding = s->own<RecurrentSettings>().layer_norm = true;
  s->own<RecurrentSettings>().encoder_transitions = 1;
  s->sizes.encoder_layers = 3;
  s = &add("tanh_first_layer_of_both_directions", Cell::tanh, AttentionScore::dot);
  s->own<RecurrentSettings>().encoder_stack = EncoderStack::first;
  s->own<RecurrentSettings>().residual = true;
  s->own<RecurrentSettings>().encoder_transitions = 1;
  s->sizes.encoder_layers = 3;
  s = &add("gru_vector_every_transitions", Cell::gru, AttentionScore::none);
  s->own<RecurrentSettings>().encoder_stack = EncoderStack::first;
  s->own<RecurrentSettings>().encoder_transitions = s->own<RecurrentSettings>().decoder_transitions = 2;
  s->own<RecurrentSettings>().product_norm = ProductNorm::joint;
  s->sizes.encoder_layers = 2;
  s = &add("lstm_vector_first", Cell::lstm, AttentionScore::none);
  s->own<RecurrentSettings>().context = SourceContext::first;
  s->sizes.tied_embeddings = TiedEmbeddings::target;
  s = &add("gru_vector_every", Cell::gru, AttentionScore::none);
  s->sizes.decoder_layers = 2;
  s->sizes.output_bias = true;
  all.push_back({"gru_language_model", small_recurrent_language_model_settings()});
  all.push_back({"gru_language_model_transitions_norm", small_recurrent_language_model_settings()});
  s = &all.back().settings;
  s->own<RecurrentSettings>().product_norm = ProductNorm::separate;
  s->own<RecurrentSettings>().decoder_transitions = 1;
  s->own<RecurrentSettings>().upper_transitions = 2;
  s->sizes.decoder_layers = 2;
  s = &add("lstm_language_model_deep_untied", Cell::lstm, AttentionScore::none);
  s->sizes.encoder_layers = 0;
  s->sizes.decoder_layers = 3;
  s->sizes.tied_embeddings = TiedEmbeddings::none;
  s->own<RecurrentSettings>().residual = s->own<RecurrentSettings>().layer_norm = true;
  return all;
}

}  // namespace

std::vector<Variant> variants() {
  std::vector<Variant> all;
  all.push_back({"post_norm", small_settings()});
  all.push_back({"pre_norm_gelu_learned", small_settings()});
  NetworkSettings* s = &all.back().settings;
  s->own<TransformerSettings>().norm = NormPlacement::pre;
  s->own<TransformerSettings>().activation = Activation::gelu;
  s->own<TransformerSettings>().positions = Positions::learned;
  all.push_back({"tied_target", small_settings()});
  all.back().settings.sizes.tied_embeddings = TiedEmbeddings::target;
  all.back().settings.source_vocabulary = 31;
  all.push_back({"untied_odd_heads", small_settings()});
  s = &all.back().settings;
  s->sizes.tied_embeddings = TiedEmbeddings::none;
  s->sizes.width = 42;
  s->sizes.heads = 3;
  all.push_back({"language_model", small_language_model_settings()});
  all.push_back({"language_model_untied_post_norm", small_settings()});
  s = &all.back().settings;
  s->sizes.encoder_layers = 0;
  s->sizes.tied_embeddings = TiedEmbeddings::none;
  const std::pair<const char*, Positions> kinds[] = {{"without_positions", Positions::none},
                                                     {"relative_positions", Positions::relative},
                                                     {"rotary_positions", Positions::rotary},
                                                     {"alibi_positions", Positions::alibi},
                                                     {"bucket_positions", Positions::buckets}};
  for (const auto& [name, positions] : kinds) {
    all.push_back({name, small_settings()});
    s = &all.back().settings;
    s->own<TransformerSettings>().positions = positions;
    s->own<TransformerSettings>().relative_reach = 5;
    s->own<TransformerSettings>().relative_buckets = 7;
    s->sizes.encoder_layers = s->sizes.decoder_layers = 1;
    all.push_back({concat("language_model_", name), all.back().settings});
    all.back().settings.sizes.encoder_layers = 0;
  }
  const std::pair<const char*, Activation> activations[] = {
      {"swish", Activation::swish}, {"gelu_exact", Activation::gelu_exact}, {"sigmoid", Activation::sigmoid}};
  for (const auto& [name, activation] : activations) {
    all.push_back({concat("activation_", name), small_settings()});
    all.back().settings.own<TransformerSettings>().activation = activation;
    all.push_back({concat("gated_", name), all.back().settings});
    all.back().settings.own<TransformerSettings>().gated_feed_forward = true;
  }
  for (const NormPlacement placement : {NormPlacement::pre, NormPlacement::post}) {
    all.push_back({placement == NormPlacement::pre ? "rms_pre_norm" : "rms_post_norm", small_settings()});
    all.back().settings.own<TransformerSettings>().norm = placement;
    all.back().settings.own<TransformerSettings>().norm_type = NormType::rms;
    all.back().settings.own<TransformerSettings>().norm_epsilon = 1e-3;
  }
  all.push_back({"output_bias_alone", small_settings()});
  all.back().settings.own<TransformerSettings>().linear_bias = false;
  all.back().settings.sizes.output_bias = true;
  all.push_back({"language_model_output_bias_alone", all.back().settings});
  all.back().settings.sizes.encoder_layers = 0;
  all.push_back({"unscaled_embeddings", small_settings()});
  all.back().settings.sizes.scale_embeddings = false;
  all.push_back({"token_types", small_settings()});
  all.back().settings.own<TransformerSettings>().token_types = 2;
  all.push_back({"embedding_norm", small_settings()});
  all.back().settings.own<TransformerSettings>().embedding_norm = true;
  all.push_back({"language_model_embedding_norm", all.back().settings});
  all.back().settings.sizes.encoder_layers = 0;
  all.push_back({"decoder_of_other_sizes", small_settings()});
  s = &all.back().settings;
  s->own<TransformerSettings>().decoder_heads = 8;
  s->own<TransformerSettings>().decoder_feed_forward_width = 40;
  s->own<TransformerSettings>().positions = Positions::relative;
  all.push_back({"wide_heads_unscaled", small_settings()});
  s = &all.back().settings;
  s->own<TransformerSettings>().head_width = 12;
  s->own<TransformerSettings>().attention_scale = AttentionScale::none;
  all.push_back({"language_model_wide_heads_unscaled", all.back().settings});
  all.back().settings.sizes.encoder_layers = 0;
  all.push_back({"tied_inputs", small_settings()});
  all.back().settings.sizes.tied_embeddings = TiedEmbeddings::inputs;
  for (const int key_value_heads : {1, 2}) {
    all.push_back({key_value_heads == 1 ? "multi_query" : "grouped_query", small_settings()});
    s = &all.back().settings;
    s->own<TransformerSettings>().key_value_heads = key_value_heads;
    s->own<TransformerSettings>().positions = Positions::rotary;
    s->own<TransformerSettings>().head_width = 10;
    s->own<TransformerSettings>().decoder_heads = 6;
    s->sizes.decoder_layers = 2;
    all.push_back({concat("language_model_", all.back().name), all.back().settings});
    all.back().settings.sizes.encoder_layers = 0;
  }
  const std::vector<std::vector<std::string>> steps{{"n", "ndan", "an"}, {"", "dr", "a"}, {"rd", "adn", ""}};
  for (const std::vector<std::string>& one : steps) {
    all.push_back({concat("norm_steps_", one[0], "_", one[1], "_", one[2]), small_settings()});
    auto& own = all.back().settings.own<TransformerSettings>();
    own.norm = NormPlacement::steps;
    own.steps_before = one[0];
    own.steps_after = one[1];
    own.steps_top = one[2];
    all.push_back({"language_model_" + all.back().name, all.back().settings});
    all.back().settings.sizes.encoder_layers = 0;
  }
  all.push_back({"deep_feed_forward_unprojected", small_settings()});
  all.back().settings.own<TransformerSettings>().feed_forward_depth = 4;
  all.back().settings.own<TransformerSettings>().attention_projection = false;
  all.push_back({"shared_layers", small_settings()});
  all.back().settings.own<TransformerSettings>().encoder_layer_weights = {"1", "1"};
  all.back().settings.own<TransformerSettings>().decoder_layer_weights = {"1", "2", "1"};
  all.push_back({"language_model_shared_layers", all.back().settings});
  all.back().settings.sizes.encoder_layers = 0;
  all.back().settings.own<TransformerSettings>().encoder_layer_weights = {};
  all.push_back({"zero_vector_first", small_settings()});
  all.back().settings.begin_token = -1;
  all.push_back({"language_model_zero_vector_first", small_language_model_settings()});
  all.back().settings.begin_token = -1;
  for (const Autoregression kind : {Autoregression::ssru, Autoregression::average}) {
    for (const NormPlacement placement : {NormPlacement::pre, NormPlacement::post}) {
      const std::string name = concat(kind == Autoregression::ssru ? "ssru_" : "average_",
                                      placement == NormPlacement::pre ? "pre_norm" : "post_norm");
      all.push_back({name, small_settings()});
      auto& own = all.back().settings.own<TransformerSettings>();
      own.decoder_autoregression = kind;
      own.norm = placement;
      own.average_width = placement == NormPlacement::pre ? 32 : 20;
      own.average_depth = placement == NormPlacement::pre ? 1 : 2;
      own.average_gate = placement == NormPlacement::post;
      all.push_back({"language_model_" + name, all.back().settings});
      all.back().settings.sizes.encoder_layers = 0;
    }
  }
  for (Variant& variant : recurrent_variants()) all.push_back(std::move(variant));
  return all;
}

namespace {

std::vector<TokenId> random_row(int length, int vocabulary, TokenId end, Random& random) {
  std::vector<TokenId> row;
  for (int i = 1; i < length; ++i)
    row.push_back(static_cast<TokenId>(3 + random.below(static_cast<std::uint64_t>(vocabulary - 3))));
  row.push_back(end);
  return row;
}

}  // namespace

Batch random_batch(const NetworkSettings& s, std::span<const int> lengths, std::uint64_t seed) {
  Random random(seed);
  Batch batch;
  for (const int length : lengths) {
    batch.source.add(random_row(length, s.source_vocabulary, s.end_token, random));
    batch.target.add(random_row(length % 7 + 2, s.target_vocabulary, s.end_token, random));
  }
  return batch;
}

bool looks(const NetworkSettings& s) {
  if (s.architecture == "recurrent") return s.own<RecurrentSettings>().attention != AttentionScore::none;
  return form_of(s) == Form::encoder_decoder;
}

Fresh::Fresh(const NetworkSettings& settings, std::uint64_t seed)
    : network(make_network(settings, parameters)) {
  Random random(seed);
  parameters.initialise(random);
  // Biases start as zeros and gains as ones; with other values a test sees whether they are used.
  for (const Parameters::Entry& entry : parameters.entries()) {
    if (entry.tensor.shape().rank() > 1) continue;
    for (float& value : entry.tensor.values()) value += static_cast<float>(0.1 * random.normal());
  }
}

namespace {

/// log p of `token` under a row of scores.
double log_probability(const Tensor& scores, int row, TokenId token) {
  const float* s = scores.data() + row * scores.columns();
  double total = 0;
  for (std::int64_t v = 0; v < scores.columns(); ++v) total += std::exp(static_cast<double>(s[v]));
  return s[token] - std::log(total);
}

}  // namespace

void expect_gradients_of_differences(Fresh& fresh, const Batch& batch, float step,
                                     const std::function<bool(const std::string& parameter)>& tested) {
  fresh.parameters.keep_gradients();
  backward(fresh.network->loss(batch, nullptr).sum);
  Random random(4);
  for (const Parameters::Entry& entry : fresh.parameters.entries()) {
    if (!tested(entry.name)) continue;
    const std::span<float> values = entry.tensor.values();
    const std::span<const float> gradient = fresh.parameters.gradient_part(entry.tensor);
    double squares = 0;
    for (const float g : gradient) squares += static_cast<double>(g) * static_cast<double>(g);
    const double typical = std::sqrt(squares / static_cast<double>(gradient.size()));
    for (int sample = 0; sample < 4; ++sample) {
      const auto i = index(random.below(values.size()));
      const float before = values[i];
      const auto loss_at = [&](float value) {
        values[i] = value;
        return fresh.network->loss(batch, nullptr).cross_entropy;
      };
      const double slope =
          (loss_at(before + step) - loss_at(before - step)) / (2 * static_cast<double>(step));
      values[i] = before;
      EXPECT_NEAR(static_cast<double>(gradient[i]), slope, 0.05 * std::max(typical, std::abs(slope)) + 5e-3)
          << entry.name << " number " << i;
    }
  }
}

std::vector<std::vector<double>> step_by_step(const Network& network, const Batch& batch, bool shuffles) {
  std::unique_ptr<DecoderState> state = network.start(batch.source);
  std::vector<int> rows(index(batch.target.rows()));
  std::iota(rows.begin(), rows.end(), 0);
  std::vector<std::vector<double>> all(rows.size());
  Random random(3);
  for (int step = 0; !rows.empty(); ++step) {
    std::vector<TokenId> latest;
    for (const int row : rows) {
      latest.push_back(step == 0 ? network.begin() : batch.target.row(row)[index(step) - 1]);
    }
    const Tensor scores = network.step(latest, *state);
    std::vector<int> kept;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto target = batch.target.row(rows[i]);
      all[index(rows[i])].push_back(log_probability(scores, static_cast<int>(i), target[index(step)]));
      if (step + 1 < static_cast<int>(target.size())) kept.push_back(static_cast<int>(i));
    }
    if (shuffles) random.shuffle(kept);
    std::vector<int> next;
    for (const int i : kept) next.push_back(rows[index(i)]);
    state->select(kept);
    rows = next;
  }
  return all;
}

}  // namespace gloss
