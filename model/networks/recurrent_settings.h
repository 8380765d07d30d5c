// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "base/fields.h"
#include "model/kernels/cell.h"

namespace gloss {

/// Score function: how a decoder's queries and an encoder's states determine attention weights.
enum class AttentionScore { none, dot, scaled_dot, general, additive };
/// The decoder state that queries attention: the state after its step (Luong et al. 2015); the state before
/// its step, which then reads the context (Bahdanau et al. 2015); or the state between two steps, the first
/// with the token and the second with the context (Sennrich et al. 2017: Nematus).
enum class QueryPlacement { after, before, between };
/// The source positions visible to attention: all, or a window around the target's position or a predicted
/// one (Luong et al. 2015).
enum class AttentionWindow { none, monotonic, predictive };
/// The result of attention: a weighted mean, or one position, sampled in training (Xu et al. 2015).
enum class AttentionSelection { soft, hard };
/// The use of the source in a decoder without attention: only the first state, or also an input of each step.
enum class SourceContext { first, every };
/// The origin of the decoder's first state.
enum class FirstState { last, mean, zero };

/// Which embeddings and layers have dropout: all, or those that read the source (the output has its own
/// rate).
enum class DropoutLayers { all, source };

/// Settings of recurrent networks besides NetworkSizes, in which `width` is the width of a cell.
struct RecurrentSettings {
  Cell cell = Cell::gru;
  int embedding_width = 256;
  bool bidirectional = true;
  AttentionScore attention = AttentionScore::additive;
  QueryPlacement query = QueryPlacement::after;
  AttentionWindow window = AttentionWindow::none;
  int window_reach = 10;
  AttentionSelection selection = AttentionSelection::soft;
  bool coverage = false;  ///< scores depend on earlier attention to each position (Tu et al. 2016)
  bool input_feeding = false;
  SourceContext context = SourceContext::every;
  FirstState first_state = FirstState::last;
  bool residual = false;
  bool layer_norm = false;
  bool reverse_source = false;
  DropoutLayers dropout_layers = DropoutLayers::all;
  double output_dropout = 0.1;       ///< of the input of the output layer
  bool variational_dropout = false;  ///< one mask for all steps of a sentence (Gal and Ghahramani 2016)
  double scheduled_sampling = 0;     ///< share of target inputs replaced by predictions
};
Fields fields_of(RecurrentSettings&);

}  // namespace gloss
