// SPDX-License-Identifier: Apache-2.0

#include "pipeline/data/pair_encoding.h"

#include "base/counted.h"
#include "base/error.h"
#include "pipeline/data/word_links.h"

namespace gloss {
Fields fields_of(CorpusSettings& settings) {
  return {
      {"max_length", &settings.max_length, "skip pairs with more than N tokens on a side", {1, 1'000'000}}};
}

PairEncoder::PairEncoder(LineEncoder source, LineEncoder target, const CorpusSettings& settings, bool dropout)
    : source_(std::move(source)), target_(std::move(target)), settings_(settings), dropout_(dropout) {}

bool PairEncoder::too_long(const EncodedLine& line) const {
  return static_cast<std::int64_t>(line.tokens.size()) > std::int64_t{settings_.max_length} + 1;
}

EncodedLine PairEncoder::encode_side(const LineEncoder& encoder, std::string_view line, Random* dropout,
                                     std::uint64_t side) const {
  if (dropout == nullptr) return encoder(line, nullptr);
  Random own = dropout->derive(side);
  EncodedLine encoded = encoder(line, &own);
  return too_long(encoded) ? encoder(line, nullptr) : encoded;
}

void PairEncoder::encode(const PairView& pair, std::int64_t line, Random* dropout, EncodedPairs& to) const {
  if (pair.too_long) {
    ++to.found.lines;
    to.found.long_lines.add(1, line);
    return;
  }
  const EncodedLine source = encode_side(source_, pair.source, dropout, 0),
                    target = encode_side(target_, pair.target, dropout, 1);
  Findings& found = to.found;
  ++found.lines;
  found.invalid.add(source.replaced + target.replaced, line);
  if (source.tokens.size() <= 1 || target.tokens.size() <= 1) {
    found.blank.add(1, line);
  } else if (too_long(source) || too_long(target)) {
    found.overlong.add(1, line);
  } else if (pair.weight == 0) {
    found.weightless.add(1, line);
  } else {
    to.pairs.add(source.tokens, target.tokens, pair.weight,
                 token_links(pair.links, source.words, target.words));
    ++found.pairs;
    found.source_tokens += static_cast<std::int64_t>(source.tokens.size());
    found.target_tokens += static_cast<std::int64_t>(target.tokens.size());
    found.source_lengths.add(source.text_tokens);
    found.target_lengths.add(target.text_tokens);
  }
}

std::unique_ptr<Assembler> PairEncoder::assembler() const { return pairs_assembler(); }

std::vector<PairEncoder::Reason> PairEncoder::reasons(const Findings& found) const {
  return {{found.blank, "with an empty or blank side"},
          {found.overlong,
           concat("with a side of more than ", settings_.max_length, " tokens, see --max-length")},
          {found.long_lines, "with more bytes on a line than --max-line-bytes"},
          {found.weightless, "of weight 0"}};
}

void PairEncoder::report(const Findings& found, const std::string& text, Listener& listener) const {
  std::vector<std::string> all;
  for (const auto& [skipped, reason] : reasons(found)) {
    report_skipped(skipped, text, "pair", reason, listener);
    if (skipped.count > 0) all.push_back(concat(skipped.count, " ", reason));
  }
  report_invalid(found, text, listener);
  if (found.pairs == 0) {
    if (found.lines == 0) throw InputError(text + ": the text is empty; expected pairs of lines");
    throw InputError(concat(text, ": no usable pair among ", counted(found.lines, "pair"), ": ",
                            join(all, ", "), "; expected pairs of 1 to --max-length tokens on each side"));
  }
  listener.note(concat(text, ": ", counted(found.pairs, "pair"), ", ", found.source_tokens,
                       " source tokens, ", found.target_tokens, " target tokens"));
}

}  // namespace gloss
