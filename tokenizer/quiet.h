// SPDX-License-Identifier: Apache-2.0

#pragma once

namespace gloss {

/// Stops SentencePiece from printing to standard error; it still returns its failures as values.
void silence_sentencepiece();

}  // namespace gloss
