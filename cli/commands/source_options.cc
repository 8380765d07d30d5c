// SPDX-License-Identifier: Apache-2.0

#include "cli/commands/source_options.h"

#include "cli/commands/training_command.h"

namespace gloss {
namespace {

/// The options of one type alone.
Fields fields_of_type(const SourceOptions& options, SourceType type) {
  SourceSettings& source = options.source;
  Fields fields = type == SourceType::image   ? fields_of(source.image)
                  : type == SourceType::audio ? fields_of(source.audio)
                                              : fields_of(source.features);
  append(fields, fields_of(options.items.noise, type));
  return fields;
}

struct NamedType {
  SourceType type;
  const char* name;
};
constexpr NamedType kTypes[] = {
    {SourceType::image, "image"}, {SourceType::audio, "audio"}, {SourceType::features, "features"}};

}  // namespace

void SourceOptions::add_to(Options& options) const {
  Fields all{source_type_field(source)};
  append(all, fields_of(items));
  append(all, fields_of(source.stem));
  for (const auto& [type, name] : kTypes) append(all, fields_of_type(*this, type));
  options.add("Source", all);
}

void SourceOptions::complete(const Options& options) const {
  for (const auto& [type, name] : kTypes) {
    if (source.type == type) continue;
    refuse_given(options, fields_of_type(*this, type), concat("it needs --source-type ", name));
  }
  if (source.is_text()) refuse_given(options, fields_of(items), "it needs another --source-type than text");
  if (source.is_text() || source.type == SourceType::features)
    refuse_given(options, fields_of(source.stem), "it needs --source-type image or audio");
  const bool chosen = options.given(source.stem.widths);
  if (source.type == SourceType::audio && !chosen) source.stem.widths = {"32", "32"};
}

}  // namespace gloss
