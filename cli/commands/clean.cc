// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "base/counted.h"
#include "base/error.h"
#include "base/files.h"
#include "base/index.h"
#include "base/json.h"
#include "base/text.h"
#include "cli/commands/clean_counts.h"
#include "cli/commands/clean_sample.h"
#include "cli/lines/run.h"
#include "cli/options/compute_options.h"
#include "cli/options/input_files.h"
#include "cli/options/options.h"
#include "cli/process/terminal.h"
#include "cli/table/commands.h"
#include "pipeline/cleaning/cleaner.h"
#include "pipeline/pages/sample_page.h"
#include "pipeline/records/record_reader.h"
#include "pipeline/runs/answer_stream.h"

namespace gloss {
namespace {

struct CleanRequest {
  RecordFiles files;
  std::string preset = "default", settings, write_settings;
  std::string output = "-", output_target, rejected, scores, html, shard;
  std::int64_t sample = 20;
  bool resume = false;
  int threads = available_processors();
};

/// The output for a pair.
struct CleanedRecord : LineReport {
  Verdict verdict{};
  std::string row{}, target{};  ///< of a pair that is kept
  std::string rejected{}, scores{};
  PairRecord record{};  ///< of a rejected pair, for the page
};

Fields fields_of(CleanRequest& request) {
  std::vector<std::string> names;
  for (const CleaningPreset& preset : cleaning_presets()) names.emplace_back(preset.name);
  return {
      {"preset", &request.preset, concat("rules and repairs: ", join(names, ", ")), {}, 0, "NAME"},
      {"settings", &request.settings, "JSON file with rules and repairs, instead of a preset", {}, 0, "FILE"},
      {"write_settings",
       &request.write_settings,
       "write the settings of the preset to FILE, and clean nothing",
       {},
       0,
       "FILE",
       kWritten}};
}

/// Names with commas between, in lines of 80 characters.
template <class Rows, class Name>
std::string wrapped(std::string text, const Rows& rows, const Name& name_of) {
  constexpr std::size_t kWidth = 78;
  std::size_t used = text.size();
  for (const auto& row : rows) {
    const std::string word = concat(name_of(row), ",");
    const bool fits = used + 1 + word.size() <= kWidth;
    text += concat(fits ? " " : "\n  ", word);
    used = (fits ? used + 1 : 2) + word.size();
  }
  text.back() = '.';
  return text;
}

void add_options(Options& options, CleanRequest& request) {
  options.usage("(--tsv FILE | --source FILE --target FILE) [OPTION...]",
                "clean a corpus: repair pairs, and reject bad ones by rules");
  Fields input = fields_of(request.files);
  options.add("Corpus", input);
  options.add("Rules", fields_of(request));
  options.add(
      "Output",
      {{"output",
        &request.output,
        "file for the pairs that are kept; '-' is standard output",
        {},
        'o',
        "FILE",
        kWritten},
       {"output_target",
        &request.output_target,
        "file for their targets; --output then has their sources, instead of columns",
        {},
        0,
        "FILE",
        kWritten},
       {"rejected",
        &request.rejected,
        "file for the other pairs, with line, rule and value",
        {},
        0,
        "FILE",
        kWritten},
       {"scores", &request.scores, "file for the values of all rules for all pairs", {}, 0, "FILE", kWritten},
       {"html",
        &request.html,
        "write a page with samples of what each rule rejected",
        {},
        0,
        "FILE",
        kWritten},
       {"sample", &request.sample, "most pairs of a rule on the page", {1, 10'000}, 0, "N"},
       resume_field(request.resume),
       shard_field(request.shard),
       threads_field(request.threads)});
  options.common({&request.files.tsv, &request.files.source, &request.files.target, &request.files.languages,
                  &request.preset, &request.settings, &request.output, &request.output_target,
                  &request.rejected, &request.threads});
  options.example("Clean a corpus, and look at what was rejected",
                  "gloss clean --tsv in.tsv --languages en fr -o out.tsv --rejected rejected.tsv");
  options.example("Clean two files as Moses does",
                  "gloss clean --source a --target b --preset moses -o c --output-target d");
  options.example("Change the thresholds of a preset",
                  "gloss clean --preset default --write-settings rules.json");
  options.epilogue(
      concat("Each pair is repaired, then checked rule by rule; the first rule that fails\n"
             "rejects it. Output and rejected pairs together are all lines of the input, in\n"
             "order. --rejected has LINE<tab>RULE<tab>SIDE<tab>VALUE and the columns of the\n"
             "pair as it is in the input; SIDE is source, target or '-'. --scores has a line\n"
             "of names and a line for each pair. Without --languages, rules about languages\n"
             "are left out. docs/cleaning.md says what each rule measures.\n",
             wrapped("Repairs:", repairs(), [](const Repair& repair) { return repair.name; }), "\n",
             wrapped("Rules:", rules(), [](const Rule* rule) { return rule->name; })));
}

void check(const CleanRequest& request, const Options& options) {
  if (options.given(request.preset) && !request.settings.empty()) {
    throw UsageError(
        "--preset and --settings exclude one another; change the settings that --write-settings writes");
  }
  if (options.given(request.sample) && request.html.empty()) {
    throw UsageError("--sample has no effect without --html FILE");
  }
  if (!request.write_settings.empty()) return;
  check(request.files);
  if (!request.output_target.empty() && !request.files.plain.empty()) {
    throw UsageError("--output-target is for pairs; --input has one language");
  }
}

/// The row of a rejected pair.
std::string rejected_row(const Cleaner& cleaner, const Verdict& verdict, const PairRecord& record,
                         const RecordColumns& columns) {
  constexpr std::array kSides{"-", "source", "target"};
  return concat(record.line, "\t", cleaner.reason(verdict), "\t", kSides[index(verdict.side + 1)], "\t",
                verdict.value, "\t", columns.row(record));
}

CleanedRecord cleaned(const Cleaner& cleaner, const PairRecord& record, const RecordColumns& columns,
                      const CleanRequest& request) {
  PairRecord repaired = record;
  CleanedRecord answer;
  answer.verdict = cleaner.clean(repaired, columns.one_language, !request.scores.empty());
  if (answer.verdict.check != Verdict::kKept) {
    if (!request.rejected.empty()) answer.rejected = rejected_row(cleaner, answer.verdict, record, columns);
    if (!request.html.empty()) answer.record = record;
  } else if (request.output_target.empty()) {
    answer.row = columns.row(repaired);
  } else {
    answer.row = one_line(repaired.source);
    answer.target = one_line(repaired.target);
  }
  if (request.scores.empty()) return answer;
  answer.scores = std::to_string(record.line);
  for (const double value : answer.verdict.values) answer.scores += concat("\t", value);
  return answer;
}

CleaningPlan plan_of(const CleanRequest& request) {
  return request.settings.empty() ? cleaning_preset_named(request.preset).plan()
                                  : read_plan(request.settings);
}

/// The further outputs that were asked for, and the place of each among them.
struct FurtherOutputs {
  std::vector<FurtherOutput> list{};
  std::size_t target, rejected, scores;  // beyond the list: not asked for

  explicit FurtherOutputs(const CleanRequest& request)
      : target(add("output-target", request.output_target)),
        rejected(add("rejected", request.rejected)),
        scores(add("scores", request.scores)) {}

 private:
  std::size_t add(const std::string& option, const std::string& path) {
    constexpr std::size_t kNone = 1000;
    if (path.empty()) return kNone;
    list.push_back({option, path});
    return list.size() - 1;
  }
};

int clean(const Options& options, CleanRequest& request, Run& run) {
  check(request, options);
  if (!request.write_settings.empty()) {
    write_json(request.write_settings, json_of(plan_of(request)));
    return 0;
  }
  const Shard shard = run.join(request.output, request.shard);
  Terminal terminal("clean", options.quiet(), run.first());
  const Cleaner cleaner(plan_of(request), request.files.languages);
  if (!cleaner.left_out().empty()) {
    terminal.note(concat("without ", join(cleaner.left_out(), ", "),
                         request.files.languages.empty()
                             ? ": --languages names the languages"
                             : ": the languages are not known to the identifier"));
  }
  fit_threads(request.threads, terminal);
  RecordReader reader(request.files, shard);
  const RecordColumns& columns = reader.columns();
  const FurtherOutputs further(request);
  RunOutput output{request.output, request.resume, &reader.shard(), {}, further.list};
  if (!request.html.empty()) output.whole_because = "--html is about all pairs together; leave it out";
  run.open(options, output);
  if (run.answers().done() == 0 && !run.answers().finished() && shard.number == 1) {
    if (!columns.names.empty() && request.output_target.empty()) run.output().line(columns.header());
    if (Output* const scores = run.further(further.scores)) {
      scores->line("line\t" + join(cleaner.value_names(columns.one_language), "\t"));
    }
  }
  StreamReport report(reader, terminal);
  CleanCounts counts(cleaner.plan());
  CleanSample sample(cleaner, request.html.empty() ? 0 : request.sample);
  const AnswerSteps<PairRecord, CleanedRecord> steps{
      .answer =
          [&](std::span<const PairRecord> records, std::int64_t, const auto& finished) {
            std::vector<CleanedRecord> answers;
            for (const PairRecord& record : records)
              answers.push_back(cleaned(cleaner, record, columns, request));
            finished(static_cast<int>(records.size()));
            return answers;
          },
      .write =
          [&](std::int64_t, const CleanedRecord& answer) {
            counts.add(answer.verdict);
            sample.add(answer.verdict, answer.record);
            if (answer.verdict.check == Verdict::kKept) {
              run.output().line(answer.row);
              if (Output* const target = run.further(further.target)) target->line(answer.target);
            } else if (Output* const rejected = run.further(further.rejected)) {
              rejected->line(answer.rejected);
            }
            if (Output* const scores = run.further(further.scores)) scores->line(answer.scores);
          },
      .limits = {.items = 1024, .bytes = 1 << 17},
      .windows_at_once = request.threads,
      .numbered = false};
  answer_stream(reader, steps, run.answers(), report);
  run.close(report, counts.numbers());
  const std::string summary =
      concat(counted(report.items(), singular(reader.unit())), run.circumstances(), ": ", counts.kept(),
             " kept, ", counts.rejected(), " rejected, ", counts.repaired(), " repaired");
  if (!request.html.empty()) {
    write_file(request.html,
               sample_page(sample.samples(), concat("Rejected from ", request.files.text()), summary));
  }
  for (const std::string& line : counts.table()) terminal.note(line);
  terminal.note(summary);
  return 0;
}

}  // namespace

Work declare_clean(Options& options) { return run_of<CleanRequest>(options, add_options, clean); }

}  // namespace gloss
