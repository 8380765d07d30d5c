// SPDX-License-Identifier: Apache-2.0

#include "cli/commands/evaluate_request.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "base/enumeration.h"
#include "base/error.h"
#include "base/letter_case.h"
#include "base/lines.h"
#include "base/shown.h"
#include "cli/options/compute_options.h"

namespace gloss {
namespace {

/// Throws UsageError for options of other tasks.
void check_task(EvaluateRequest& request, const Options& options) {
  const Given given = options.given();
  const auto refuse = [&](const Fields& fields, EvaluationTask task, std::string_view name) {
    if (request.task == task) return;
    for (const Field& field : fields) {
      if (!given(address_of(field))) continue;
      throw UsageError(concat("--", option_name(field.name), " is for --task ", name));
    }
  };
  Fields of_translations = request.metric_options.fields(), of_links = fields_of(request.links);
  append(of_translations,
         {options.option_of(&request.files.reference_columns), options.option_of(&request.force),
          options.option_of(&request.files.strip_byte_order_mark)});
  refuse(of_translations, EvaluationTask::translate, "translate");
  refuse({options.option_of(&request.average)}, EvaluationTask::classify, "classify");
  refuse(of_links, EvaluationTask::align, "align");
}

void check_inputs(const EvaluateRequest& request) {
  const TestSetFiles& files = request.files;
  if (files.references.empty()) {
    throw UsageError(
        "expected one or more files of references before --input (-i) and --metrics (-m), which take all "
        "words up to the next option: gloss evaluate REFERENCE... -i SYSTEM... -m NAME...");
  }
  if (files.references.size() > 1 && request.task != EvaluationTask::translate) {
    throw UsageError(concat("expected one file of references, found ", files.references.size(),
                            "; only translations may have several (systems: --input)"));
  }
  if (files.reference_columns != 1 && files.references.size() > 1) {
    throw UsageError(concat("--num-refs is for references in columns of one file, but there are ",
                            files.references.size(), " files"));
  }
  const auto is_stdin = [](const std::string& path) { return path == "-"; };
  const auto readers = std::count_if(files.references.begin(), files.references.end(), is_stdin) +
                       std::count_if(files.systems.begin(), files.systems.end(), is_stdin) +
                       (files.systems.empty() ? 1 : 0) + (files.documents == "-" ? 1 : 0) +
                       (request.links.pairs == "-" ? 1 : 0);
  if (readers > 1) {
    throw UsageError(concat("standard input is to be read ", readers,
                            " times; give all but one input as files",
                            files.systems.empty() ? " (translations: --input)" : ""));
  }
  if (request.encoding != "utf-8" && request.encoding != "UTF-8" && request.encoding != "utf8") {
    throw UsageError(concat("--encoding is ", shown(request.encoding), "; only utf-8 is read"));
  }
}

/// Reports missing references before standard input is read; announces the lines expected there.
void announce_input(const TestSetFiles& files, const Options& options) {
  if (!files.systems.empty()) return;
  for (const std::string& path : files.references) expect_readable(path);
  options.announce_typed(concat("lines to compare with ", enumeration(files.references)));
}

void check_statistics(const EvaluateRequest& request) {
  if (request.paired_bootstrap && request.paired_randomization) {
    throw UsageError("--paired-bs and --paired-ar exclude each other");
  }
  if (request.sentence_level && request.metrics.size() > 1) {
    throw UsageError("--sentence-level is for one metric");
  }
  if (request.sentence_level && (request.confidence || request.paired())) {
    throw UsageError("--sentence-level goes without statistics (--confidence, --paired-bs, --paired-ar)");
  }
}

/// Notes options of statistics and formats that are not used. sacreBLEU takes them too, so that they are no
/// errors.
void note_unused(const EvaluateRequest& request, const Options& options, Terminal& terminal) {
  const auto note = [&](const auto& member, bool used, const std::string& needed) {
    if (used || !options.given(member)) return;
    const std::string name = option_name(options.option_of(&member).name);
    terminal.note(concat("--", name, " has no effect without ", needed));
  };
  note(request.confidence_samples, request.confidence, "--confidence");
  note(request.bootstrap_samples, request.paired_bootstrap, "--paired-bs");
  note(request.randomization_trials, request.paired_randomization, "--paired-ar");
  const bool sampled = request.confidence || request.paired();
  const std::string statistics = "--confidence, --paired-bs or --paired-ar";
  note(request.seed, sampled, statistics);
  note(request.files.documents, sampled, statistics);
  note(request.output.short_names, request.output.format != ScoreFormat::json, "--format text or latex");
}

std::vector<std::string> metrics_of(EvaluationTask task) {
  if (task == EvaluationTask::classify) return label_metric_names();
  if (task == EvaluationTask::answer) return {"accuracy"};
  if (task == EvaluationTask::align) return link_metric_names();
  return {metric_names().front()};
}

std::string metrics_help() {
  std::vector<std::string> others = metric_names();
  std::erase_if(others, [](const std::string& name) {
    return name == metric_names().front() || std::ranges::count(recognition_metric_names(), name) > 0;
  });
  return concat("metrics to compute: ", metric_names().front(), " (the default), ", join(others, ", "),
                ", or ", enumeration(recognition_metric_names()),
                ", the error rates of recognised words and characters; for labels ",
                join(label_metric_names(), ", "), ", for alignments ", join(link_metric_names(), ", "),
                " (by default all of them)");
}

/// Takes out repetitions of the first system, refuses others.
void check_systems(EvaluateRequest& request, Terminal& terminal) {
  std::vector<std::string>& systems = request.files.systems;
  for (std::size_t i = 1; i < systems.size();) {
    const auto earlier =
        std::find(systems.begin(), systems.begin() + static_cast<std::ptrdiff_t>(i), systems[i]);
    if (earlier == systems.begin() + static_cast<std::ptrdiff_t>(i)) {
      ++i;
    } else if (request.paired() && earlier == systems.begin()) {
      terminal.note(concat("ignoring ", systems[i], ", which is the baseline"));
      systems.erase(systems.begin() + static_cast<std::ptrdiff_t>(i));
    } else {
      throw UsageError(concat(systems[i], " is given as two systems (--input)"));
    }
  }
}

/// The environment overrides the option, as with sacreBLEU; without both, its scores of lines are text.
void choose_format(EvaluateRequest& request, const Options& options) {
  if (request.sentence_level && !options.given(request.output.format)) {
    request.output.format = ScoreFormat::text;
  }
  const char* variable = std::getenv("SACREBLEU_FORMAT");
  if (variable == nullptr) return;
  const Choice format = score_format_choice(request.output.format);
  const auto named = std::ranges::find(format.names, lower_case(variable));
  if (named != format.names.end()) format.set(static_cast<int>(named - format.names.begin()));
}

void add_input(Options& options, EvaluateRequest& request) {
  options.add(
      "Input",
      {task_field(request.task),
       {"input",
        &request.files.systems,
        "file to score, one per system; by default standard input, with several systems separated by tabs",
        {},
        'i',
        "FILE"},
       {"num_refs",
        &request.files.reference_columns,
        "number of references per line of REFERENCE, separated by tabs; a line may have fewer (-nr)",
        {1, 10000}},
       {"documents",
        &request.files.documents,
        "file with the document id of each line; random samples are then of documents",
        {},
        0,
        "FILE"},
       {"encoding", &request.encoding, "encoding of the files; only utf-8 is supported", {}, 'e'},
       {"strip_bom", &request.files.strip_byte_order_mark,
        "remove byte order marks at the start of files; else they are scored, as sacreBLEU does"},
       {"force", &request.force, "do not warn of text that looks tokenised or untokenised"}});
}

void add_metrics(Options& options, EvaluateRequest& request) {
  options.add("Metrics", {{"metrics", &request.metrics, metrics_help(), {}, 'm', "METRIC"},
                          {"sentence_level", &request.sentence_level, "score each line separately (-sl)"}});
  request.metric_options.add_to(options);
  options.add("Labels (--task classify)",
              {{"average", choice(request.average, {"macro", "micro"}),
                "average precision, recall and f1 over labels (macro) or over lines (micro)"}});
  options.add("Links (--task align)", fields_of(request.links));
}

void add_statistics(Options& options, EvaluateRequest& request) {
  options.add(
      "Statistics",
      {{"confidence", &request.confidence, "95 % confidence interval of one system, by bootstrap (-ci)"},
       {"confidence_n",
        &request.confidence_samples,
        "number of random samples for --confidence (-cin)",
        {2, 1e8}},
       {"paired_bs", &request.paired_bootstrap,
        "compare each system with the first by paired bootstrap (-pbs)"},
       {"paired_bs_n",
        &request.bootstrap_samples,
        "number of random samples for --paired-bs (-pbsn)",
        {1, 1e8}},
       {"paired_ar", &request.paired_randomization,
        "compare each system with the first by approximate randomisation (-par)"},
       {"paired_ar_n", &request.randomization_trials, "number of trials for --paired-ar (-parn)", {1, 1e8}},
       {"seed",
        &request.seed,
        "random seed, or none for a new one each time; SACREBLEU_SEED sets the default",
        {},
        0,
        "N"},
       threads_field(request.threads)});
}

void add_output(Options& options, EvaluateRequest& request) {
  options.add("Output",
              {{"format",
                score_format_choice(request.output.format),
                "output format; for --sentence-level the default is text, and json an object per line; latex "
                "is for several systems; the variable SACREBLEU_FORMAT overrides it",
                {},
                'f'},
               {"width", &request.output.width, "number of decimal places", {0, 50}, 'w'},
               {"score_only", &request.output.score_only, "print only the score", {}, 'b'},
               {"short", &request.output.short_names, "print short signatures (-sh)"},
               {"no_color", &request.no_color, "print without colours (-nc)"}});
}

/// The spellings of sacreBLEU.
void add_aliases(Options& options) {
  const std::pair<const char*, const char*> spellings[] = {
      {"-nr", "--num-refs"},      {"-sl", "--sentence-level"},   {"-ci", "--confidence"},
      {"-cin", "--confidence-n"}, {"-pbs", "--paired-bs"},       {"-pbsn", "--paired-bs-n"},
      {"-par", "--paired-ar"},    {"-parn", "--paired-ar-n"},    {"-sh", "--short"},
      {"-nc", "--no-color"},      {"--paired-jobs", "--threads"}};
  for (const auto& [spelling, option] : spellings) options.alias(spelling, option);
}

}  // namespace

Field task_field(EvaluationTask& task) {
  return {"task", choice(task, {"translate", "classify", "answer", "align", "lm"}),
          "kind of data to score: translations, labels, answers to stories, word alignments, or text for a "
          "language model (its "
          "options: "
          "--task lm --help)"};
}

void add_options(Options& options, EvaluateRequest& request) {
  options.usage("REFERENCE... [-i SYSTEM...] [OPTION...]",
                "score translations (as sacreBLEU does), labels or alignments");
  options.positional("REFERENCE", request.files.references);
  add_input(options, request);
  add_metrics(options, request);
  add_statistics(options, request);
  add_output(options, request);
  add_aliases(options);
  options.common({&request.task, &request.files.systems, &request.metrics, &request.confidence,
                  &request.paired_bootstrap, &request.sentence_level, &request.output.width,
                  &request.output.score_only});
  options.example("Compute the BLEU score of a translation", "gloss evaluate reference.de -i translation.de");
  options.example("Compute three scores with confidence intervals",
                  "gloss evaluate reference.de -i translation.de -m bleu chrf ter --confidence");
  options.example("Test two systems against a baseline",
                  "gloss evaluate reference.de -i baseline.de one.de two.de --paired-bs");
  options.epilogue(
      "Every option of sacreBLEU that concerns scores has the same name, and every score\n"
      "the same digits.\n"
      "  --task classify  each line starts with a label, which ends at a tab. A single\n"
      "                   system also gets the scores of each label and the confusion\n"
      "                   matrix.\n"
      "  --task answer    REFERENCE has stories with questions and right answers, in one\n"
      "                   of the formats of 'gloss answer'; each line to score starts\n"
      "                   with an answer.\n"
      "  --task align     each line has links such as 0-0 1-2; in REFERENCE, 3p4 is a\n"
      "                   link that is only possible. aer is the alignment error rate.\n"
      "  --task lm        computes the perplexity of a language model (-m DIR) on text.\n");
}

void complete(EvaluateRequest& request, const Options& options, Terminal& terminal) {
  if (request.metrics.empty()) request.metrics = metrics_of(request.task);
  check_task(request, options);
  check_inputs(request);
  check_statistics(request);
  choose_format(request, options);
  note_unused(request, options, terminal);
  check_systems(request, terminal);
  request.output.color =
      !request.no_color && std::getenv("NO_COLOR") == nullptr && isatty(STDOUT_FILENO) != 0;
  announce_input(request.files, options);
}

void check_system_count(const EvaluateRequest& request, std::size_t systems, Terminal& terminal) {
  if (request.sentence_level && systems > 1) throw UsageError("--sentence-level is for one system");
  if (request.paired() && systems == 1) {
    throw UsageError("a paired test needs several systems: --input BASELINE SYSTEM...");
  }
  if (request.confidence && systems > 1) {
    throw UsageError("--confidence is for one system; --paired-bs gives the intervals of several");
  }
  if (request.output.format == ScoreFormat::latex && systems == 1) {
    terminal.note("--format latex has no effect: it is for tables of several systems; printing text");
  }
}

EvaluationSettings evaluation_settings(const EvaluateRequest& request, const Options& options) {
  EvaluationSettings settings;
  settings.seed = seed_from(options, request.seed);
  settings.threads = request.threads;
  if (request.confidence) {
    settings.statistics = Statistics::confidence;
    settings.samples = request.confidence_samples;
  } else if (request.paired_bootstrap) {
    settings.statistics = Statistics::paired_bootstrap;
    settings.samples = request.bootstrap_samples;
  } else if (request.paired_randomization) {
    settings.statistics = Statistics::paired_randomization;
    settings.samples = request.randomization_trials;
  }
  return settings;
}

}  // namespace gloss
