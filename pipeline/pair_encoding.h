#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string_view>
#include <vector>

#include "base/fields.h"
#include "base/listener.h"
#include "base/random.h"
#include "pipeline/corpus.h"
#include "pipeline/parallel_text.h"

namespace gloss {

/// A line as tokens, the end token included.
struct EncodedLine {
  std::vector<TokenId> tokens;
  std::int64_t replaced = 0;  ///< invalid UTF-8 sequences
};
/// Turns a line of a file into tokens, with subword dropout drawn from `dropout` unless that is null; called
/// from many threads at once.
using LineEncoder = std::function<EncodedLine(std::string_view line, Random* dropout)>;

/// Which pairs are taken.
struct CorpusSettings {
  int max_length = 256;  ///< tokens of a side, the end token not counted
};
Fields fields_of(CorpusSettings&);

/// How often something happened, and where first.
struct Occurrences {
  std::int64_t count = 0, first_line = 0;
  void add(std::int64_t number, std::int64_t line);
  void add(const Occurrences& later);
};

/// What was found while pairs were encoded.
struct Findings {
  std::int64_t lines = 0, pairs = 0, source_tokens = 0, target_tokens = 0;
  Occurrences blank, overlong, weightless;  ///< pairs that were left out
  Occurrences invalid;                      ///< invalid UTF-8 sequences
  void add(const Findings& later);
};
Fields fields_of(Findings&);

/// Pairs, and what was found while they were encoded.
struct EncodedPairs {
  Corpus pairs;
  Findings found;
};

/// Turns pairs of lines into pairs of tokens; leaves out those with an empty or blank side, overlong ones and
/// those of weight 0.
class PairEncoder {
 public:
  PairEncoder(LineEncoder source, LineEncoder target, const CorpusSettings&);
  /// Adds a pair to `to`. What dropout makes too long is encoded without.
  void encode(const PairView&, std::int64_t line, Random* dropout, EncodedPairs& to) const;
  const CorpusSettings& settings() const { return settings_; }

 private:
  EncodedLine encode_side(const LineEncoder&, std::string_view line, Random* dropout,
                          std::uint64_t side) const;
  bool too_long(const EncodedLine&) const;

  LineEncoder source_, target_;
  CorpusSettings settings_;
};

/// Calls `encode` for 0 to `count` - 1 on `threads` threads and `take` with the results in that order, until
/// a stop is requested.
void encode_in_order(std::int64_t count, int threads, const std::function<EncodedPairs(std::int64_t)>& encode,
                     const std::function<void(const EncodedPairs&)>& take, std::stop_token stop = {});

/// Encodes all pairs of a text, without dropout, and keeps what was found of them alone.
Findings survey(const IndexedPairs&, const PairEncoder&, int threads, Listener&);
/// Encodes all pairs of a text, without dropout, and reports what was found.
Corpus read_corpus(const IndexedPairs&, const PairEncoder&, int threads, Listener&);
/// Tells `listener` how many pairs a text has and which were left out, with the first line. Throws InputError
/// if no pair is left.
void report(const Findings&, const std::string& text, const CorpusSettings&, Listener&);

}  // namespace gloss
