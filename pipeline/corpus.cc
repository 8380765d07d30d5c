#include "pipeline/corpus.h"

#include <limits>

#include "base/error.h"
#include "base/random.h"
#include "base/threads.h"

namespace gloss {
namespace {

constexpr std::size_t kChunkPairs = 256;
constexpr int kChunksWaiting = 16;

struct Chunk {
  std::int64_t first_line = 0;
  std::vector<SentencePair> pairs;
};

struct EncodedPair {
  EncodedLine source, target;
};

struct EncodedChunk {
  std::int64_t first_line = 0;
  std::vector<EncodedPair> pairs;
};

/// How many pairs or sequences something happened to, and where first.
struct Occurrences {
  std::int64_t count = 0, first_line = 0;
  void add(std::int64_t number, std::int64_t line) {
    if (number == 0) return;
    if (count == 0) first_line = line;
    count += number;
  }
};

struct Findings {
  std::int64_t lines = 0;
  Occurrences empty, overlong, invalid;
};

std::string pairs_text(std::int64_t count) { return concat(count, count == 1 ? " pair" : " pairs"); }

void report(const Findings& found, const std::string& name, const CorpusSettings& settings,
            Listener& listener) {
  if (found.empty.count > 0) {
    listener.warn(concat(name, ": skipped ", pairs_text(found.empty.count),
                         " with an empty or blank side (the first in line ", found.empty.first_line, ")"));
  }
  if (found.overlong.count > 0) {
    listener.warn(concat(name, ": skipped ", pairs_text(found.overlong.count), " with a side of more than ",
                         settings.max_length, " tokens, see --max-length (the first in line ",
                         found.overlong.first_line, ")"));
  }
  if (found.invalid.count > 0) {
    listener.warn(concat(name, ": replaced ", found.invalid.count,
                         " invalid UTF-8 sequences by U+FFFD (the first in line ", found.invalid.first_line,
                         ")"));
  }
}

std::uint64_t hash(std::uint64_t start, std::span<const TokenId> tokens,
                   std::span<const std::uint64_t> starts) {
  std::uint64_t state = mix_bits(start);
  for (const TokenId token : tokens) state = mix_bits(state ^ static_cast<std::uint32_t>(token));
  for (const std::uint64_t at : starts) state = mix_bits(state ^ at);
  return state;
}

}  // namespace

void Corpus::add(std::span<const TokenId> source, std::span<const TokenId> target) {
  const auto append = [](Rows& rows, std::span<const TokenId> row) {
    rows.tokens.insert(rows.tokens.end(), row.begin(), row.end());
    rows.starts.push_back(rows.tokens.size());
  };
  append(source_, source);
  append(target_, target);
}

std::string Corpus::fingerprint() const {
  std::uint64_t state = hash(size(), source_.tokens, source_.starts);
  state = hash(state, target_.tokens, target_.starts);
  std::string digits;
  for (int shift = 60; shift >= 0; shift -= 4) digits += "0123456789abcdef"[(state >> shift) & 15];
  return digits;
}

Fields fields_of(CorpusSettings& settings) {
  return {
      {"max_length", &settings.max_length, "pairs with more tokens on a side are skipped", {1, 1'000'000}}};
}

Corpus read_corpus(const ParallelFiles& files, const CorpusSettings& settings,
                   const LineEncoder& encode_source, const LineEncoder& encode_target, int threads,
                   Listener& listener) {
  PairReader reader(files);
  Corpus corpus;
  Findings found;
  const std::function<bool(Chunk&)> read_chunk = [&](Chunk& chunk) {
    chunk.first_line = reader.line_number() + 1;
    for (SentencePair pair; chunk.pairs.size() < kChunkPairs && reader.next(pair);) {
      chunk.pairs.push_back(std::move(pair));
    }
    return !chunk.pairs.empty();
  };
  const std::function<EncodedChunk(Chunk&, int)> encode = [&](Chunk& chunk, int) {
    EncodedChunk encoded{chunk.first_line, {}};
    for (const SentencePair& pair : chunk.pairs) {
      encoded.pairs.push_back({encode_source(pair.source), encode_target(pair.target)});
    }
    return encoded;
  };
  const auto tokens_of = [](const EncodedLine& line) {
    return static_cast<std::int64_t>(line.tokens.size()) - 1;
  };
  const std::function<void(EncodedChunk&)> take = [&](EncodedChunk& chunk) {
    std::int64_t line = chunk.first_line;
    for (const auto& [source, target] : chunk.pairs) {
      found.invalid.add(source.replaced + target.replaced, line);
      if (tokens_of(source) == 0 || tokens_of(target) == 0) {
        found.empty.add(1, line);
      } else if (tokens_of(source) > settings.max_length || tokens_of(target) > settings.max_length) {
        found.overlong.add(1, line);
      } else {
        corpus.add(source.tokens, target.tokens);
      }
      ++line;
    }
    found.lines += static_cast<std::int64_t>(chunk.pairs.size());
    listener.progress({found.lines, 0, "lines", "encoding " + files.text()});
  };
  ordered_parallel<Chunk, EncodedChunk>(threads, kChunksWaiting, read_chunk, encode, take);

  report(found, files.text(), settings, listener);
  if (corpus.size() == 0) {
    throw InputError(concat(files.text(),
                            found.lines == 0 ? ": the text is empty" : ": no usable pair is left of ",
                            found.lines == 0 ? "" : pairs_text(found.lines),
                            "; expected pairs with at least one and at most --max-length ",
                            settings.max_length, " tokens on each side"));
  }
  if (corpus.size() > std::numeric_limits<PairIndex>::max()) {
    throw InputError(concat(files.text(), ": found ", pairs_text(static_cast<std::int64_t>(corpus.size())),
                            ", expected at most ", std::numeric_limits<PairIndex>::max()));
  }
  listener.note(concat(files.text(), ": ", pairs_text(static_cast<std::int64_t>(corpus.size())), ", ",
                       corpus.source_tokens(), " source tokens, ", corpus.target_tokens(), " target tokens"));
  return corpus;
}

}  // namespace gloss
