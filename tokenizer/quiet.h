#pragma once

namespace gloss {

/// Keeps SentencePiece from printing to standard error; its failures come back as values.
void silence_sentencepiece();

}  // namespace gloss
