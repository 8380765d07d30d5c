// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "base/error.h"
#include "base/index.h"
#include "base/output.h"
#include "base/threads.h"
#include "cli/lines/record_pass.h"
#include "cli/options/compute_options.h"
#include "cli/options/options.h"
#include "cli/process/terminal.h"
#include "cli/process/with_ranks.h"
#include "cli/table/commands.h"
#include "pipeline/preparation/duplicates.h"
#include "pipeline/preparation/held_out_texts.h"
#include "pipeline/records/two_passes.h"
#include "pipeline/runs/stream_report.h"

namespace gloss {
namespace {

struct DedupeRequest {
  RecordFiles files;
  std::string output = "-", output_target, rejected, keep = "first";
  std::vector<std::string> against;
  std::int64_t mebibytes = 512;
  DuplicateSettings search{.similarity = 0, .threads = available_processors()};
};

/// Why a line is left out.
enum class Reason : std::uint8_t {
  none,
  exact,
  near,
  held_out_exact,
  held_out_near,
  held_out_words,
  broken,
  too_long
};
constexpr auto kReasons = std::to_array<const char*>(
    {"kept", "exact", "near", "held-out exact", "held-out near", "held-out words", "broken", "too long"});

void add_options(Options& options, DedupeRequest& request) {
  options.usage("[OPTION...] [-o FILE]", "remove repeated lines and pairs, and what test sets have");
  options.add("Pairs", fields_of(request.files));
  options.add(
      "Duplicates",
      {{"key", choice(request.search.key, {"pair", "source", "target", "letters"}),
        "what repeated lines have in common: both sides, one of them, or the letters of both"},
       {"near", &request.search.near, "remove lines that are nearly the same as well"},
       {"similarity",
        &request.search.similarity,
        "least share of runs of five letters that near duplicates have in common; 0: 0.5 of pairs, 0.7 of "
        "one side or language",
        {0, 1}},
       {"keep",
        &request.keep,
        "line that stays: first, longest, or best:COLUMN, the highest number",
        {},
        0,
        "RULE"},
       {"against",
        &request.against,
        "files of held-out lines, such as test sets: remove what repeats, nearly repeats or quotes them",
        {},
        0,
        "FILE"}});
  options.add("Output", {{"output",
                          &request.output,
                          "file to write, with rows as of --tsv; '-' is standard output",
                          {},
                          'o',
                          "FILE",
                          kWritten},
                         {"output_target",
                          &request.output_target,
                          "file for the target sides; --output has the source sides then",
                          {},
                          0,
                          "FILE",
                          kWritten},
                         {"rejected",
                          &request.rejected,
                          "file for the removed lines: line, reason, line that it repeats, row",
                          {},
                          0,
                          "FILE",
                          kWritten}});
  options.add("Resources", {{"memory", &request.mebibytes, "MiB for sorting", {1, 1e7}, 0, "N"},
                            threads_field(request.search.threads)});
  options.epilogue(
      "The order of the lines stays, and the result depends on neither threads nor\n"
      "memory. Near duplicates are verified by their similarity; of those whose numbers\n"
      "or addresses contradict one another, none is removed. Temporary files are in\n"
      "TMPDIR.");
  options.common({&request.files.source, &request.files.target, &request.files.tsv, &request.files.plain,
                  &request.search.key, &request.search.near, &request.keep, &request.against, &request.output,
                  &request.rejected});
  options.example("Remove pairs that repeat or nearly repeat others",
                  "gloss dedupe --tsv all.tsv --near -o clean.tsv --rejected removed.tsv");
  options.example("Remove the pairs that a test set has",
                  "gloss dedupe --tsv all.tsv --against test.en test.de -o clean.tsv");
}

/// The preference of records: which of those that repeat one another stays.
class Preference {
 public:
  Preference(const std::string& rule, const RecordColumns& columns) : longest_(rule == "longest") {
    constexpr std::string_view kBest = "best:";
    if (rule == "first" || longest_) return;
    if (!rule.starts_with(kBest)) {
      throw UsageError(concat("--keep: found '", rule, "', expected first, longest or best:COLUMN"));
    }
    name_ = rule.substr(kBest.size());
    column_ = other_column(columns, name_, "--keep");
  }

  /// The number of a record; empty if the column has none.
  std::optional<double> of(const PairRecord& record) const {
    if (longest_) return static_cast<double>(record.source.size() + record.target.size());
    if (!column_) return 0;
    double number = 0;
    if (*column_ >= record.other.size()) return std::nullopt;
    if (!parse_number(trimmed(record.other[*column_]), number) || std::isnan(number)) return std::nullopt;
    return number;
  }
  const std::string& name() const { return name_; }

