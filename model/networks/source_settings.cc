// SPDX-License-Identifier: Apache-2.0

#include "model/networks/source_settings.h"

#include "base/error.h"

namespace gloss {

Field source_type_field(SourceSettings& s) {
  return {"source_type", choice(s.type, {"text", "image"}),
          "type of the source: text, or images from a list of files or an idx archive"};
}

Fields fields_of(SourceSettings& s) {
  Fields fields{source_type_field(s)};
  append(fields, fields_of(s.image));
  return fields;
}

Fields stored_fields_of(SourceSettings& s) {
  if (s.is_text()) return {};
  Fields fields = fields_of(s.image);
  append(fields, learned_fields_of(s.image));
  return fields;
}

int vectors_of(const SourceSettings& s) {
  expects(!s.is_text(), "text has no fixed number of vectors");
  return grid_of(s.image).count();
}

std::int64_t item_bytes(const SourceSettings& s) {
  expects(!s.is_text(), "text has no fixed size");
  return std::int64_t{s.image.height} * s.image.width * s.image.channels;
}

void check(const SourceSettings& s) {
  if (!s.is_text()) check(s.image);
}

}  // namespace gloss
