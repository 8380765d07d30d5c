#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/fields.h"
#include "base/listener.h"
#include "model/networks/batch.h"
#include "pipeline/parallel_text.h"

namespace gloss {

/// The place of a pair in a corpus.
using PairIndex = std::uint32_t;

/// Pairs of encoded sentences, one behind the other. Every row ends with the end token.
class Corpus {
 public:
  void add(std::span<const TokenId> source, std::span<const TokenId> target);

  std::size_t size() const { return source_.starts.size() - 1; }
  std::span<const TokenId> source(PairIndex pair) const { return source_.row(pair); }
  std::span<const TokenId> target(PairIndex pair) const { return target_.row(pair); }
  /// All tokens of a side, end tokens included.
  std::int64_t source_tokens() const { return static_cast<std::int64_t>(source_.tokens.size()); }
  std::int64_t target_tokens() const { return static_cast<std::int64_t>(target_.tokens.size()); }
  /// A hash of the whole content in hexadecimal digits, by which a changed corpus is noticed.
  std::string fingerprint() const;

 private:
  /// As TokenRows, for more than 2^31 tokens.
  struct Rows {
    std::vector<TokenId> tokens;
    std::vector<std::uint64_t> starts{0};
    std::span<const TokenId> row(PairIndex row) const {
      return {tokens.data() + starts[row],
              static_cast<std::size_t>(starts[row + std::size_t{1}] - starts[row])};
    }
  };
  Rows source_, target_;
};

/// A line as tokens, the end token included.
struct EncodedLine {
  std::vector<TokenId> tokens;
  std::int64_t replaced = 0;  ///< invalid UTF-8 sequences
};
/// Turns a line of a file into tokens; called from many threads at once.
using LineEncoder = std::function<EncodedLine(std::string_view line)>;

/// Which pairs a corpus takes.
struct CorpusSettings {
  int max_length = 256;  ///< tokens of a side, the end token not counted
};
Fields fields_of(CorpusSettings&);

/// Reads and encodes parallel text on `threads` threads, in the order of the files. Pairs with an empty or
/// blank side and overlong ones are left out, which `listener` is told with their number and the first line.
/// Throws InputError if no pair is left.
Corpus read_corpus(const ParallelFiles&, const CorpusSettings&, const LineEncoder& encode_source,
                   const LineEncoder& encode_target, int threads, Listener& listener);

}  // namespace gloss
