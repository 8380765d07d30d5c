// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <span>
#include <string>

#include "base/fields.h"
#include "base/listener.h"
#include "pipeline/examples/languages.h"
#include "pipeline/examples/pair_encoding.h"
#include "pipeline/examples/text_windows.h"
#include "tokenizer/subword.h"
#include "tokenizer/text.h"

namespace gloss {

/// Which texts are encoded with subword dropout.
enum class DropoutSide { both, source, target };

/// The subword models of a translation model: one file for both sides, one file for each, or one vocabulary
/// learned from both sides of the training text.
struct TokenizerSettings {
  std::string tokenizer, source_tokenizer, target_tokenizer;
  VocabularyType vocab_type = VocabularyType::bpe;
  int vocab_size = 8000;
  bool fewer_pieces = false;  ///< a text without so many pieces may have a smaller vocabulary
  Normalization normalization = Normalization::nfc;
  double bpe_dropout = 0;
  DropoutSide bpe_dropout_side = DropoutSide::both;

  double source_dropout() const { return bpe_dropout_side == DropoutSide::target ? 0 : bpe_dropout; }
  double target_dropout() const { return bpe_dropout_side == DropoutSide::source ? 0 : bpe_dropout; }
  bool learned() const { return tokenizer.empty() && source_tokenizer.empty() && target_tokenizer.empty(); }
};
Fields fields_of(TokenizerSettings&);
/// The fields for text without translations.
Fields plain_fields_of(TokenizerSettings&);
/// Throws UsageError if files are given for one side only, or both for one and for two sides, or if a
/// vocabulary to learn conflicts with other settings.
void check(const TokenizerSettings&);

/// The tokenizers of both sides; the same object if they are shared.
struct Tokenizers {
  std::shared_ptr<const Subwords> source, target;
  bool shared() const { return source == target; }
  /// True if both sides have the same pieces with the same ids, so that they can share embeddings: one
  /// tokenizer, or two that only split text differently, as in OPUS-MT models.
  bool share_pieces() const;
};

/// Reads the given files. Throws InputError if one is damaged or has no begin or end token.
Tokenizers load_tokenizers(const TokenizerSettings&);
/// Learns one vocabulary from both sides of all texts, using each line once.
Tokenizers learn_tokenizers(const TokenizerSettings&, std::span<const WeightedText>, std::int64_t seed,
                            Listener&);
/// The tokenizers of a model directory; imported ones may have no begin token.
Tokenizers stored_tokenizers(const std::string& model_directory);

/// The tokenizers with those of the symbols added that are not yet pieces.
Tokenizers with_symbols(const Tokenizers&, const std::vector<std::string>& symbols);

/// Throws UsageError if subword dropout is requested for a tokenizer that is not BPE.
void check_dropout(const TokenizerSettings&, const Tokenizers&);

/// Cleans and encodes lines and adds the end token and those of the frame; skips merges with probability
/// `dropout` (Provilkov et al. 2020) if it is given random numbers. `subwords` must outlive it.
LineEncoder line_encoder(const Subwords& subwords, Normalization, double dropout, LineFrame frame = {});
/// As line_encoder, but also counts the characters of the decoded tokens, except when given random numbers.
LineEncoder counting_encoder(const Subwords& subwords, Normalization, double dropout);
/// The encoder, which also finds the word of each token. `texts`: of the pieces (piece_texts); `frame`: that
/// of the encoder.
LineEncoder word_encoder(LineEncoder encoder, std::vector<std::string> texts, const LineFrame& frame);
/// The encoder of both sides with these settings; the tokenizers must outlive it.
std::unique_ptr<const ExampleEncoder> pair_encoder(const TokenizerSettings&, const Tokenizers&,
                                                   const CorpusSettings&, const PairFrame& frame = {});

}  // namespace gloss
