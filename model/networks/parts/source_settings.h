// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>

#include "base/fields.h"
#include "model/networks/parts/audio_settings.h"
#include "model/networks/parts/feature_settings.h"
#include "model/networks/parts/image_settings.h"
#include "model/networks/parts/stem_settings.h"

namespace gloss {

/// What the encoder of a network reads: tokens of text, or vectors made of images, of recorded sound, or by
/// another program.
enum class SourceType { text, image, audio, features };

/// Settings of the source of a network.
struct SourceSettings {
  SourceType type = SourceType::text;
  StemSettings stem;
  ImageSettings image;
  AudioSettings audio;
  FeatureSettings features;

  bool is_text() const { return type == SourceType::text; }
};
/// True if the vectors of an item are a sequence, as those of a recording, not a grid.
bool is_sequence(const SourceSettings&);
/// The columns of the grid that the vectors of an item are, row by row; 0: they are a sequence.
int grid_columns(const SourceSettings&);
/// That grid, with room for `most` vectors; without columns if they are a sequence.
GridSize grid_of_vectors(const SourceSettings&, int most);
Field source_type_field(SourceSettings&);
/// The fields of a type that users choose; none for text.
Fields fields_of(SourceSettings&, SourceType);
/// The fields of the type of this source, as stored in config.json, without the type; none for text.
Fields stored_fields_of(SourceSettings&);

/// The number of vectors that are made of every image; a class token comes before them.
int vectors_of(const SourceSettings&);
/// The windows of a recording, or positions of features, that make one vector.
int windows_of_vector(const SourceSettings&);
/// The numbers of each window or position.
int numbers_of_window(const SourceSettings&);
/// About the number of bytes that an item has in memory.
std::int64_t item_bytes(const SourceSettings&);
/// "image", "recording" or "matrix", for messages; and several of them.
const char* item_noun(const SourceSettings&);
const char* items_noun(const SourceSettings&);
/// Throws UsageError if the settings of the type conflict.
void check(const SourceSettings&);

}  // namespace gloss
