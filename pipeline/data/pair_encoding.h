// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "pipeline/data/example_encoding.h"

namespace gloss {

/// Which pairs of a corpus are used.
struct CorpusSettings {
  int max_length = 256;  ///< tokens of a side, without the end token
  bool links = false;    ///< the pairs have links; follows from other settings
};
Fields fields_of(CorpusSettings&);

/// Turns pairs of lines into pairs of token rows; skips pairs with an empty or blank side, overlong pairs and
/// pairs of weight 0. A line that becomes too long by subword dropout is encoded without dropout.
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
  EncodedLine encode_side(const LineEncoder&, std::string_view line, Random* dropout,
                          std::uint64_t side) const;
  bool too_long(const EncodedLine&) const;
  struct Reason {
    const Occurrences& skipped;
    std::string text;
  };
  /// Why pairs were skipped, for messages.
  std::vector<Reason> reasons(const Findings&) const;

  LineEncoder source_, target_;
  CorpusSettings settings_;
  bool dropout_;
};

}  // namespace gloss
