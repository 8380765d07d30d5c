// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

#include "pipeline/foreign/shared/export_format.h"

namespace gloss {

/// The files that write_marian_vocabularies may write.
std::vector<std::string> marian_vocabulary_files();

/// Writes the vocabularies of a model to a directory and returns their names, one for each side, or just that
/// of a language model: SentencePiece models (.spm), lists of words (.yml), or, as in OPUS-MT packages, lists
/// of the pieces of source.spm and target.spm. Throws UsageError for tokenizers that Marian does not have.
std::vector<std::string> write_marian_vocabularies(const ModelToExport&, const std::string& directory);

/// True if a translation may contain <unk>, which Marian has to be allowed.
bool allows_unknown(const Subwords&);
/// True if Marian does not split text into the pieces of this tokenizer, but expects them.
bool splits_text_outside(const Subwords&);

}  // namespace gloss
