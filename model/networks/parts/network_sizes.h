// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "base/fields.h"
#include "model/kernels/activation.h"

namespace gloss {

/// The largest max_positions, and so of distances within a text.
constexpr double kMostPositions = 1 << 20;

/// Which embedding matrices are shared: none; the target's input and output; those and the source's; the
/// inputs of source and target, but not the output (T5 v1.1).
enum class TiedEmbeddings { none, target, all, inputs };

/// Sizes, embeddings and dropout rates of networks of every architecture.
struct NetworkSizes {
  int encoder_layers = 6;
  int decoder_layers = 6;
  int width = 512;
  int heads = 8;  ///< attention heads
  int max_positions = 1024;
  TiedEmbeddings tied_embeddings = TiedEmbeddings::all;
  bool scale_embeddings = true;  ///< by the square root of their width
  bool output_bias = false;      ///< in the scores of the output layer
  /// The head of the last decoder layer, from 1, that shows how source and target are aligned; 0: the mean of
  /// all. No choice of users: guided alignment trains head 1.
  int alignment_head = 0;
  /// A layer that labels the encoder's vectors (CtcHead). No choice of users: training with a share of its
  /// loss has it.
  bool ctc_head = false;
  double dropout = 0.1;            ///< of residual branches, or of the outputs of recurrent layers
  double embedding_dropout = 0.1;  ///< of embeddings, positions included
};
Fields fields_of(NetworkSizes&);
/// True if source and target share a matrix and so need one vocabulary.
bool shares_sides(TiedEmbeddings);
/// The name of a kind of tied embeddings in settings.
std::string name_of(TiedEmbeddings);
/// An activation function by its name in settings.
Choice activation_choice(Activation&);
/// Throws UsageError unless this number of heads divides the width; `name`: of its setting.
void expect_heads_divide(int width, int heads, const std::string& name = "heads");

/// Names of sets of sizes, defined by each architecture. Students are small translation models that learn
/// from larger ones: most layers are in the encoder, and decoders need the same time for each token.
enum class Preset { tiny, small, base, big, student, student_tiny };
Choice preset_choice(Preset&);

}  // namespace gloss
