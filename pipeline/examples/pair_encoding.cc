// SPDX-License-Identifier: Apache-2.0

#include "pipeline/examples/pair_encoding.h"

#include "base/counted.h"
#include "base/error.h"
#include "pipeline/examples/token_links.h"

namespace gloss {
Fields fields_of(CorpusSettings& settings) {
  return {
      {"max_length", &settings.max_length, "skip pairs with more than N tokens on a side", {1, 1'000'000}}};
}

bool PairSide::too_long(const EncodedLine& line) const {
  return static_cast<std::int64_t>(line.tokens.size()) > std::int64_t{max_length_} + 1;
}

EncodedLine PairSide::operator()(std::string_view line, Random* dropout, std::uint64_t side) const {
  if (dropout == nullptr) return encoder_(line, nullptr);
  Random own = dropout->derive(side);
  EncodedLine encoded = encoder_(line, &own);
  return too_long(encoded) ? encoder_(line, nullptr) : encoded;
}

void report_skipped_pairs(const Findings& found, const std::string& text, const CorpusSettings& settings,
                          Listener& listener) {
  struct Reason {
    const Occurrences& skipped;
    std::string text;
  };
  const Reason reasons[] = {
      {found.blank, "with an empty or blank side"},
      {found.overlong, concat("with a side of more than ", settings.max_length, " tokens, see --max-length")},
      {found.long_lines, "with more bytes on a line than --max-line-bytes"},
      {found.weightless, "of weight 0"},
      {found.broken, "whose source cannot be read"},
      {found.crowded,
       "whose source has fewer vectors than the target has tokens, with one between equal ones "
       "(--ctc-weight)"}};
  std::vector<std::string> all;
  for (const auto& [skipped, reason] : reasons) {
    report_skipped(skipped, text, "pair", reason, listener);
    if (skipped.count > 0) all.push_back(concat(skipped.count, " ", reason));
  }
  report_faults(found, text, listener);
  if (found.pairs > 0) return;
  if (found.lines == 0) throw InputError(text + ": the text is empty; expected pairs of lines");
  throw InputError(concat(text, ": no usable pair among ", counted(found.lines, "pair"), ": ",
                          join(all, ", "), "; expected pairs of 1 to --max-length tokens on each side"));
}

PairEncoder::PairEncoder(LineEncoder source, LineEncoder target, const CorpusSettings& settings, bool dropout)
    : source_(std::move(source), settings.max_length),
      target_(std::move(target), settings.max_length),
      settings_(settings),
      dropout_(dropout) {}

void PairEncoder::encode(const PairView& pair, std::int64_t line, Random* dropout, EncodedPairs& to) const {
  if (pair.too_long) {
    ++to.found.lines;
    to.found.long_lines.add(1, line);
    return;
  }
  const EncodedLine source = source_(pair.source, dropout, 0), target = target_(pair.target, dropout, 1);
  Findings& found = to.found;
  ++found.lines;
  found.add_faults(source, line);
  found.add_faults(target, line);
  if (source.tokens.size() <= 1 || target.tokens.size() <= 1) {
    found.blank.add(1, line);
  } else if (source_.too_long(source) || target_.too_long(target)) {
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
    found.expansions.add(tenths_of_source(source.text_tokens, target.text_tokens));
  }
}

std::unique_ptr<Assembler> PairEncoder::assembler() const { return pairs_assembler(); }

void PairEncoder::report(const Findings& found, const std::string& text, Listener& listener) const {
  report_skipped_pairs(found, text, settings_, listener);
  listener.note(concat(text, ": ", counted(found.pairs, "pair"), ", ", found.source_tokens,
                       " source tokens, ", found.target_tokens, " target tokens"));
}

}  // namespace gloss
