// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/listener.h"
#include "pipeline/foreign/foreign_model.h"

namespace gloss {

/// A kind of foreign models: a row of the table of formats.
struct ForeignFormat {
  std::string name;  ///< for messages, such as "Hugging Face directory"
  /// True if a path looks like a model of this kind, from the names of its files.
  bool (*recognises)(const std::string& path);
  /// Reads settings and vocabularies; throws InputError for what gloss cannot represent.
  ForeignModel (*read)(const std::string& path);
};

/// All formats, in the order in which they are tried.
std::span<const ForeignFormat> foreign_formats();

/// True if a path looks like a model of another program.
bool is_foreign_model(const std::string& path);

/// What the search of a model computes if that of its own program differs from the training: the same as
/// there, or as in training.
enum class ImportedSearch { as_there, as_trained };

/// Reads a model of another program. Throws InputError if no format recognises it. Notes what another choice
/// of the search would change.
ForeignModel read_foreign_model(const std::string& path, ImportedSearch = ImportedSearch::as_there);

/// Writes it as a model directory, one tensor after another: at most the largest is in memory. Throws
/// InputError if its arrays do not fit the network.
void write_foreign_model(const ForeignModel&, const std::string& directory, Listener&);

}  // namespace gloss
