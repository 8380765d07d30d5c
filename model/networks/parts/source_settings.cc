// SPDX-License-Identifier: Apache-2.0

#include "model/networks/parts/source_settings.h"

#include "base/error.h"
#include "base/rounding.h"

namespace gloss {

bool is_sequence(const SourceSettings& s) {
  return s.type == SourceType::audio || (s.type == SourceType::features && s.features.columns == 0);
}

int grid_columns(const SourceSettings& s) {
  if (s.is_text() || is_sequence(s)) return 0;
  return s.type == SourceType::image ? grid_of(s.image, s.stem).columns : s.features.columns;
}

GridSize grid_of_vectors(const SourceSettings& s, int most) {
  if (s.type == SourceType::image) return grid_of(s.image, s.stem);
  const int columns = grid_columns(s);
  return columns == 0 ? GridSize() : GridSize{ceil_div(most, columns), columns};
}

Field source_type_field(SourceSettings& s) {
  return {
      "source_type", choice(s.type, {"text", "image", "audio", "features"}),
      "type of the source: text; or images, recordings (audio) or matrices of numbers (features) from a list "
      "of files, or images from an idx archive"};
}

Fields fields_of(SourceSettings& s, SourceType type) {
  Fields fields;
  switch (type) {
    case SourceType::text:
      return {};
    case SourceType::features:
      return fields_of(s.features);
    case SourceType::image:
      fields = fields_of(s.image);
      break;
    case SourceType::audio:
      fields = fields_of(s.audio);
      break;
  }
  append(fields, fields_of(s.stem));
  return fields;
}

Fields stored_fields_of(SourceSettings& s) {
  Fields fields = fields_of(s, s.type);
  if (s.type == SourceType::image) append(fields, learned_fields_of(s.image));
  if (s.type == SourceType::audio) append(fields, learned_fields_of(s.audio));
  if (s.type == SourceType::features) append(fields, learned_fields_of(s.features));
  return fields;
}

int vectors_of(const SourceSettings& s) {
  expects(s.type == SourceType::image, "only images have a fixed number of vectors");
  return grid_of(s.image, s.stem).count();
}

int windows_of_vector(const SourceSettings& s) {
  return s.type == SourceType::features ? 1 : stride_of(s.stem);
}

int numbers_of_window(const SourceSettings& s) {
  return s.type == SourceType::features ? s.features.numbers : s.audio.bands;
}

std::int64_t item_bytes(const SourceSettings& s) {
  expects(!s.is_text(), "text has no items");
  if (s.type == SourceType::image) return std::int64_t{s.image.height} * s.image.width * s.image.channels;
  constexpr std::int64_t kUsualWindows = 1000;
  return kUsualWindows * numbers_of_window(s) * std::int64_t{sizeof(float)};
}

const char* item_noun(const SourceSettings& s) {
  return s.type == SourceType::image ? "image" : s.type == SourceType::audio ? "recording" : "matrix";
}

const char* items_noun(const SourceSettings& s) {
  return s.type == SourceType::image ? "images" : s.type == SourceType::audio ? "recordings" : "matrices";
}

void check(const SourceSettings& s) {
  if (s.is_text() || s.type == SourceType::features) return;
  if (s.type == SourceType::image) return check(s.image, s.stem);
  stem_layers_of(s.stem);
  check(s.audio);
}

}  // namespace gloss
