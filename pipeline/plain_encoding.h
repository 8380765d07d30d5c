#pragma once

#include "pipeline/example_encoding.h"

namespace gloss {

/// What a document of plain text is. Nothing is learned across documents.
enum class Document { line, blank_line, file };

/// How plain text becomes blocks.
struct PlainTextSettings {
  int block_length = 512;  ///< tokens
  Document document = Document::blank_line;
};
Fields fields_of(PlainTextSettings&);

/// Makes an example of a block of text.
class BlockExamples {
 public:
  virtual ~BlockExamples() = default;
  /// Tokens that it puts beside those of the block.
  virtual int further_tokens() const { return 0; }
  /// `before`: the token that stands before the block, the end token where a document begins. `random`: its
  /// own of each block.
  virtual void add(TokenId before, std::span<const TokenId> block, Random random, Corpus& to) const = 0;
};

/// For language models: a block is a target row, and its source row is the token before.
class ContinuedBlocks : public BlockExamples {
 public:
  void add(TokenId before, std::span<const TokenId> block, Random, Corpus& to) const override;
};

/// Turns plain text into examples. Every line ends with the end token. The lines of a document follow one
/// another and are cut into blocks of which examples have at most `block_length` tokens. Shorter documents,
/// and what is left at a document's end, are shorter blocks. So that a model sees all of a long document's
/// tokens at all places of a block, its first block has a random length in each epoch.
class PlainEncoder : public ExampleEncoder {
 public:
  PlainEncoder(LineEncoder, TokenId end, std::shared_ptr<const BlockExamples>, const PlainTextSettings&);

  /// Gives each line as a target; where blank lines separate documents, an empty target for these.
  void encode(const PairView&, std::int64_t line, Random* dropout, EncodedPairs& to) const override;
  std::unique_ptr<Assembler> assembler() const override;
  bool varies() const override { return true; }
  bool keeps_lines_together() const override { return settings_.document != Document::line; }
  void report(const Findings&, const std::string& text, Listener&) const override;

 private:
  LineEncoder encoder_;
  TokenId end_;
  std::shared_ptr<const BlockExamples> examples_;
  PlainTextSettings settings_;
};

}  // namespace gloss
