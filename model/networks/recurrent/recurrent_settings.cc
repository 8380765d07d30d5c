// SPDX-License-Identifier: Apache-2.0

#include "model/networks/recurrent/recurrent_settings.h"

namespace gloss {

Fields fields_of(RecurrentSettings& s) {
  constexpr double kWidest = 1 << 16, kMostTransitions = 100;
  const Range rate{0, 0.99};
  Fields fields{
      {"cell", choice(s.cell, {"lstm", "gru", "tanh"}), "kind of recurrent cell"},
      {"embedding_width", &s.embedding_width, "width of token embeddings", {2, kWidest}},
      {"bidirectional", &s.bidirectional, "run the encoder in both directions"},
      {"encoder_stack", choice(s.encoder_stack, {"joined", "first", "separate", "alternating"}),
       "directions of deep encoders: each layer reads both directions of the layer below (joined), only the "
       "first layer has two (first), or each direction has a stack of layers (separate), whose direction may "
       "change from layer to layer (alternating)"},
      {"pyramid_layers",
       &s.pyramid_layers,
       "number of encoder layers, the upper ones, that read the vectors of the layer below in pairs and so "
       "halve "
       "their number (Listen, Attend and Spell)",
       {0, 10}},
      {"encoder_transitions",
       &s.encoder_transitions,
       "number of further cells without input in each step of an encoder layer",
       {0, kMostTransitions}},
      {"decoder_transitions",
       &s.decoder_transitions,
       "number of further cells without input in each step of the first decoder layer",
       {0, kMostTransitions}},
      {"upper_transitions",
       &s.upper_transitions,
       "number of further cells without input in each step of the other decoder layers",
       {0, kMostTransitions}},
      {"product_norm", choice(s.product_norm, {"none", "joint", "separate"}),
       "normalise the products inside cells, attention, first states and the read-out: those of a cell's "
       "gates together (joint), or those of a GRU's gates and candidate each by itself (separate)"},
      {"product_norm_epsilon",
       &s.product_norm_epsilon,
       "number added to the variance of products before the division",
       {1e-12, 1}},
      {"attention", choice(s.attention, {"none", "dot", "scaled-dot", "general", "additive"}),
       "score function of attention"},
      {"attention_width",
       &s.attention_width,
       "width of the queries and keys of additive attention; 0: that of the decoder's state",
       {0, kWidest}},
      {"query", choice(s.query, {"after", "before", "between"}),
       "decoder state that queries attention: after its step, before it, or between two steps, the first "
       "with the token and the second with the attention context"},
      {"window", choice(s.window, {"none", "monotonic", "predictive"}),
       "limit attention to a window around the target's position, or around a predicted one"},
      {"window_reach",
       &s.window_reach,
       "number of positions on either side of the attention window's centre",
       {1, kWidest}},
      {"selection", choice(s.selection, {"soft", "hard"}),
       "attention result: the weighted mean (soft), or one position (hard), sampled in training and the best "
       "in decoding"},
      {"coverage", &s.coverage, "feed the earlier attention to each position into the scores"},
      {"input_feeding", &s.input_feeding,
       "feed the attention result into the next step (needs the query 'after')"},
      {"context", choice(s.context, {"first", "every"}),
       "without attention: give the source to the first decoder step, or to every step"},
      {"first_state", choice(s.first_state, {"last", "mean", "zero"}),
       "first decoder state: from the encoder's last states, from their mean, or zeros"},
      {"residual", &s.residual, "add residual connections around layers, from the second layer on"},
      {"layer_norm", &s.layer_norm, "normalise the output of each layer"},
      {"reverse_source", &s.reverse_source, "read the source from its end"},
      {"dropout_layers", choice(s.dropout_layers, {"all", "source"}),
       "apply dropout to all embeddings and layers, or only to those that read the source"},
      {"output_dropout", &s.output_dropout, "dropout rate before the vocabulary scores", rate},
      {"variational_dropout", &s.variational_dropout,
       "share one dropout mask among all tokens of a sentence"},
      {"scheduled_sampling",
       &s.scheduled_sampling,
       "share of target inputs replaced in training by the decoder's own predictions",
       {0, 1}},
  };
  add_traits(fields, kTwoSided, s.pyramid_layers, s.attention, s.attention_width, s.query, s.window,
             s.window_reach, s.selection, s.coverage, s.input_feeding, s.context, s.first_state,
             s.reverse_source, s.scheduled_sampling);
  add_traits(fields, kTrainingOnly, s.dropout_layers, s.output_dropout, s.variational_dropout,
             s.scheduled_sampling);
  add_traits(fields, kOptional, s.window, s.window_reach, s.selection, s.coverage, s.dropout_layers,
             s.encoder_stack, s.pyramid_layers, s.encoder_transitions, s.decoder_transitions,
             s.upper_transitions, s.product_norm, s.product_norm_epsilon, s.attention_width);
  return fields;
}

}  // namespace gloss
