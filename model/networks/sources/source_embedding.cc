// SPDX-License-Identifier: Apache-2.0

#include "model/networks/sources/source_embedding.h"

#include "base/error.h"
#include "model/networks/sources/audio_embedding.h"
#include "model/networks/sources/image_embedding.h"

namespace gloss {

std::unique_ptr<SourceEmbedding> make_source_embedding(Parameters& parameters, const SourceParts& parts) {
  if (parts.source.type == SourceType::image) return std::make_unique<ImageEmbedding>(parameters, parts);
  expects(!parts.source.is_text(), "text has token embeddings");
  return std::make_unique<AudioEmbedding>(parameters, parts);
}

}  // namespace gloss