 private:
  bool longest_;
  std::optional<std::size_t> column_;  // among the other columns of a record
  std::string name_;
};

/// A record as both passes know it.
struct Searched {
  SearchedLine line;
  Reason reason = Reason::none;
  std::uint32_t held_out = 0;  // text that it repeats
};

struct Verdicts {
  std::vector<Reason> reasons;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> held_out;  // line and text, in the order of lines
};

std::optional<HeldOutTexts::Found> leak_of(const HeldOutTexts& held_out, const PairRecord& record) {
  if (held_out.empty()) return std::nullopt;
  if (const auto found = held_out.find(record.source)) return found;
  return held_out.find(record.target);
}

Searched searched(const PairRecord& record, const DuplicateSearch& search, const HeldOutTexts& held_out) {
  Searched result;
  if (!record.broken.empty() || record.cut) {
    result.reason = record.cut ? Reason::too_long : Reason::broken;
  } else if (const auto leak = leak_of(held_out, record)) {
    result.reason = leak->leak == Leak::exact  ? Reason::held_out_exact
                    : leak->leak == Leak::near ? Reason::held_out_near
                                               : Reason::held_out_words;
    result.held_out = leak->text;
  } else {
    result.line = search.prepare(record.source, record.target);
  }
  return result;
}

/// The first pass.
Verdicts search_all(TwoPasses& records, DuplicateSearch& search, const HeldOutTexts& held_out,
                    const DedupeRequest& request, StreamReport& report) {
  const Preference preference(request.keep, records.columns());
  Verdicts verdicts;
  for_each_record<Searched>(
      records, request.search.threads, report,
      [&](const PairRecord& record, std::int64_t number) {
        Searched result = searched(record, search, held_out);
        if (result.reason != Reason::none) return result;
        const std::optional<double> preferred = preference.of(record);
        if (!preferred) {
          throw InputError(concat(records.place(number), ": column '", preference.name(),
                                  "' has no number, which --keep needs"));
        }
        result.line.preference = *preferred;
        return result;
      },
      [&](const Searched& result) {
        if (result.reason == Reason::none) {
          search.add(result.line);
        } else {
          search.pass_over();
        }
        if (result.reason >= Reason::held_out_exact && result.reason <= Reason::held_out_words) {
          verdicts.held_out.emplace_back(static_cast<std::uint32_t>(verdicts.reasons.size()),
                                         result.held_out);
        }
        verdicts.reasons.push_back(result.reason);
      });
  return verdicts;
}

/// Where the records go.
struct DedupeOutputs {
  explicit DedupeOutputs(const DedupeRequest& request) : rows(request.output) {
    if (!request.output_target.empty()) targets.emplace(request.output_target);
    if (!request.rejected.empty()) rejected.emplace(request.rejected);
  }
  void close() {
    for (std::optional<Output>* const output : {&rejected, &targets}) {
      if (*output) (*output)->close();
    }
    rows.close();
  }
  Output rows;
  std::optional<Output> targets, rejected;
};

/// The second pass.
void write_all(TwoPasses& records, const Verdicts& verdicts, const Repetitions& repetitions,
               const HeldOutTexts& held_out, DedupeOutputs& outputs) {
  const RecordColumns& columns = records.columns();
  Output* const targets = outputs.targets ? &*outputs.targets : nullptr;
  if (targets == nullptr && !columns.names.empty()) outputs.rows.line(columns.header());
  auto next_held_out = verdicts.held_out.begin();
  PairRecord record;
  std::size_t line = 0;
  for (; records.next(record) && line < verdicts.reasons.size(); ++line) {
    const Reason reason = verdicts.reasons[line];
    if (reason == Reason::none) {
      write_record(record, columns, outputs.rows, targets);
      continue;
    }
    std::string repeated;
    if (reason == Reason::exact || reason == Reason::near) {
      repeated = std::to_string(records.line_of(repetitions.of[line]));
    } else if (reason <= Reason::held_out_words) {
      repeated = held_out.place((next_held_out++)->second);
    }
    if (!outputs.rejected) continue;
    const std::string row = record.broken.empty() ? columns.row(record) : record.source;
    outputs.rejected->line(concat(records.line_of(static_cast<std::int64_t>(line)), "\t",
                                  kReasons[index(static_cast<int>(reason))], "\t", repeated, "\t", row));
  }
  records.expect_unchanged();
}

int dedupe(const Options& options, DedupeRequest& request, Ranks& ranks) {
  check(request.files);
  if (options.given(request.search.similarity) && !request.search.near) {
    throw UsageError("--similarity is for near duplicates; give --near as well");
  }
  if (!ranks.first()) return 0;  // all of the work is that of the first rank
  Terminal terminal("dedupe", options.quiet());
  fit_threads(request.search.threads, terminal);
  request.search.memory = request.mebibytes << 20;
  const HeldOutTexts held_out(request.against);
  TwoPasses records(request.files);
  if (!request.output_target.empty() && records.columns().one_language) {
    throw UsageError("--output-target: the text has no target side");
  }
  DedupeOutputs outputs(request);
  if (request.search.similarity == 0) {
    const bool pairs =
        request.search.key == DuplicateKey::pair || request.search.key == DuplicateKey::letters;
    request.search.similarity = pairs && !records.columns().one_language ? kNearlySamePairs : kNearlySame;
  }
  DuplicateSearch search(request.search);
  StreamReport report(records, terminal);
  Verdicts verdicts = search_all(records, search, held_out, request, report);
  const Repetitions repetitions = search.repetitions(terminal);
  std::array<std::int64_t, kReasons.size()> counts{};
  for (std::size_t line = 0; line < verdicts.reasons.size(); ++line) {
    Reason& reason = verdicts.reasons[line];
    if (repetitions.of[line] != line) reason = repetitions.near[line] != 0 ? Reason::near : Reason::exact;
    ++counts[index(static_cast<int>(reason))];
  }
  records.rewind();
  write_all(records, verdicts, repetitions, held_out, outputs);
  outputs.close();
  std::string text = concat(verdicts.reasons.size(), " ", records.unit());
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (i == 0 || counts[i] > 0) text += concat(i == 0 ? ": " : ", ", counts[i], " ", kReasons[i]);
  }
  terminal.note(text);
  return 0;
}

int run_dedupe(const Options& options, DedupeRequest& request) {
  return with_ranks([&](Ranks& ranks) { return dedupe(options, request, ranks); });
}

}  // namespace

Work declare_dedupe(Options& options) { return work_on<DedupeRequest>(options, add_options, run_dedupe); }

}  // namespace gloss
