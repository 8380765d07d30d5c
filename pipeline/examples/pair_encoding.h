// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "pipeline/examples/example_encoding.h"

namespace gloss {

/// Which pairs of a corpus are used.
struct CorpusSettings {
  int max_length = 256;  ///< tokens of a side, without the end token
  bool links = false;    ///< the pairs have links; follows from other settings
};
Fields fields_of(CorpusSettings&);

/// Encodes one side of pairs. A line that becomes too long by subword dropout is encoded without dropout.
class PairSide {
 public:
  PairSide(LineEncoder encoder, int max_length) : encoder_(std::move(encoder)), max_length_(max_length) {}
  /// `side` distinguishes the random numbers of the sides.
  EncodedLine operator()(std::string_view line, Random* dropout, std::uint64_t side) const;
  bool too_long(const EncodedLine&) const;

 private:
  LineEncoder encoder_;
  int max_length_;
};

/// Warns of skipped pairs and of invalid UTF-8. Throws InputError if no pair is left.
void report_skipped_pairs(const Findings&, const std::string& text, const CorpusSettings&, Listener&);

/// Turns pairs of lines into pairs of token rows; skips pairs with an empty or blank side, overlong pairs and
/// pairs of weight 0.
class PairEncoder : public ExampleEncoder {
 public:
  /// `dropout`: whether the encoders draw random numbers.
  PairEncoder(LineEncoder source, LineEncoder target, const CorpusSettings&, bool dropout = false);

  void encode(const PairView&, std::int64_t line, Random* dropout, EncodedPairs& to) const override;
  std::unique_ptr<Assembler> assembler() const override;
  bool varies() const override { return dropout_; }
  bool keeps_lines_together() const override { return false; }
  void report(const Findings&, const std::string& text, Listener&) const override;

 private:
  PairSide source_, target_;
  CorpusSettings settings_;
  bool dropout_;
};

}  // namespace gloss
