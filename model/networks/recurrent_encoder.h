// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/layers/recurrent_layer.h"
#include "model/networks/layer_result.h"
#include "model/networks/network_sizes.h"
#include "model/networks/packed_rows.h"
#include "model/networks/recurrent_masks.h"

namespace gloss {

/// Output of an encoder.
struct EncodedSource {
  Tensor annotations;  ///< [T, width of the encoder]: a row for each token
  Tensor summary;      ///< [sentences, width of the encoder]; empty if not requested
};

/// Recurrent layers over the source in one direction or both. Parameters NAME.LAYER.forwards and
/// NAME.LAYER.backwards.
class RecurrentEncoder {
 public:
  /// `summarises`: also computes summaries.
  RecurrentEncoder(Parameters&, const std::string& name, const NetworkSizes&, const RecurrentSettings&,
                   bool summarises);
  EncodedSource operator()(const Tensor& embedded, const PackedRows& source, const RecurrentMasks&) const;
  /// Width of annotations: both directions concatenated, or added up where the width must match the decoder's
  /// state.
  std::int64_t width() const { return width_; }

 private:
  struct Layer {
    RecurrentLayer forwards;
    std::optional<RecurrentLayer> backwards;
    LayerResult result;
  };
  Tensor merged(const Tensor& forwards, const Tensor& backwards) const;
  Tensor summary(const PackedRows&, const Tensor& annotations, const Tensor& forwards,
                 const Tensor& backwards) const;

  RecurrentSettings settings_;
  bool summarises_;
  bool added_;  // directions are added, not concatenated
  std::int64_t width_;
  std::vector<Layer> layers_;
};

/// True if the two directions of an encoder are added: untransformed keys must be as wide as queries.
bool adds_directions(const RecurrentSettings&);

}  // namespace gloss
