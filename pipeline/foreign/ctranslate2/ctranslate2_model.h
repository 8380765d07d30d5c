// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "pipeline/foreign/shared/foreign_model.h"

namespace gloss {

/// True for a directory of CTranslate2: model.bin, which vocabularies or its first bytes
/// distinguish from files of other programs.
bool is_ctranslate2(const std::string& path);
/// Reads such a directory. Throws InputError for what gloss cannot represent.
ForeignModel read_ctranslate2_model(const std::string& path);

}  // namespace gloss
