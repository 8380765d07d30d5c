// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "model/formats/stored_arrays.h"
#include "pipeline/examples/tokenizer_pair.h"
#include "pipeline/foreign/shared/foreign_config.h"

namespace gloss {

/// True if a directory has a dictionary of fairseq, dict.LANGUAGE.txt.
bool has_fairseq_dictionary(const std::string& directory);

/// The tokenizers with the dictionaries of the languages that the settings name. The arrays have the names of
/// transformers. Throws InputError, naming the file, for a dictionary that is missing or does not fit them.
Tokenizers read_fairseq_dictionaries(const ForeignConfig& settings, const std::string& directory,
                                     const StoredArrays& arrays);

}  // namespace gloss
