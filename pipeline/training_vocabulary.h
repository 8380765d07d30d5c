#pragma once

#include <memory>
#include <span>
#include <string>

#include "base/fields.h"
#include "base/listener.h"
#include "pipeline/pair_encoding.h"
#include "pipeline/text_windows.h"
#include "tokenizer/subword.h"
#include "tokenizer/text.h"

namespace gloss {

/// Which texts are encoded with subword dropout.
enum class DropoutSide { both, source, target };

/// Where the pieces of a translation model come from: one file for both sides, one each, or learned together
/// from the training text.
struct TokenizerSettings {
  std::string tokenizer, source_tokenizer, target_tokenizer;
  VocabularyType vocab_type = VocabularyType::bpe;
  int vocab_size = 8000;
  Normalization normalization = Normalization::nfc;
  double bpe_dropout = 0;
  DropoutSide bpe_dropout_side = DropoutSide::both;

  double source_dropout() const { return bpe_dropout_side == DropoutSide::target ? 0 : bpe_dropout; }
  double target_dropout() const { return bpe_dropout_side == DropoutSide::source ? 0 : bpe_dropout; }
  bool learned() const { return tokenizer.empty() && source_tokenizer.empty() && target_tokenizer.empty(); }
};
Fields fields_of(TokenizerSettings&);
/// Those for text without translations.
Fields plain_fields_of(TokenizerSettings&);
/// Throws UsageError if files are given for one side only, or in both ways, or a vocabulary is to be learned
/// that does not fit the other settings.
void check(const TokenizerSettings&);

/// The tokenizers of both sides, one and the same if they are shared.
struct Tokenizers {
  std::shared_ptr<const Subwords> source, target;
  bool shared() const { return source == target; }
};

/// Reads the files that are given. Throws InputError if one is damaged or has no begin or end token.
Tokenizers load_tokenizers(const TokenizerSettings&);
/// Learns one vocabulary from both sides of all texts, each line once.
Tokenizers learn_tokenizers(const TokenizerSettings&, std::span<const WeightedText>, std::int64_t seed,
                            Listener&);
/// Those of a model directory.
Tokenizers stored_tokenizers(const std::string& model_directory);

/// The same with those of these symbols that are no pieces as yet.
Tokenizers with_symbols(const Tokenizers&, const std::vector<std::string>& symbols);

/// Throws UsageError if subword dropout is wanted of a tokenizer that is no BPE.
void check_dropout(const TokenizerSettings&, const Tokenizers&);

/// Cleans and encodes lines and adds the end token; where dropout is asked for, leaves merges out with that
/// probability (Provilkov et al. 2020). `subwords` must live longer.
LineEncoder line_encoder(const Subwords& subwords, Normalization, double dropout);
/// The same, and counts the characters of what the tokens say, unless there may be dropout.
LineEncoder counting_encoder(const Subwords& subwords, Normalization, double dropout);
/// Encodes both sides as the settings say; the tokenizers must live longer.
std::unique_ptr<const ExampleEncoder> pair_encoder(const TokenizerSettings&, const Tokenizers&,
                                                   const CorpusSettings&);

}  // namespace gloss
