// SPDX-License-Identifier: Apache-2.0

#include "pipeline/examples/plain_encoding.h"

#include <algorithm>
#include <optional>

#include "base/counted.h"
#include "base/error.h"
#include "base/index.h"

namespace gloss {
namespace {

/// Documents cut into blocks.
class Blocks : public Assembler {
 public:
  Blocks(TokenId start, std::shared_ptr<const BlockExamples> examples, Document document, int length)
      : start_(start), examples_(std::move(examples)), document_(document), length_(index(length)) {}

  void add(const Corpus& lines, bool follows, const Random* random) override {
    if (!follows) end_document();
    chance_ = random != nullptr ? random->derive(kOfExamples) : Random(kOfExamples);
    std::optional<Random> first_length;
    if (random != nullptr) first_length = *random;
    for (std::size_t line = 0; line < lines.size(); ++line) {
      const std::span<const TokenId> tokens = lines.target(static_cast<PairIndex>(line));
      const std::span<const TokenId> opening = lines.source(static_cast<PairIndex>(line));
      if (!tokens.empty()) opening_.assign(opening.begin(), opening.end());  // not of a blank line
      waiting_.insert(waiting_.end(), tokens.begin(), tokens.end());
      cut(first_length);
      if (tokens.empty() || document_ == Document::line) end_document();
    }
  }

  Corpus finish() override {
    end_document();
    return std::move(blocks_);
  }

 private:
  /// Removes whole blocks from the front of the waiting tokens, as long as more than one block waits.
  void cut(std::optional<Random>& first_length) {
    std::size_t begin = 0;
    while (waiting_.size() - begin > length_) {
      std::size_t count = length_;
      if (first_ && first_length) count = 1 + first_length->below(length_);
      take(begin, count);
      begin += count;
    }
    waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(begin));
  }

  void take(std::size_t begin, std::size_t count) {
    const std::span<const TokenId> block = std::span(waiting_).subspan(begin, count);
    examples_->add({before_, block, opening_}, chance_.derive(number_++), blocks_);
    before_ = block.back();
    first_ = false;
  }

  void end_document() {
    if (!waiting_.empty()) take(0, waiting_.size());
    waiting_.clear();
    before_ = start_;
    first_ = true;
  }

  static constexpr std::uint64_t kOfExamples = 1;

  TokenId start_;
  std::shared_ptr<const BlockExamples> examples_;
  Document document_;
  std::size_t length_;
  Random chance_{kOfExamples};
  std::uint64_t number_ = 0;  // of the next block
  Corpus blocks_;
  std::vector<TokenId> waiting_;  // tokens of the document that are not yet in a block
  std::vector<TokenId> opening_;  // of the document
  TokenId before_ = start_;       // the token before the waiting ones
  bool first_ = true;             // true before the first block of the document
};

}  // namespace

Fields fields_of(PlainTextSettings& settings) {
  return {{"block_length",
           &settings.block_length,
           "longest block of text in tokens; longer documents are split into blocks",
           {2, 1 << 20}},
          {"document", choice(settings.document, {"line", "blank_line", "file"}),
           "unit of text that no block crosses; a line, lines up to a blank line, or a file"}};
}

void ContinuedBlocks::add(const TextBlock& block, Random, Corpus& to) const {
  to.add(std::span(&block.before, 1), block.tokens);
}

PlainEncoder::PlainEncoder(LineEncoder encoder, TokenId start, std::shared_ptr<const BlockExamples> examples,
                           const PlainTextSettings& settings, Openings openings)
    : encoder_(std::move(encoder)),
      start_(start),
      examples_(std::move(examples)),
      settings_(settings),
      openings_(std::move(openings)) {
  const int further = examples_->further_tokens();
  if (settings_.block_length <= further) {
    throw UsageError(concat("--block-length ", settings_.block_length,
                            " leaves no room for text next to the ", further,
                            " tokens that open and end each block; expected at least ", further + 1));
  }
}

void PlainEncoder::encode(const PairView& pair, std::int64_t line, Random* dropout, EncodedPairs& to) const {
  if (pair.too_long) {
    ++to.found.lines;
    to.found.long_lines.add(1, line);
    return;
  }
  const EncodedLine encoded = encoder_(pair.source, dropout);
  Findings& found = to.found;
  ++found.lines;
  found.add_faults(encoded, line);
  const bool blank = encoded.tokens.size() <= 1;
  if (blank) found.blank.add(1, line);
  if (!blank || settings_.document == Document::file) {
    const auto opening = openings_.find(pair.language);
    to.pairs.add(opening == openings_.end() ? std::span<const TokenId>() : opening->second, encoded.tokens,
                 pair.weight);
    if (!blank) ++found.pairs;
    found.target_tokens += static_cast<std::int64_t>(encoded.tokens.size());
    found.target_characters += encoded.characters;
  } else if (settings_.document == Document::blank_line) {
    to.pairs.add({}, {});
  }
}

std::unique_ptr<Assembler> PlainEncoder::assembler() const {
  return std::make_unique<Blocks>(start_, examples_, settings_.document,
                                  settings_.block_length - examples_->further_tokens());
}

void PlainEncoder::report(const Findings& found, const std::string& text, Listener& listener) const {
  report_long_lines(found, text, "line", listener);
  report_faults(found, text, listener);
  if (found.pairs == 0) {
    throw InputError(concat(text,
                            found.lines == 0             ? ": the text is empty"
                            : found.long_lines.count > 0 ? ": all lines are blank or too long"
                                                         : ": all lines are blank",
                            "; expected training text"));
  }
  listener.note(concat(text, ": ", counted(found.pairs, "line"), ", ", found.target_tokens, " tokens, ",
                       found.target_characters, " characters"));
}

}  // namespace gloss
