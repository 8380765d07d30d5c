// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "pipeline/examples/tokenizer_pair.h"
#include "pipeline/foreign/marian/marian_files.h"

namespace gloss {

/// The pieces that every vocabulary of Marian has.
inline constexpr const char *kMarianEnd = "</s>", *kMarianUnknown = "<unk>";

/// The tokenizers of a model, with `source` and `target` pieces: SentencePiece models with ids of their own,
/// lists of words (.yml), or, as OPUS-MT packages have it, such lists of the pieces of source.spm and
/// target.spm. `<unk>` is never generated, unless the configuration allows it. A language model has one
/// vocabulary. Throws InputError, naming the file, for other vocabularies and other numbers of pieces.
Tokenizers read_marian_vocabularies(const MarianFiles&, int source, int target);

}  // namespace gloss
