#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

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

/// Tokens of a document that stand together.
struct TextBlock {
  TokenId before;  ///< what stands before: the end token where a document begins
  std::span<const TokenId> tokens;
  std::span<const TokenId> opening = {};  ///< what tells the language; empty: nothing does
};

/// For each language the tokens that open its blocks.
using Openings = std::map<std::string, std::vector<TokenId>, std::less<>>;

/// Makes an example of a block of text.
class BlockExamples {
 public:
  virtual ~BlockExamples() = default;
  /// Tokens that it puts beside those of the block.
  virtual int further_tokens() const { return 0; }
  /// `random`: its own of each block.
  virtual void add(const TextBlock&, Random random, Corpus& to) const = 0;
};

/// For language models: a block is a target row, and its source row is the token before.
class ContinuedBlocks : public BlockExamples {
 public:
  void add(const TextBlock&, Random, Corpus& to) const override;
};

/// Turns plain text into examples. Every line ends with the end token. The lines of a document follow one
/// another and are cut into blocks of which examples have at most `block_length` tokens. Shorter documents,
/// and what is left at a document's end, are shorter blocks. So that a model sees all of a long document's
/// tokens at all places of a block, its first block has a random length in each epoch.
class PlainEncoder : public ExampleEncoder {
 public:
  PlainEncoder(LineEncoder, TokenId end, std::shared_ptr<const BlockExamples>, const PlainTextSettings&,
               Openings = {});

  /// Gives each line as a target of what opens its block; where blank lines separate documents, an empty
  /// target for these.
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
  Openings openings_;
};

}  // namespace gloss
