// SPDX-License-Identifier: Apache-2.0

#include "cli/commands/statistical_alignment.h"

#include <algorithm>

#include "base/counted.h"
#include "base/error.h"
#include "base/index.h"
#include "base/lines.h"
#include "base/output.h"
#include "base/rounding.h"
#include "base/text.h"
#include "base/threads.h"
#include "pipeline/alignment/statistical_aligner.h"
#include "pipeline/alignment/word_numbering.h"
#include "pipeline/reading/pair_reader.h"
#include "pipeline/runs/stream_report.h"
#include "tokenizer/characters.h"
#include "tokenizer/text.h"

namespace gloss {
namespace {

/// Pairs of text that may be tokenised: the notes of other commands that it is are left out.
class WordPairs : public PairReader {
 public:
  using PairReader::PairReader;
  std::vector<std::string> notes() const override { return {}; }
};

/// The words of a text as numbers.
struct NumberedText {
  TokenPairs pairs;
  WordNumbering source, target;
};

/// Reads the pairs; those without words on both sides and those that are too long get no words.
class TextNumbering {
 public:
  TextNumbering(const StatisticalAlignment& settings, NumberedText& text)
      : settings_(settings), text_(text) {}

  void read(InputStream<SentencePair>& input, StreamReport& report) {
    SentencePair pair;
    while (input.next(pair)) add(pair, report);
  }

 private:
  void add(const SentencePair& pair, StreamReport& report) {
    LineReport line;
    std::vector<TokenId> source = text_.source.numbers(cleaned(pair.source, line)),
                         target = text_.target.numbers(cleaned(pair.target, line));
    const auto [shorter, longer] = std::minmax({source.size(), target.size()});
    line.empty = shorter == 0;
    line.read_tokens = static_cast<int>(source.size() + target.size());
    report.add(line);
    const bool too_long = longer > index(settings_.max_words);
    if (too_long) {
      report.count(concat("a side has more than ", settings_.max_words,
                          " words, and the pair gets no links (--max-words)"));
    }
    if (too_long || line.empty) {
      source.clear();
      target.clear();
    }
    text_.pairs.add(source, target);
    constexpr std::int64_t kStep = 1024;
    if (report.items() % kStep == 0) report.advance(kStep);
  }
  std::string cleaned(const std::string& line, LineReport& report) const {
    if (!settings_.lower_case) return line;
    const CleanText clean = clean_text(line, Normalization::none);
    report.replaced += clean.replaced;
    return lower_case(clean.text);
  }

  const StatisticalAlignment& settings_;
  NumberedText& text_;
};

std::string text_of(const std::vector<WordLink>& links) {
  std::string text;
  for (const WordLink& link : links) {
    text += concat(text.empty() ? "" : " ", link.source, "-", link.target);
  }
  return text;
}

void write_links(StatisticalAligner& aligner, std::int64_t pairs, Symmetrisation symmetrisation, int threads,
                 Output& output) {
  constexpr std::int64_t kWindow = 8192, kAtOnce = 64;
  std::vector<std::string> lines;
  for (std::int64_t first = 0; first < pairs; first += kWindow) {
    lines.assign(index(std::min(kWindow, pairs - first)), "");
    for_each_item(threads, ceil_div(std::ssize(lines), kAtOnce), [&](std::int64_t part) {
      const std::int64_t last = std::min((part + 1) * kAtOnce, std::ssize(lines));
      for (std::int64_t i = part * kAtOnce; i < last; ++i) {
        lines[index(i)] = text_of(aligner.links(first + i, symmetrisation));
      }
    });
    for (const std::string& line : lines) output.line(line);
  }
}

/// Says that files have no pair to learn from.
std::string without_pairs(const ParallelFiles& files, std::int64_t pairs) {
  const bool two = files.tsv.empty() && files.source != files.target;
  const std::string first = input_name(files.tsv.empty() ? files.source : files.tsv);
  const std::string names = two ? concat(first, " and ", input_name(files.target)) : first;
  if (pairs == 0) return names + (two ? " are empty" : " is empty");
  return names + (two ? " have no pair with words on both sides" : " has no pair with words on both sides");
}

}  // namespace

Fields fields_of(StatisticalAlignment& settings) {
  return {{"symmetrize", symmetrisation_choice(settings.symmetrisation),
           "how the links of both directions are combined"},
          {"iterations", &settings.iterations, "number of iterations of each statistical model", {1, 100}},
          {"lower_case", &settings.lower_case, "ignore the case of letters"},
          {"max_words",
           &settings.max_words,
           "write no links for pairs with more than N words on a side",
           {1, 10'000}}};
}

void align_statistically(const ParallelFiles& files, const StatisticalAlignment& settings,
                         const std::string& output_file, int threads, Terminal& terminal) {
  WordPairs reader(files);
  Output output(output_file);  // opened before the long work: it may be that it cannot be written
  StreamReport report(reader, terminal);
  NumberedText text;
  TextNumbering(settings, text).read(reader, report);
  report.finish();
  if (text.pairs.source.tokens().empty()) {
    throw InputError(concat(without_pairs(files, report.items()), "; expected lines and their translations"));
  }
  StatisticalAligner aligner(text.pairs, {text.source.size(), text.target.size(), settings.iterations},
                             threads, terminal);
  write_links(aligner, text.pairs.size(), settings.symmetrisation, threads, output);
  output.close();
  const double seconds = report.seconds();
  terminal.note(
      concat("aligned ", counted(report.items(), "pair"), " in ", fixed_text(seconds, 1), " s (",
             static_cast<std::int64_t>(static_cast<double>(report.items()) / std::max(seconds, 1e-3)),
             " pairs/s)", report.summary()));
}

}  // namespace gloss
