#include "pipeline/pair_encoding.h"

#include <algorithm>

#include "base/error.h"
#include "base/threads.h"

namespace gloss {
namespace {

constexpr int kBlocksWaiting = 16;

std::string pairs_text(std::int64_t count) { return concat(count, count == 1 ? " pair" : " pairs"); }

Findings survey(const IndexedPairs& text, const PairEncoder& encoder, int threads, Listener& listener,
                const std::function<void(const Corpus&)>& keep) {
  Findings all;
  const auto encode = [&](std::int64_t number) {
    const PairBlock block = text.read(number);
    EncodedPairs encoded;
    std::int64_t line = block.first_line;
    for (const PairView& pair : block.pairs) encoder.encode(pair, line++, nullptr, encoded);
    return encoded;
  };
  encode_in_order(text.blocks(), threads, encode, [&](const EncodedPairs& encoded) {
    all.add(encoded.found);
    keep(encoded.pairs);
    listener.progress({all.lines, text.lines(), "lines", "encoding " + text.text()});
  });
  return all;
}

}  // namespace

Fields fields_of(CorpusSettings& settings) {
  return {
      {"max_length", &settings.max_length, "pairs with more tokens on a side are skipped", {1, 1'000'000}}};
}

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
  blank.add(later.blank);
  overlong.add(later.overlong);
  weightless.add(later.weightless);
  invalid.add(later.invalid);
}

Fields fields_of(Findings& found) {
  constexpr Range kCount{0, 9e15};
  Fields fields{{"lines", &found.lines, "lines of the text", kCount},
                {"pairs", &found.pairs, "pairs taken", kCount},
                {"source_tokens", &found.source_tokens, "their source tokens", kCount},
                {"target_tokens", &found.target_tokens, "their target tokens", kCount}};
  const auto add = [&](const std::string& name, Occurrences& of) {
    fields.push_back({name, &of.count, "how many", kCount});
    fields.push_back({name + "_first_line", &of.first_line, "where first", kCount});
  };
  add("blank", found.blank);
  add("overlong", found.overlong);
  add("weightless", found.weightless);
  add("invalid", found.invalid);
  return fields;
}

PairEncoder::PairEncoder(LineEncoder source, LineEncoder target, const CorpusSettings& settings)
    : source_(std::move(source)), target_(std::move(target)), settings_(settings) {}

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
    to.pairs.add(source.tokens, target.tokens, pair.weight);
    ++found.pairs;
    found.source_tokens += static_cast<std::int64_t>(source.tokens.size());
    found.target_tokens += static_cast<std::int64_t>(target.tokens.size());
  }
}

void encode_in_order(std::int64_t count, int threads, const std::function<EncodedPairs(std::int64_t)>& encode,
                     const std::function<void(const EncodedPairs&)>& take, std::stop_token stop) {
  std::int64_t next = 0;
  const std::function<bool(std::int64_t&)> source = [&](std::int64_t& number) {
    number = next++;
    return number < count && !stop.stop_requested();
  };
  const std::function<EncodedPairs(std::int64_t&, int)> work = [&](std::int64_t& number, int) {
    return encode(number);
  };
  const std::function<void(EncodedPairs&)> sink = [&](EncodedPairs& encoded) { take(encoded); };
  ordered_parallel<std::int64_t, EncodedPairs>(threads, kBlocksWaiting, source, work, sink);
}

Findings survey(const IndexedPairs& text, const PairEncoder& encoder, int threads, Listener& listener) {
  return survey(text, encoder, threads, listener, [](const Corpus&) {});
}

Corpus read_corpus(const IndexedPairs& text, const PairEncoder& encoder, int threads, Listener& listener) {
  Corpus corpus;
  const Findings found =
      survey(text, encoder, threads, listener, [&](const Corpus& pairs) { corpus.append(pairs); });
  report(found, text.text(), encoder.settings(), listener);
  return corpus;
}

void report(const Findings& found, const std::string& text, const CorpusSettings& settings,
            Listener& listener) {
  const auto skipped = [&](const Occurrences& pairs, const std::string& what) {
    if (pairs.count == 0) return;
    listener.warn(concat(text, ": skipped ", pairs_text(pairs.count), " ", what, " (the first in line ",
                         pairs.first_line, ")"));
  };
  skipped(found.blank, "with an empty or blank side");
  skipped(found.overlong,
          concat("with a side of more than ", settings.max_length, " tokens, see --max-length"));
  skipped(found.weightless, "of weight 0");
  if (found.invalid.count > 0) {
    listener.warn(concat(text, ": replaced ", found.invalid.count,
                         " invalid UTF-8 sequences by U+FFFD (the first in line ", found.invalid.first_line,
                         ")"));
  }
  if (found.pairs == 0) {
    throw InputError(concat(text, found.lines == 0 ? ": the text is empty" : ": no usable pair is left of ",
                            found.lines == 0 ? "" : pairs_text(found.lines),
                            "; expected pairs with at least one and at most --max-length ",
                            settings.max_length, " tokens on each side"));
  }
  listener.note(concat(text, ": ", pairs_text(found.pairs), ", ", found.source_tokens, " source tokens, ",
                       found.target_tokens, " target tokens"));
}

}  // namespace gloss
