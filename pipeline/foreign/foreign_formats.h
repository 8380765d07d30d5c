// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <span>
#include <string>

#include "pipeline/foreign/shared/foreign_model.h"

namespace gloss {

/// A kind of foreign models: a row of the table of formats.
struct ForeignFormat {
  std::string name;  ///< for messages, such as "Hugging Face directory"
  /// True if a path looks like a model of this kind, from its files and how they begin.
  bool (*recognises)(const std::string& path);
  /// Reads settings and vocabularies; throws InputError for what gloss cannot represent.
  ForeignModel (*read)(const std::string& path);
};

/// All formats, in the order in which they are tried.
std::span<const ForeignFormat> foreign_formats();

/// The row for a model; null if there is none. Throws InputError for what cannot be read.
const ForeignFormat* foreign_format_of(const std::string& path);

/// True if a path looks like a model of another program.
bool is_foreign_model(const std::string& path);

}  // namespace gloss
