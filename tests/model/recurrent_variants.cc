// SPDX-License-Identifier: Apache-2.0

#include "network_variants.h"

namespace gloss {
namespace {

/// A variant by how it differs from the small network.
struct Row {
  const char* name;
  Cell cell;
  AttentionScore attention;
  void (*change)(NetworkSettings&, RecurrentSettings&);
};

/// Attention with every score, window and selection, asked before and after steps.
const std::vector<Row>& attentions() {
  static const std::vector<Row> rows{
      {"gru_additive_after", Cell::gru, AttentionScore::additive,
       [](NetworkSettings&, RecurrentSettings&) {}},
      {"gru_additive_before", Cell::gru, AttentionScore::additive,
       [](NetworkSettings& s, RecurrentSettings& own) {
         own.query = QueryPlacement::before;
         own.first_state = FirstState::mean;
         s.sizes.scale_embeddings = false;
         s.sizes.decoder_layers = 2;
       }},
      {"lstm_general_fed_deep", Cell::lstm, AttentionScore::general,
       [](NetworkSettings& s, RecurrentSettings& own) {
         own.input_feeding = own.residual = own.layer_norm = true;
         s.sizes.encoder_layers = 3;
         s.sizes.decoder_layers = 2;
         s.sizes.heads = 3;
       }},
      {"lstm_dot_reversed", Cell::lstm, AttentionScore::dot,
       [](NetworkSettings& s, RecurrentSettings& own) {
         own.reverse_source = true;
         s.sizes.encoder_layers = 2;
       }},
      {"tanh_scaled_dot_one_direction", Cell::tanh, AttentionScore::scaled_dot,
       [](NetworkSettings& s, RecurrentSettings& own) {
         own.bidirectional = false;
         own.first_state = FirstState::zero;
         s.sizes.heads = 2;
         s.sizes.tied_embeddings = TiedEmbeddings::none;
         s.source_vocabulary = 31;
       }},
      {"gru_general_monotonic_window", Cell::gru, AttentionScore::general,
       [](NetworkSettings&, RecurrentSettings& own) {
         own.window = AttentionWindow::monotonic;
         own.window_reach = 2;
       }},
      {"gru_general_predictive_window_fed", Cell::gru, AttentionScore::general,
       [](NetworkSettings& s, RecurrentSettings& own) {
         own.window = AttentionWindow::predictive;
         own.window_reach = 6;
         own.input_feeding = own.reverse_source = true;
         s.sizes.heads = 2;
       }},
      {"lstm_additive_hard", Cell::lstm, AttentionScore::additive,
       [](NetworkSettings&, RecurrentSettings& own) { own.selection = AttentionSelection::hard; }},
      {"gru_additive_coverage", Cell::gru, AttentionScore::additive,
       [](NetworkSettings&, RecurrentSettings& own) { own.coverage = true; }},
      {"lstm_general_coverage_before", Cell::lstm, AttentionScore::general,
       [](NetworkSettings& s, RecurrentSettings& own) {
         own.coverage = true;
         own.query = QueryPlacement::before;
         s.sizes.heads = 2;
       }},
  };
  return rows;
}

/// Queries between steps, with Marian's deep transitions, skip connections and norms.
const std::vector<Row>& between_steps() {
  static const std::vector<Row> rows{
      {"gru_additive_between", Cell::gru, AttentionScore::additive,
       [](NetworkSettings&, RecurrentSettings& own) { own.query = QueryPlacement::between; }},
      {"lstm_scaled_dot_between_deep_coverage", Cell::lstm, AttentionScore::scaled_dot,
       [](NetworkSettings& s, RecurrentSettings& own) {
         own.query = QueryPlacement::between;
         own.coverage = own.residual = own.layer_norm = true;
         s.sizes.decoder_layers = 2;
       }},
      {"gru_deep_alternating_joint_norm", Cell::gru, AttentionScore::additive,
       [](NetworkSettings& s, RecurrentSettings& own) {
         own.query = QueryPlacement::between;
         own.encoder_stack = EncoderStack::alternating;
         own.encoder_transitions = own.decoder_transitions = own.upper_transitions = 1;
         own.product_norm = ProductNorm::joint;
         own.product_norm_epsilon = 1e-4;
         own.first_state = FirstState::mean;
         own.attention_width = 32;
         own.residual = true;
         s.sizes.encoder_layers = s.sizes.decoder_layers = 2;
         s.sizes.output_bias = true;
       }},
      {"gru_between_separate_norm", Cell::gru, AttentionScore::additive,
       [](NetworkSettings&, RecurrentSettings& own) {
         own.query = QueryPlacement::between;
         own.product_norm = ProductNorm::separate;
         own.decoder_transitions = 1;
       }},
      {"lstm_separate_stacks_fed_joint_norm", Cell::lstm, AttentionScore::general,
       [](NetworkSettings& s, RecurrentSettings& own) {
         own.encoder_stack = EncoderStack::separate;
         own.product_norm = ProductNorm::joint;
         own.input_feeding = own.layer_norm = true;
         own.encoder_transitions = 1;
         s.sizes.encoder_layers = 3;
       }},
      {"tanh_first_layer_of_both_directions", Cell::tanh, AttentionScore::dot,
       [](NetworkSettings& s, RecurrentSettings& own) {
         own.encoder_stack = EncoderStack::first;
         own.residual = true;
         own.encoder_transitions = 1;
         s.sizes.encoder_layers = 3;
       }},
  };
  return rows;
}

/// A fixed vector instead of attention, and language models.
const std::vector<Row>& without_attention() {
  static const std::vector<Row> rows{
      {"gru_vector_every_transitions", Cell::gru, AttentionScore::none,
       [](NetworkSettings& s, RecurrentSettings& own) {
         own.encoder_stack = EncoderStack::first;
         own.encoder_transitions = own.decoder_transitions = 2;
         own.product_norm = ProductNorm::joint;
         s.sizes.encoder_layers = 2;
       }},
      {"lstm_vector_first", Cell::lstm, AttentionScore::none,
       [](NetworkSettings& s, RecurrentSettings& own) {
         own.context = SourceContext::first;
         s.sizes.tied_embeddings = TiedEmbeddings::target;
       }},
      {"gru_vector_every", Cell::gru, AttentionScore::none,
       [](NetworkSettings& s, RecurrentSettings&) {
         s.sizes.decoder_layers = 2;
         s.sizes.output_bias = true;
       }},
      {"gru_language_model", Cell::gru, AttentionScore::none,
       [](NetworkSettings& s, RecurrentSettings&) { s.sizes.encoder_layers = 0; }},
      {"gru_language_model_transitions_norm", Cell::gru, AttentionScore::none,
       [](NetworkSettings& s, RecurrentSettings& own) {
         s.sizes.encoder_layers = 0;
         own.product_norm = ProductNorm::separate;
         own.decoder_transitions = 1;
         own.upper_transitions = 2;
         s.sizes.decoder_layers = 2;
       }},
      {"lstm_language_model_deep_untied", Cell::lstm, AttentionScore::none,
       [](NetworkSettings& s, RecurrentSettings& own) {
         s.sizes.encoder_layers = 0;
         s.sizes.decoder_layers = 3;
         s.sizes.tied_embeddings = TiedEmbeddings::none;
         own.residual = own.layer_norm = true;
       }},
  };
  return rows;
}

}  // namespace

std::vector<Variant> recurrent_variants() {
  std::vector<Variant> all;
  for (const std::vector<Row>* rows : {&attentions(), &between_steps(), &without_attention()}) {
    for (const Row& row : *rows) {
      NetworkSettings s = small_recurrent_settings();
      RecurrentSettings& own = s.own<RecurrentSettings>();
      own.cell = row.cell;
      own.attention = row.attention;
      row.change(s, own);
      all.push_back({row.name, s});
    }
  }
  return all;
}

}  // namespace gloss
