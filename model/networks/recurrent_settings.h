#pragma once

#include "base/fields.h"
#include "model/tensor/kernels.h"

namespace gloss {

/// How a decoder's queries and an encoder's states give the weights of attention.
enum class AttentionScore { none, dot, scaled_dot, general, additive };
/// Whether the decoder asks with its state after its step (Luong et al. 2015), reads what the state before
/// its step found (Bahdanau et al. 2015), or steps twice, with the token and with what it found in between
/// (Sennrich et al. 2017: Nematus).
enum class QueryPlacement { after, before, between };
/// Which source positions attention sees: all, or those around the target's position or one that it predicts
/// (Luong et al. 2015).
enum class AttentionWindow { none, monotonic, predictive };
/// What attention makes of its weights: a mean, or one position, drawn while learning (Xu et al. 2015).
enum class AttentionSelection { soft, hard };
/// What a decoder without attention knows of the source: its first state, or an input of each step too.
enum class SourceContext { first, every };
/// Where the decoder's first state comes from.
enum class FirstState { last, mean, zero };

/// Which embeddings and layers have dropout: all, or those that read the source (the output has its own).
enum class DropoutLayers { all, source };

/// Variants of a recurrent encoder-decoder; its sizes are NetworkSizes, of which `width` is that of a cell.
struct RecurrentSettings {
  Cell cell = Cell::gru;
  int embedding_width = 256;
  bool scale_embeddings = true;  ///< by the root of their width
  bool bidirectional = true;
  AttentionScore attention = AttentionScore::additive;
  QueryPlacement query = QueryPlacement::after;
  AttentionWindow window = AttentionWindow::none;
  int window_reach = 10;
  AttentionSelection selection = AttentionSelection::soft;
  bool coverage = false;  ///< scores ask how much of each position was looked at before (Tu et al. 2016)
  bool input_feeding = false;
  SourceContext context = SourceContext::every;
  FirstState first_state = FirstState::last;
  bool residual = false;
  bool layer_norm = false;
  bool reverse_source = false;
  DropoutLayers dropout_layers = DropoutLayers::all;
  double output_dropout = 0.1;       ///< on what the vocabulary's scores are made of
  bool variational_dropout = false;  ///< one mask for all steps of a sentence (Gal and Ghahramani 2016)
  double scheduled_sampling = 0;     ///< share of target tokens read as the network would have chosen them
};
Fields fields_of(RecurrentSettings&);

}  // namespace gloss
