// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "pipeline/foreign/marian/marian_files.h"
#include "pipeline/foreign/shared/foreign_model.h"

namespace gloss {

/// Reads a model of Marian. Throws InputError for what gloss cannot represent.
ForeignModel read_marian(const std::string& path);

/// Marian's transformers with an encoder and a decoder.
ForeignModel read_marian_transformer(const MarianFiles&);
/// Marian's transformers with just a decoder: the type lm-transformer.
ForeignModel read_marian_language_model(const MarianFiles&);
/// Marian's recurrent networks with attention: the types s2s, amun and nematus.
ForeignModel read_marian_recurrent(const MarianFiles&);

}  // namespace gloss
