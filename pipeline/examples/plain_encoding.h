// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "pipeline/examples/example_encoding.h"

namespace gloss {

/// The unit that is a document of plain text. No example crosses documents.
enum class Document { line, blank_line, file };

/// How plain text is split into blocks.
struct PlainTextSettings {
  int block_length = 512;  ///< tokens
  Document document = Document::blank_line;
};
Fields fields_of(PlainTextSettings&);

/// Consecutive tokens of a document.
struct TextBlock {
  TokenId before;  ///< the previous token; at the start of a document, the one before every text
  std::span<const TokenId> tokens;
  std::span<const TokenId> opening = {};  ///< the symbol of the language; may be empty
};

/// The opening tokens of the blocks of each language.
using Openings = std::map<std::string, std::vector<TokenId>, std::less<>>;

/// Turns a block of text into an example.
class BlockExamples {
 public:
  virtual ~BlockExamples() = default;
  /// The number of tokens that it adds to those of the block.
  virtual int further_tokens() const { return 0; }
  /// `random`: the random numbers of this block.
  virtual void add(const TextBlock&, Random random, Corpus& to) const = 0;
};

/// For language models: the block is the target row, and the token before it the source row.
class ContinuedBlocks : public BlockExamples {
 public:
  void add(const TextBlock&, Random, Corpus& to) const override;
};

/// Turns plain text into examples. Every line ends with the end token. The lines of a document are joined and
/// split into blocks, so that each example has at most `block_length` tokens. Short documents and the ends of
/// documents give shorter blocks. In each epoch, the first block of a long document has a random length, so
/// that a model sees its tokens at all positions of a block.
class PlainEncoder : public ExampleEncoder {
 public:
  /// `start`: the token before a document; -1: a zero vector. Throws UsageError if `block_length` leaves no
  /// room for text.
  PlainEncoder(LineEncoder, TokenId start, std::shared_ptr<const BlockExamples>, const PlainTextSettings&,
               Openings = {});

  /// Adds each line as a target row, with the opening tokens of its block as source row; a blank line that
  /// separates documents is an empty target row.
  void encode(const PairView&, std::int64_t line, Random* dropout, EncodedPairs& to) const override;
  std::unique_ptr<Assembler> assembler() const override;
  bool varies() const override { return true; }
  bool keeps_lines_together() const override { return settings_.document != Document::line; }
  void report(const Findings&, const std::string& text, Listener&) const override;

 private:
  LineEncoder encoder_;
  TokenId start_;
  std::shared_ptr<const BlockExamples> examples_;
  PlainTextSettings settings_;
  Openings openings_;
};

}  // namespace gloss
