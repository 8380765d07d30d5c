#pragma once

#include <memory>
#include <string>

#include "base/fields.h"
#include "base/listener.h"
#include "pipeline/corpus.h"
#include "pipeline/parallel_text.h"
#include "tokenizer/subword.h"
#include "tokenizer/text.h"

namespace gloss {

/// Where the pieces of a translation model come from: one file for both sides, one each, or learned together
/// from the training text.
struct TokenizerSettings {
  std::string tokenizer, source_tokenizer, target_tokenizer;
  int vocab_size = 8000;
  Normalization normalization = Normalization::nfc;

  bool learned() const { return tokenizer.empty() && source_tokenizer.empty() && target_tokenizer.empty(); }
};
Fields fields_of(TokenizerSettings&);
/// Throws UsageError if files are given for one side only, or in both ways.
void check(const TokenizerSettings&);

/// The tokenizers of both sides, one and the same if they are shared.
struct Tokenizers {
  std::shared_ptr<const Subwords> source, target;
  bool shared() const { return source == target; }
};

/// Reads the files that are given. Throws InputError if one is damaged or has no begin or end token.
Tokenizers load_tokenizers(const TokenizerSettings&);
/// Learns one vocabulary from both sides of the text.
Tokenizers learn_tokenizers(const TokenizerSettings&, const ParallelFiles&, std::int64_t seed, Listener&);
/// Those of a model directory.
Tokenizers stored_tokenizers(const std::string& model_directory);

/// Cleans and encodes lines and adds the end token; `subwords` must live longer.
LineEncoder line_encoder(const Subwords& subwords, Normalization);

}  // namespace gloss
