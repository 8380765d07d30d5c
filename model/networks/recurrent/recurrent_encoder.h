// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/layers/recurrent_layer.h"
#include "model/networks/packed_rows.h"
#include "model/networks/parts/network_sizes.h"
#include "model/networks/recurrent/layer_result.h"
#include "model/networks/recurrent/recurrent_masks.h"
#include "model/networks/recurrent/recurrent_settings.h"

namespace gloss {

/// Output of an encoder.
struct EncodedSource {
  Tensor annotations;  ///< [T, width of the encoder]: a row for each token of `rows`
  Tensor summary;      ///< [sentences, width of the encoder]; empty if not requested
  PackedRows rows;     ///< those of the source, or fewer after pyramid layers
};

/// Recurrent layers over the source in one direction or both. Parameters NAME.LAYER.forwards and
/// NAME.LAYER.backwards, and of LayerResult for NAME.LAYER, or, in separate stacks, for both of these. The
/// layers of a stack whose direction alternates are called after the direction of the first one.
class RecurrentEncoder {
 public:
  /// `input_width`: of the vectors that it reads, which are the annotations if there are no layers.
  /// `summarises`: also computes summaries.
  RecurrentEncoder(Parameters&, const std::string& name, const NetworkSizes&, const RecurrentSettings&,
                   std::int64_t input_width, bool summarises);
  EncodedSource operator()(const Tensor& embedded, const PackedRows& source, const RecurrentMasks&) const;
  /// Width of annotations: both directions concatenated, or added up where the width must match the decoder's
  /// state.
  std::int64_t width() const { return width_; }

 private:
  using Steps = std::shared_ptr<const RecurrentSteps>;
  /// The source in both directions.
  struct Directions {
    explicit Directions(const PackedRows&);
    Steps to_the_end, to_the_start;
  };
  /// Outputs of the top layer in each direction; `backwards` may be empty.
  struct Tops {
    Tensor forwards, backwards;
  };
  struct Layer {
    RecurrentLayer forwards;
    std::optional<RecurrentLayer> backwards;
    LayerResult result;
    std::optional<LayerResult> backwards_result;  // in separate stacks
    bool reads_pairs = false;                     // of the rows of the layer below
  };
  void add_layer(Parameters&, const std::string& name, const NetworkSizes&);
  /// The annotations; `rows` becomes theirs.
  Tensor run_joined(const Tensor& embedded, PackedRows& rows, const RecurrentMasks&, Tops&) const;
  Tensor run_stacks(const Tensor& embedded, const PackedRows& rows, const RecurrentMasks&, Tops&) const;
  Tensor merged(const Tensor& forwards, const Tensor& backwards) const;
  Tensor summary(const PackedRows&, const Tensor& annotations, const Tops&) const;

  RecurrentSettings settings_;
  bool summarises_;
  bool added_;      // directions are added, not concatenated
  bool exchanged_;  // the top layers of alternating stacks read in the other direction
  std::int64_t width_;
  std::vector<Layer> layers_;
};

/// True if the two directions of an encoder are added: untransformed keys must be as wide as queries.
bool adds_directions(const RecurrentSettings&);

}  // namespace gloss
