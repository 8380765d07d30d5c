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
#include "pipeline/corpus.h"
#include "pipeline/parallel_text.h"

namespace gloss {

/// A line as tokens, the end token included.
struct EncodedLine {
  std::vector<TokenId> tokens;
  std::int64_t replaced = 0;    ///< invalid UTF-8 sequences
  std::int64_t characters = 0;  ///< code points that the tokens say, and one for the end; 0: not counted
};
/// Turns a line of a file into tokens, with subword dropout drawn from `dropout` unless that is null; called
/// from many threads at once.
using LineEncoder = std::function<EncodedLine(std::string_view line, Random* dropout)>;

/// How often something happened, and where first.
struct Occurrences {
  std::int64_t count = 0, first_line = 0;
  void add(std::int64_t number, std::int64_t line);
  void add(const Occurrences& later);
};

/// What was found while lines were encoded.
struct Findings {
  std::int64_t lines = 0, pairs = 0, source_tokens = 0, target_tokens = 0;
  std::int64_t target_characters = 0;       ///< of plain text, an end counted for each line
  Occurrences blank, overlong, weightless;  ///< pairs that were left out
  Occurrences invalid;                      ///< invalid UTF-8 sequences
  void add(const Findings& later);
};
Fields fields_of(Findings&);
/// Of these fields, those that older checkpoints do not have.
std::vector<std::string> optional_findings();

/// Rows, and what was found while they were encoded.
struct EncodedPairs {
  Corpus pairs;
  Findings found;
};

/// Makes the examples of a window, or of a whole text, out of its encoded blocks.
class Assembler {
 public:
  virtual ~Assembler() = default;
  /// Takes the next block. `follows`: it stands right behind the one before in the same text. `random`: for
  /// what is left to chance, a function of block and epoch; null: nothing is, as when validating.
  virtual void add(const Corpus& block, bool follows, const Random* random) = 0;
  /// The examples, once no block comes any more.
  virtual Corpus finish() = 0;
};

/// One whose examples are the rows that were encoded, one behind the other.
std::unique_ptr<Assembler> pairs_assembler();

/// How text becomes examples: first each line alone, on many threads, then blocks of lines in order.
class ExampleEncoder {
 public:
  virtual ~ExampleEncoder() = default;
  /// Adds to `to` what becomes of a line, or of a pair of lines.
  virtual void encode(const PairView&, std::int64_t line, Random* dropout, EncodedPairs& to) const = 0;
  virtual std::unique_ptr<Assembler> assembler() const = 0;
  /// True if examples have random parts, drawn anew in each epoch.
  virtual bool varies() const = 0;
  /// True if lines belong to those beside them, so that a text's weight says how often an epoch sees whole
  /// blocks, not lines.
  virtual bool keeps_lines_together() const = 0;
  /// Tells `listener` how much a text has and what was left out, with the first line. Throws InputError if
  /// nothing is left.
  virtual void report(const Findings&, const std::string& text, Listener&) const = 0;
};

/// Calls `encode` for 0 to `count` - 1 on `threads` threads and `take` with the results and their numbers in
/// that order, until a stop is requested.
void encode_in_order(std::int64_t count, int threads, const std::function<EncodedPairs(std::int64_t)>& encode,
                     const std::function<void(const EncodedPairs&, std::int64_t)>& take,
                     std::stop_token stop = {});

/// Encodes all lines of a text, without what is left to chance, and keeps what was found of them alone.
Findings survey(const IndexedPairs&, const ExampleEncoder&, int threads, Listener&);

/// A text as examples.
struct EncodedText {
  Corpus examples;
  Findings found;
};
/// Encodes all lines of a text, without what is left to chance, and reports what was found.
EncodedText read_text(const IndexedPairs&, const ExampleEncoder&, int threads, Listener&);

// What reports have in common.

/// "1 pair", "2 pairs".
std::string count_text(std::int64_t count, const std::string& what);
/// Warns of what was left out, if anything was.
void report_skipped(const Occurrences&, const std::string& text, const std::string& kind,
                    const std::string& why, Listener&);
/// Warns of invalid UTF-8, if there was any.
void report_invalid(const Findings&, const std::string& text, Listener&);

}  // namespace gloss
