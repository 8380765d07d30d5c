// SPDX-License-Identifier: Apache-2.0

#include "pipeline/examples/example_encoding.h"

#include "base/counted.h"
#include "base/error.h"
#include "base/threads.h"
#include "pipeline/examples/batching.h"

namespace gloss {
namespace {

constexpr int kBlocksWaiting = 16;

class Pairs : public Assembler {
 public:
  void add(const Corpus& block, bool, const Random*) override { all_.append(block); }
  Corpus finish() override { return std::move(all_); }

 private:
  Corpus all_;
};

Findings survey(const IndexedPairs& text, const ExampleEncoder& encoder, int threads, Listener& listener,
                const std::function<void(const Corpus&, std::int64_t number)>& keep) {
  Findings all;
  const auto encode = [&](std::int64_t number) {
    const PairBlock block = text.read(number);
    EncodedPairs encoded;
    std::int64_t line = block.first_line;
    for (const PairView& pair : block.pairs) {
      if (!pair.left_out) encoder.encode(pair, line, nullptr, encoded);
      ++line;
    }
    const auto rows = static_cast<PairIndex>(encoded.pairs.size());
    for (PairIndex row = 0; row < rows; ++row) encoded.found.longer_tokens += pair_cost(encoded.pairs, row);
    return encoded;
  };
  encode_in_order(text.blocks(), threads, encode, [&](const EncodedPairs& encoded, std::int64_t number) {
    all.add(encoded.found);
    keep(encoded.pairs, number);
    listener.progress({all.lines, text.lines(), "lines", "encoding " + text.text()});
  });
  return all;
}

}  // namespace

std::unique_ptr<Assembler> pairs_assembler() { return std::make_unique<Pairs>(); }

void Occurrences::add(std::int64_t number, std::int64_t line) {
  if (number == 0) return;
  if (count == 0) first_line = line;
  count += number;
}

void Occurrences::add(const Occurrences& later) { add(later.count, later.first_line); }

void Findings::add(const Findings& later) {
  lines += later.lines;
  pairs += later.pairs;
  source_tokens += later.source_tokens;
  target_tokens += later.target_tokens;
  longer_tokens += later.longer_tokens;
  target_characters += later.target_characters;
  blank.add(later.blank);
  overlong.add(later.overlong);
  long_lines.add(later.long_lines);
  weightless.add(later.weightless);
  invalid.add(later.invalid);
  unknown.add(later.unknown);
  broken.add(later.broken);
  crowded.add(later.crowded);
  unknown_labels.add(later.unknown_labels);
  source_lengths.add(later.source_lengths);
  expansions.add(later.expansions);
  target_lengths.add(later.target_lengths);
}

void Findings::add_faults(const EncodedLine& encoded, std::int64_t line) {
  invalid.add(encoded.replaced, line);
  unknown.add(encoded.unknown, line);
}

Fields fields_of(Findings& found) {
  constexpr Range kCount{0, 9e15};
  Fields fields{{"lines", &found.lines, "lines of the text", kCount},
                {"pairs", &found.pairs, "pairs used", kCount},
                {"source_tokens", &found.source_tokens, "source tokens of the pairs used", kCount},
                {"target_tokens", &found.target_tokens, "target tokens of the pairs used", kCount},
                {"longer_tokens", &found.longer_tokens, "tokens of the longer side of each row", kCount},
                {"target_characters", &found.target_characters, "characters of the target tokens", kCount}};
  add_traits(fields, kOptional, found.longer_tokens, found.target_characters);
  const auto add = [&](const std::string& name, Occurrences& of) {
    fields.push_back({name, &of.count, "number of occurrences", kCount});
    fields.push_back({name + "_first_line", &of.first_line, "line of the first occurrence", kCount});
  };
  add("long_lines", found.long_lines);
  add_traits(fields, kOptional, found.long_lines.count, found.long_lines.first_line);
  add("blank", found.blank);
  add("overlong", found.overlong);
  add("weightless", found.weightless);
  add("invalid", found.invalid);
  add("unknown", found.unknown);
  add_traits(fields, kOptional, found.unknown.count, found.unknown.first_line);
  add("broken", found.broken);
  add("crowded", found.crowded);
  add_traits(fields, kOptional, found.broken.count, found.broken.first_line, found.crowded.count,
             found.crowded.first_line);
  add("unknown_labels", found.unknown_labels);
  add_traits(fields, kOptional, found.unknown_labels.count, found.unknown_labels.first_line);
  return fields;
}

void encode_in_order(std::int64_t count, int threads, const std::function<EncodedPairs(std::int64_t)>& encode,
                     const std::function<void(const EncodedPairs&, std::int64_t)>& take,
                     std::stop_token stop) {
  std::int64_t next = 0, taken = 0;
  const std::function<bool(std::int64_t&)> source = [&](std::int64_t& number) {
    number = next++;
    return number < count && !stop.stop_requested();
  };
  const std::function<EncodedPairs(std::int64_t&, int)> work = [&](std::int64_t& number, int) {
    return encode(number);
  };
  const std::function<void(EncodedPairs&)> sink = [&](EncodedPairs& encoded) { take(encoded, taken++); };
  ordered_parallel<std::int64_t, EncodedPairs>(threads, kBlocksWaiting, source, work, sink);
}

Findings survey(const IndexedPairs& text, const ExampleEncoder& encoder, int threads, Listener& listener) {
  return survey(text, encoder, threads, listener, [](const Corpus&, std::int64_t) {});
}

EncodedText read_text(const IndexedPairs& text, const ExampleEncoder& encoder, int threads,
                      Listener& listener) {
  const std::unique_ptr<Assembler> assembler = encoder.assembler();
  const Findings found =
      survey(text, encoder, threads, listener,
             [&](const Corpus& block, std::int64_t number) { assembler->add(block, number > 0, nullptr); });
  encoder.report(found, text.text(), listener);
  return {assembler->finish(), found};
}

void report_skipped(const Occurrences& skipped, const std::string& text, const std::string& kind,
                    const std::string& why, Listener& listener) {
  if (skipped.count == 0) return;
  listener.warn(concat(text, ": skipped ", counted(skipped.count, kind), " ", why, " (the first in line ",
                       skipped.first_line, ")"));
}

void report_long_lines(const Findings& found, const std::string& text, const std::string& kind,
                       Listener& listener) {
  report_skipped(found.long_lines, text, kind, "with more bytes on a line than --max-line-bytes", listener);
}

void report_faults(const Findings& found, const std::string& text, Listener& listener) {
  if (found.invalid.count > 0) {
    listener.warn(concat(text, ": replaced ", found.invalid.count,
                         " invalid UTF-8 sequences by U+FFFD (the first in line ", found.invalid.first_line,
                         ")"));
  }
  if (found.unknown.count > 0) {
    listener.warn(concat(text, ": the vocabulary lacks the characters of ",
                         counted(found.unknown.count, "token"), ", which become <unk> (the first in line ",
                         found.unknown.first_line,
                         "); --add-symbols gives an existing vocabulary further characters"));
  }
}

}  // namespace gloss
