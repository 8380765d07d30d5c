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

/// Turns plain text into examples for a language model. Every line ends with the end token. The lines of a
/// document follow one another and are cut into blocks of at most `block_length` tokens: a block is a target
/// row, and its source row is the token that stands before it, the end token where a document begins. Shorter
/// documents, and what is left at a document's end, are shorter blocks. So that a model sees all of a long
/// document's tokens at all places of a block, its first block has a random length in each epoch.
class PlainEncoder : public ExampleEncoder {
 public:
  PlainEncoder(LineEncoder, TokenId end, const PlainTextSettings&);

  /// Gives each line as a target; where blank lines separate documents, an empty target for these.
  void encode(const PairView&, std::int64_t line, Random* dropout, EncodedPairs& to) const override;
  std::unique_ptr<Assembler> assembler() const override;
  bool varies() const override { return true; }
  bool keeps_lines_together() const override { return settings_.document != Document::line; }
  void report(const Findings&, const std::string& text, Listener&) const override;

 private:
  LineEncoder encoder_;
  TokenId end_;
  PlainTextSettings settings_;
};

}  // namespace gloss
