// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/fields.h"
#include "base/listener.h"
#include "base/random.h"
#include "pipeline/examples/corpus.h"
#include "pipeline/examples/line_lengths.h"
#include "pipeline/reading/parallel_text.h"

namespace gloss {

/// A line as tokens, including the end token.
struct EncodedLine {
  std::vector<TokenId> tokens;
  std::int64_t replaced = 0;     ///< invalid UTF-8 sequences
  std::int64_t unknown = 0;      ///< tokens of what the vocabulary lacks
  std::int64_t characters = 0;   ///< code points of the decoded tokens plus one for the end; 0: not counted
  std::int64_t text_tokens = 0;  ///< of the text alone, without the end token and those of languages
  /// For each token the number of its word (words_of_tokens), -1 for tokens around the text; empty: not
  /// wanted.
  std::vector<int> words{};
};
/// Turns a line into tokens, with subword dropout drawn from `dropout` unless it is null. Thread-safe.
using LineEncoder = std::function<EncodedLine(std::string_view line, Random* dropout)>;

/// The number of occurrences of a finding and the line of the first one.
struct Occurrences {
  std::int64_t count = 0, first_line = 0;
  void add(std::int64_t number, std::int64_t line);
  void add(const Occurrences& later);
};

/// Statistics collected while encoding lines.
struct Findings {
  std::int64_t lines = 0, pairs = 0, source_tokens = 0, target_tokens = 0;
  std::int64_t longer_tokens = 0;               ///< of the longer side of each row (pair_cost)
  std::int64_t target_characters = 0;           ///< of plain text, plus one per line for its end
  Occurrences blank, overlong, weightless;      ///< skipped pairs
  Occurrences long_lines;                       ///< skipped unread: PairView::too_long
  Occurrences invalid;                          ///< invalid UTF-8 sequences
  Occurrences unknown;                          ///< tokens of what the vocabularies lack
  Occurrences broken;                           ///< skipped items that could not be read
  Occurrences crowded;                          ///< skipped texts without room in their items (CTC)
  Occurrences unknown_labels;                   ///< answers that the training text lacks
  LengthCounts source_lengths, target_lengths;  ///< of the pairs used; not among the fields
  LengthCounts expansions;  ///< of the pairs used (tenths_of_source); not among the fields
  void add(const Findings& later);
  /// Adds the invalid sequences and unknown tokens of a line.
  void add_faults(const EncodedLine&, std::int64_t line);
};
Fields fields_of(Findings&);

/// Encoded rows and their statistics.
struct EncodedPairs {
  Corpus pairs;
  Findings found;
};

/// Builds the examples of a window, or of a whole text, from its encoded blocks.
class Assembler {
 public:
  virtual ~Assembler() = default;
  /// Adds the next block. `follows`: it directly follows the previous block in the same text. `random`: the
  /// random numbers of this block and epoch; null: no randomness, as in validation.
  virtual void add(const Corpus& block, bool follows, const Random* random) = 0;
  /// The examples; called after the last block.
  virtual Corpus finish() = 0;
};

/// An assembler whose examples are the encoded rows, in order.
std::unique_ptr<Assembler> pairs_assembler();

/// Turns text into examples: first each line on its own, on many threads, then blocks of lines in order.
class ExampleEncoder {
 public:
  virtual ~ExampleEncoder() = default;
  /// Encodes a line or a pair of lines and adds the result to `to`.
  virtual void encode(const PairView&, std::int64_t line, Random* dropout, EncodedPairs& to) const = 0;
  virtual std::unique_ptr<Assembler> assembler() const = 0;
  /// True if examples have random parts, drawn anew in each epoch.
  virtual bool varies() const = 0;
  /// True if examples depend on adjacent lines, so that the weight of a text applies to whole blocks, not to
  /// single lines.
  virtual bool keeps_lines_together() const = 0;
  /// Reports the size of a text and the number of skipped lines, with the first one. Throws InputError if no
  /// example is left.
  virtual void report(const Findings&, const std::string& text, Listener&) const = 0;
};

/// Calls `encode` for 0 to `count` - 1 on `threads` threads and `take` with the results and their numbers in
/// order, until a stop is requested.
void encode_in_order(std::int64_t count, int threads, const std::function<EncodedPairs(std::int64_t)>& encode,
                     const std::function<void(const EncodedPairs&, std::int64_t)>& take,
                     std::stop_token stop = {});

/// Encodes all lines of a text, without randomness, and returns the statistics only.
Findings survey(const IndexedPairs&, const ExampleEncoder&, int threads, Listener&);

/// A text as examples.
struct EncodedText {
  Corpus examples;
  Findings found;
};
/// Encodes all lines of a text, without randomness, and reports the statistics.
EncodedText read_text(const IndexedPairs&, const ExampleEncoder&, int threads, Listener&);

// Helpers for reports.

/// Warns of skipped lines, if there are any.
void report_skipped(const Occurrences&, const std::string& text, const std::string& kind,
                    const std::string& why, Listener&);
/// Warns of pairs or lines (`kind`) that were not read because they are too long, if there are any.
void report_long_lines(const Findings&, const std::string& text, const std::string& kind, Listener&);
/// Warns of invalid UTF-8 and of tokens that the vocabularies lack, if there are any.
void report_faults(const Findings&, const std::string& text, Listener&);

}  // namespace gloss
