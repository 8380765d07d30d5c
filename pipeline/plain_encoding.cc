#include "pipeline/plain_encoding.h"

#include <algorithm>
#include <optional>

#include "base/error.h"

namespace gloss {
namespace {

/// Documents cut into blocks.
class Blocks : public Assembler {
 public:
  Blocks(TokenId end, const PlainTextSettings& settings)
      : end_(end), settings_(settings), length_(static_cast<std::size_t>(settings.block_length)) {}

  void add(const Corpus& lines, bool follows, const Random* random) override {
    if (!follows) end_document();
    std::optional<Random> chance;
    if (random != nullptr) chance = *random;
    for (std::size_t line = 0; line < lines.size(); ++line) {
      const std::span<const TokenId> tokens = lines.target(static_cast<PairIndex>(line));
      waiting_.insert(waiting_.end(), tokens.begin(), tokens.end());
      cut(chance);
      if (tokens.empty() || settings_.document == Document::line) end_document();
    }
  }

  Corpus finish() override {
    end_document();
    return std::move(blocks_);
  }

 private:
  /// Takes whole blocks from the front of what waits, as long as more than one waits.
  void cut(std::optional<Random>& random) {
    std::size_t begin = 0;
    while (waiting_.size() - begin > length_) {
      std::size_t count = length_;
      if (first_ && random) count = 1 + random->below(length_);
      take(begin, count);
      begin += count;
    }
    waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(begin));
  }

  void take(std::size_t begin, std::size_t count) {
    const std::span<const TokenId> block = std::span(waiting_).subspan(begin, count);
    blocks_.add(std::span(&before_, 1), block);
    before_ = block.back();
    first_ = false;
  }

  void end_document() {
    if (!waiting_.empty()) take(0, waiting_.size());
    waiting_.clear();
    before_ = end_;
    first_ = true;
  }

  TokenId end_;
  PlainTextSettings settings_;
  std::size_t length_;
  Corpus blocks_;
  std::vector<TokenId> waiting_;  // tokens of the document that are in no block as yet
  TokenId before_ = end_;         // the token before these
  bool first_ = true;             // no block of the document was taken
};

}  // namespace

Fields fields_of(PlainTextSettings& settings) {
  return {{"block_length",
           &settings.block_length,
           "tokens that the model sees together: longer documents are cut into blocks",
           {2, 1 << 20}},
          {"document", choice(settings.document, {"line", "blank_line", "file"}),
           "what belongs together: a line; lines up to a blank one; a whole file"}};
}

PlainEncoder::PlainEncoder(LineEncoder encoder, TokenId end, const PlainTextSettings& settings)
    : encoder_(std::move(encoder)), end_(end), settings_(settings) {}

void PlainEncoder::encode(const PairView& pair, std::int64_t line, Random* dropout, EncodedPairs& to) const {
  const EncodedLine encoded = encoder_(pair.source, dropout);
  Findings& found = to.found;
  ++found.lines;
  found.invalid.add(encoded.replaced, line);
  const bool blank = encoded.tokens.size() <= 1;
  if (blank) found.blank.add(1, line);
  if (!blank || settings_.document == Document::file) {
    to.pairs.add({}, encoded.tokens, pair.weight);
    if (!blank) ++found.pairs;
    found.target_tokens += static_cast<std::int64_t>(encoded.tokens.size());
    found.target_characters += encoded.characters;
  } else if (settings_.document == Document::blank_line) {
    to.pairs.add({}, {});
  }
}

std::unique_ptr<Assembler> PlainEncoder::assembler() const {
  return std::make_unique<Blocks>(end_, settings_);
}

void PlainEncoder::report(const Findings& found, const std::string& text, Listener& listener) const {
  report_invalid(found, text, listener);
  if (found.pairs == 0) {
    throw InputError(concat(text, found.lines == 0 ? ": the text is empty" : ": all lines are blank",
                            "; expected text to learn from"));
  }
  listener.note(concat(text, ": ", count_text(found.pairs, "line"), ", ", found.target_tokens, " tokens, ",
                       found.target_characters, " characters"));
}

}  // namespace gloss
