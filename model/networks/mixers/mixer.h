// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/layers/attention.h"
#include "model/networks/mixers/block.h"
#include "model/networks/mixers/layer_scales.h"
#include "model/networks/mixers/residual.h"

namespace gloss {

/// The first branch of a block, which lets each row see other rows of its sentence, such as self-attention or
/// a convolution.
class Mixer {
 public:
  virtual ~Mixer() = default;
  /// The branch for x [T, width]: [T, width], which `around` adds to x later. A mixer normalises what the
  /// branch reads with `around.before`.
  virtual Tensor operator()(const Tensor& x, const Residual& around, const SelfAttentionView&,
                            const TransformerDropout&) const = 0;
};

/// The layer that a mixer is for.
struct MixerLayer {
  const NetworkSizes& sizes;
  const TransformerSettings& settings;
  int layer;    ///< of its stack, from 0
  bool causal;  ///< a row sees itself and earlier rows only
  LayerScales scales = {};
  int columns = 0;            ///< of the grid that the rows of an image are; 0: they are a sequence
  bool reads_source = false;  ///< attends to the states of an encoder
};

/// What the rows of a decoder's layer read of earlier rows while decoding.
struct MixerHistory {
  std::int64_t columns;       ///< the last columns of SelfAttentionView::projected
  int reach = 0;              ///< number of rows that a row reads, itself included; 0: all
  bool of_sentences = false;  ///< `projected` has one row for each sentence, not for each token
};

/// A kind of mixer: a row of the table in mixers.cc.
struct MixerKind {
  std::string name;       ///< for --encoder-mixers or --decoder-mixers
  std::string part = {};  ///< of the names of its parameters: BLOCK.PART...
  /// Creates the mixer and declares its parameters NAME.... Null if there is `make_block`.
  std::shared_ptr<const Mixer> (*make)(Parameters&, const std::string& name, const MixerLayer&) = nullptr;
  /// Creates the whole block, if that is not a mixer and a feed-forward layer; otherwise null.
  std::shared_ptr<const Block> (*make_block)(Parameters&, const std::string& name,
                                             const MixerLayer&) = nullptr;
  /// Throws UsageError if the settings do not suit the mixer in this layer. Null: they always do.
  void (*check)(const MixerLayer&) = nullptr;
  bool in_encoders = false;
  /// What a decoder with the mixer keeps. Null: the mixer is not for decoders.
  MixerHistory (*history)(const MixerLayer&) = nullptr;
  bool attends = false;        ///< has queries and keys, for positions within attention
  bool weighs = false;         ///< its results are weighted sums of rows, see RowWeightVisitor
  bool drops_weights = false;  ///< uses the dropout of attention weights
  bool deep_norm = false;      ///< averages rows, between layers that take both factors of MixerLayer::scales
  bool has_heads = false;      ///< depends on the number of heads
  bool feeds_forward = true;   ///< its block has feed-forward layers
  /// Fields of the settings that only mixers of this and similar kinds have.
  std::vector<std::string> settings = {};
  /// The widths of convolutions in the first layers by default, the last also in all further layers; empty:
  /// the mixer has no convolution.
  std::vector<int> kernel_widths = {};

  bool in_decoders() const { return history != nullptr; }
};

}  // namespace gloss
