// SPDX-License-Identifier: Apache-2.0

#include "cli/lines/line_filter.h"

#include "base/counted.h"
#include "base/error.h"
#include "base/threads.h"
#include "cli/options/compute_options.h"
#include "pipeline/reading/text_files.h"
#include "pipeline/runs/answer_stream.h"

namespace gloss {
namespace {

// Large enough that threads seldom wait for each other.
constexpr WindowLimits kFilterWindow{.items = 1024, .bytes = 1 << 16};

FilteredLine filtered(const LineFunction& work, const std::string& line, std::int64_t number) {
  try {
    return work(line, number);
  } catch (const InputError& error) {
    FilteredLine refused;
    refused.problem = error.what();
    return refused;
  }
}

}  // namespace

Fields line_filter_fields(LineFilterSettings& settings, Options& options) {
  settings.threads = available_processors();
  return {
      input_field(settings.input, options, "text file, plain or compressed (gzip, Zstandard, xz, bzip2)"),
      {"output", &settings.output, "file to write; '-' is standard output", {}, 'o', "FILE", kWritten},
      resume_field(settings.resume),
      shard_field(settings.input.shard),
      line_limit_field(settings.input),
      threads_field(settings.threads),
  };
}

void filter_lines(const LineFilterSettings& settings, const Options& options, const LineFunction& work,
                  Run& run, Listener& listener) {
  int threads = settings.threads;
  fit_threads(threads, listener);
  TextFiles input(files_to_read(settings.input, options), settings.input.max_line_bytes,
                  run.join(settings.output, settings.input.shard));
  run.open(options, {settings.output, settings.resume, &input.shard()});
  StreamReport report(input, listener);
  const AnswerSteps<std::string, FilteredLine> steps{
      .answer =
          [&](std::span<const std::string> lines, std::int64_t first, const auto& finished) {
            std::vector<FilteredLine> answers;
            for (const std::string& line : lines) {
              answers.push_back(filtered(work, line, first + std::ssize(answers) + 1));
            }
            finished(static_cast<int>(lines.size()));
            return answers;
          },
      .write = [&](std::int64_t, const FilteredLine& line) { run.output().line(line.text); },
      .limits = kFilterWindow,
      .windows_at_once = threads,
      .numbered = settings.numbered};
  answer_stream(input, steps, run.answers(), report);
  run.close(report);
  if (!run.circumstances().empty()) {
    listener.note(concat(counted(report.items(), "line"), run.circumstances()));
  }
}

}  // namespace gloss
