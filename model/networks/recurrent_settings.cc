#include "model/networks/recurrent_settings.h"

namespace gloss {

Fields fields_of(RecurrentSettings& s) {
  constexpr double kWidest = 1 << 16;
  const Range rate{0, 0.99};
  return {
      {"cell", choice(s.cell, {"lstm", "gru", "tanh"}), "of recurrent layers"},
      {"embedding_width", &s.embedding_width, "numbers per token in embeddings", {2, kWidest}},
      {"scale_embeddings", &s.scale_embeddings,
       "embeddings count times the root of their width; without, an update changes what is read less, and "
       "the "
       "learning rate may be larger"},
      {"bidirectional", &s.bidirectional, "the encoder reads sentences in both directions"},
      {"attention", choice(s.attention, {"none", "dot", "scaled-dot", "general", "additive"}),
       "how source positions are scored"},
      {"query", choice(s.query, {"after", "before", "between"}),
       "attention asks with the decoder's state after its step, before it, or between two: one with the "
       "token and one with what was found"},
      {"window", choice(s.window, {"none", "monotonic", "predictive"}),
       "attention sees what is around the target's position, or around one that it predicts"},
      {"window_reach", &s.window_reach, "positions to either side", {1, kWidest}},
      {"selection", choice(s.selection, {"soft", "hard"}),
       "attention gives a mean of what it sees, or one position: drawn while learning, the best afterwards"},
      {"coverage", &s.coverage, "scores ask how much each position was looked at in the steps before"},
      {"input_feeding", &s.input_feeding, "with queries after the step: the next step reads what was found"},
      {"context", choice(s.context, {"first", "every"}),
       "without attention: the source is known to the first step alone, or to every one"},
      {"first_state", choice(s.first_state, {"last", "mean", "zero"}),
       "of the decoder: from the encoder's last states, from their mean, or zeros"},
      {"residual", &s.residual, "adds what a layer reads to what it gives, from the second layer on"},
      {"layer_norm", &s.layer_norm, "layer normalisation of what a layer gives"},
      {"reverse_source", &s.reverse_source, "reads the source from its end"},
      {"dropout_layers", choice(s.dropout_layers, {"all", "source"}),
       "embeddings and layers with dropout: all, or those that read the source"},
      {"output_dropout", &s.output_dropout, "before the scores of the vocabulary", rate},
      {"variational_dropout", &s.variational_dropout, "one mask for all tokens of a sentence"},
      {"scheduled_sampling",
       &s.scheduled_sampling,
       "share of target tokens that the decoder reads as it would have chosen them",
       {0, 1}},
  };
}

}  // namespace gloss
