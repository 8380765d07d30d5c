// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>

#include "base/fields.h"
#include "model/networks/image_settings.h"

namespace gloss {

/// What the encoder of a network reads: tokens of text, or vectors made of images.
enum class SourceType { text, image };

/// Settings of the source of a network.
struct SourceSettings {
  SourceType type = SourceType::text;
  ImageSettings image;

  bool is_text() const { return type == SourceType::text; }
};
Field source_type_field(SourceSettings&);
/// The fields that users choose, of all types.
Fields fields_of(SourceSettings&);
/// The fields of the type of this source, as stored in config.json, without the type; none for text.
Fields stored_fields_of(SourceSettings&);

/// The number of vectors that are made of an item; a class token comes before them.
int vectors_of(const SourceSettings&);
/// The number of bytes that an item has in memory.
std::int64_t item_bytes(const SourceSettings&);
/// Throws UsageError if the settings of the type conflict.
void check(const SourceSettings&);

}  // namespace gloss
