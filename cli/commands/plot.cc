// SPDX-License-Identifier: Apache-2.0

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/counted.h"
#include "base/error.h"
#include "base/files.h"
#include "base/output.h"
#include "cli/commands/short_names.h"
#include "cli/options/options.h"
#include "cli/options/output_conflicts.h"
#include "cli/process/terminal.h"
#include "cli/table/commands.h"
#include "pipeline/pages/chart.h"
#include "pipeline/pages/event_file.h"
#include "pipeline/pages/training_table.h"

namespace gloss {
namespace {

enum class Format { automatic, svg, html, text, tensorboard };

/// The command line of `gloss plot`.
struct PlotRequest {
  std::vector<std::string> runs, labels;
  CurveSettings curves;
  std::string output = "-", html;
  Format format = Format::automatic;
};

/// `--html FILE` is `--output FILE --format html`.
void take_page(PlotRequest& request, const Options& options) {
  expect_named_file("html", request.html);
  if (request.html.empty()) return;
  if (options.given(request.output) || options.given(request.format)) {
    throw UsageError("--html excludes --output and --format; for a page and a picture, plot twice");
  }
  request.output = request.html;
  request.format = Format::html;
}

bool prints_on_terminal(const PlotRequest& request) {
  return request.output == "-" && isatty(STDOUT_FILENO) != 0;
}

/// A terminal cannot show a picture, so that it gets a table unless another format was asked for.
Format format_of(const PlotRequest& request) {
  if (request.format != Format::automatic) return request.format;
  if (prints_on_terminal(request)) return Format::text;
  const std::string ending = std::filesystem::path(request.output).extension().string();
  if (request.output == "-" || ending == ".svg") return Format::svg;
  if (ending == ".html" || ending == ".htm") return Format::html;
  if (ending == ".txt") return Format::text;
  throw UsageError(concat("--output ", request.output, ": ",
                          ending.empty() ? "the name has no ending" : concat("gloss writes no ", ending),
                          "; expected a name that ends in .svg, .html or .txt, or --format"));
}

/// Throws UsageError if a picture would fill a terminal with its source.
void expect_no_terminal(const PlotRequest& request, Format format) {
  if (!prints_on_terminal(request) || (format != Format::svg && format != Format::html)) return;
  throw UsageError(concat("standard output is a terminal, which cannot show a picture; name a file such as ",
                          format == Format::svg ? "--output curves.svg" : "--html curves.html",
                          ", or print a table with --format text"));
}

/// Throws UsageError for options of curves if none are drawn.
void expect_curves(PlotRequest& request, const Options& options, Format format) {
  if (format == Format::svg || format == Format::html) return;
  const Given given = options.given();
  const bool asked = options.given(request.format);
  for (const Field& field : fields_of(request.curves)) {
    if (!given(address_of(field))) continue;
    const char* const reason = format == Format::tensorboard ? "TensorBoard draws the curves; leave it out"
                               : asked
                                   ? "the format text is a table without curves; leave it out"
                                   : "this prints a table without curves; name a picture such as --output "
                                     "curves.svg, or leave it out";
    throw UsageError(concat("--", option_name(field.name), " has no effect: ", reason));
  }
}

/// A name for each run, all different.
std::vector<std::string> labels_of(const PlotRequest& request) {
  if (request.runs.empty()) {
    throw UsageError("no training given: gloss plot RUN...");
  }
  std::vector<std::string> paths;
  for (const std::string& run : request.runs) {
    const std::filesystem::path path = std::filesystem::path(run).lexically_normal();
    paths.push_back((path.has_filename() ? path : path.parent_path()).string());
  }
  std::set<std::string> seen;
  for (const std::string& path : paths) {
    if (!seen.insert(path).second) throw UsageError(concat(path, " is given twice"));
  }
  if (request.labels.empty()) return short_names(paths);
  if (request.labels.size() != request.runs.size()) {
    throw UsageError(concat("--labels has ", counted(std::ssize(request.labels), "name"), " for ",
                            counted(std::ssize(request.runs), "run"), "; expected one for each run"));
  }
  if (std::set(request.labels.begin(), request.labels.end()).size() != request.labels.size()) {
    throw UsageError("two --labels are the same; expected different ones");
  }
  return request.labels;
}

void note_written(const std::string& output, const std::string& what, const std::vector<LoggedTraining>& runs,
                  Listener& listener) {
  if (output != "-")
    listener.note(concat("wrote ", output, ": ", what, " of ", counted(std::ssize(runs), "run")));
}

/// One folder for each run, as TensorBoard wants it.
void write_event_files(const std::vector<LoggedTraining>& runs, const std::string& output,
                       Listener& listener) {
  if (output == "-") throw UsageError("--format tensorboard writes a directory; name it with --output DIR");
  std::set<std::string> folders;
  for (const LoggedTraining& run : runs) {
    if (!folders.insert(event_folder(run.label)).second) {
      throw UsageError(concat("two runs would be written to ", event_folder(run.label), "; give --labels"));
    }
  }
  for (const LoggedTraining& run : runs) {
    const std::string folder = (std::filesystem::path(output) / event_folder(run.label)).string();
    make_writable_directory(folder);
    write_file(folder + "/events.out.tfevents.0.gloss", event_file(run));
  }
  note_written(output, "event files", runs, listener);
}

void write_drawing(const std::vector<LoggedTraining>& runs, const PlotRequest& request, Format format,
                   Listener& listener) {
  if (runs.size() > kMostRuns) {
    throw UsageError(
        concat("there are ", runs.size(), " runs; expected at most ", kMostRuns, " in one picture"));
  }
  const Chart chart = make_chart(runs, request.curves, listener);
  Output out(request.output);
  out.write(format == Format::svg ? curves_svg(chart) : curves_page(chart));
  out.close();
  note_written(request.output, "curves", runs, listener);
}

void add_options(Options& options, PlotRequest& request) {
  options.usage("RUN... [OPTION...]", "draw training curves");
  options.positional("RUN", request.runs);
  options.add("Curves", fields_of(request.curves));
  options.add(
      "Output",
      {{"labels", &request.labels, "names of the runs, in the order of RUN...", {}, 0, "LABEL"},
       {"output",
        &request.output,
        "file to write, or a directory for tensorboard; '-' is standard output",
        {},
        'o',
        "FILE",
        kWritten},
       {"html", &request.html, "write an HTML page to FILE instead", {}, 0, "FILE", kWritten},
       {"format",
        choice(request.format, {"auto", "svg", "html", "text", "tensorboard"}),
        "output format, by default from the file name, or svg, on a terminal text; text is a table of "
        "the runs, tensorboard a directory of event files",
        {},
        'f'}});
  options.epilogue(
      "RUN is a training directory, finished or not, or the log of a training. Give\n"
      "RUN... first: an option with several values, such as --labels, takes all words up\n"
      "to the next option.\n");
  options.common({&request.curves.x, &request.curves.smooth, &request.curves.curves, &request.labels,
                  &request.output, &request.html, &request.format});
  options.example("Compare two trainings on an HTML page", "gloss plot run1 run2 --html curves.html");
  options.example("Draw the BLEU score by time", "gloss plot run1 --x time --curves bleu > bleu.svg");
  options.example("Print a table", "gloss plot run1 run2 --format text");
}

int run_plot(const Options& options, PlotRequest& request) {
  take_page(request, options);
  const Format format = format_of(request);
  expect_no_terminal(request, format);
  expect_curves(request, options, format);
  const std::vector<std::string> labels = labels_of(request);
  Terminal terminal("plot", options.quiet());
  std::vector<LoggedTraining> runs;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    runs.push_back(read_logged_training(request.runs[i], labels[i], terminal));
  }
  if (format == Format::tensorboard) {
    write_event_files(runs, request.output, terminal);
  } else if (format == Format::text) {
    Output out(request.output);
    out.write(summary_text(summarize(runs)));
    out.close();
    note_written(request.output, "table", runs, terminal);
    if (request.format == Format::automatic && request.output == "-") {
      terminal.note("for a picture, name a file: --output curves.svg or --html curves.html");
    }
  } else {
    write_drawing(runs, request, format, terminal);
  }
  return 0;
}

}  // namespace

Work declare_plot(Options& options) { return work_on<PlotRequest>(options, add_options, run_plot); }

}  // namespace gloss
