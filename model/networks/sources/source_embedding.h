// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>

#include "model/layers/norm.h"
#include "model/layers/parameters.h"
#include "model/networks/packed_rows.h"
#include "model/networks/parts/positions.h"
#include "model/networks/parts/source_settings.h"

namespace gloss {

/// The input of an encoder whose source is not text: vectors made of the numbers of items, with positions, in
/// the place of token embeddings.
class SourceEmbedding {
 public:
  virtual ~SourceEmbedding() = default;
  /// [T, width], after dropout; padding rows have no meaning.
  virtual Tensor operator()(const PackedRows&, const DropoutMask&) const = 0;
};

/// The settings on which a SourceEmbedding depends.
struct SourceParts {
  const SourceSettings& source;
  int width;  ///< of the vectors
  NormKind norm;
  Positions positions;       ///< those within attention are no part of the vectors
  int max_positions;         ///< of recordings
  bool class_token = false;  ///< a learned vector comes before those of each item
};
/// Declares its parameters, encoder... .
std::unique_ptr<SourceEmbedding> make_source_embedding(Parameters&, const SourceParts&);

}  // namespace gloss
