// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "base/listener.h"
#include "pipeline/foreign/shared/foreign_model.h"

namespace gloss {

/// What the search of a model computes if that of its own program differs from the training: the same as
/// there, or as in training.
enum class ImportedSearch { as_there, as_trained };

/// Reads a model of another program. Throws InputError if it is none (why_no_model). Notes what another
/// choice of the search would change.
ForeignModel read_foreign_model(const std::string& path, ImportedSearch = ImportedSearch::as_there);

/// Writes it as a model directory, one tensor after another: at most the largest is in memory. Throws
/// InputError if its arrays do not fit the network.
void write_foreign_model(const ForeignModel&, const std::string& directory, Listener&);

}  // namespace gloss
