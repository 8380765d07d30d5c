// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "pipeline/foreign/shared/foreign_model.h"

namespace gloss {

/// True for a checkpoint of fairseq (.pt) beside its dictionaries (dict.LANGUAGE.txt), and for a directory
/// with them.
bool is_fairseq(const std::string& path);
/// Reads a transformer for translation. Executes nothing. Throws InputError for what gloss cannot represent.
ForeignModel read_fairseq(const std::string& path);

}  // namespace gloss
