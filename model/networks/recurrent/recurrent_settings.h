// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <optional>

#include "base/fields.h"
#include "model/layers/recurrent_cell.h"

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

/// The directions of an encoder with several layers: each layer reads both directions of the layer below;
/// only the first layer has two directions (Wu et al. 2016); or there are two separate stacks of layers, one
/// for each direction, which are joined at their top, and whose direction may alternate from layer to layer
/// (Zhou et al. 2016).
enum class EncoderStack { joined, first, separate, alternating };

/// Which embeddings and layers have dropout: all, or those that read the source (the output has its own
/// rate).
enum class DropoutLayers { all, source };

/// Settings of recurrent networks besides NetworkSizes, in which `width` is the width of a cell.
struct RecurrentSettings {
  Cell cell = Cell::gru;
  int embedding_width = 256;
  bool bidirectional = true;
  EncoderStack encoder_stack = EncoderStack::joined;
  int pyramid_layers = 0;       ///< upper encoder layers that read pairs of vectors (Chan et al. 2016)
  int encoder_transitions = 0;  ///< cells without input after the cell of each encoder layer
  int decoder_transitions = 0;  ///< of the first decoder layer
  int upper_transitions = 0;    ///< of the other decoder layers
  ProductNorm product_norm = ProductNorm::none;  ///< in cells, attention, first states and read-out
  double product_norm_epsilon = 1e-5;
  AttentionScore attention = AttentionScore::additive;
  int attention_width = 0;  ///< of additive queries and keys; 0: that of the decoder's state
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

  /// The cells of a layer with this number of transitions.
  CellKind cells(int transitions) const { return {cell, product_norm, product_norm_epsilon, transitions}; }
  /// The norm of products other than those of cells.
  std::optional<NormKind> norm_of_products() const {
    if (product_norm == ProductNorm::none) return std::nullopt;
    return NormKind{NormType::layer, product_norm_epsilon};
  }
  bool stacks_are_separate() const { return encoder_stack >= EncoderStack::separate; }
  /// The number of vectors that one annotation stands for.
  int vectors_per_annotation() const { return 1 << pyramid_layers; }
};
Fields fields_of(RecurrentSettings&);

}  // namespace gloss
