// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <chrono>
#include <concepts>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/output.h"
#include "base/threads.h"
#include "pipeline/reading/input_stream.h"
#include "pipeline/runs/answer_run.h"
#include "pipeline/runs/stream_report.h"
#include "pipeline/runs/window_pace.h"

namespace gloss {

/// Items of a stream that are processed together.
template <class Item>
struct Window {
  std::int64_t first = 0;  ///< the number of the first item, counted from 0
  std::vector<Item> items;
};

/// Waits for one item, then adds the items that are available within a millisecond: a slow stream is
/// processed item by item, a large file in windows as large as the limits. Empty at the end of the stream.
template <class Item>
std::vector<Item> next_window(InputStream<Item>& input, const WindowLimits& limits = {}) {
  std::vector<Item> items;
  Item item;
  if (!input.next(item)) return items;
  // The time runs from the first item, so that a steady stream does not delay the answer.
  const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(1);
  std::size_t bytes = 0;
  do {
    bytes += byte_count(item);
    items.push_back(std::exchange(item, Item()));
  } while (items.size() < limits.items && bytes < limits.bytes && input.available(until) && input.next(item));
  return items;
}

/// Waits until the stream has an item or its end; false if the run is to stop before. The first item, and a
/// pipe that is not open yet, are waited for without looking at that: signals still end the program then.
template <class Item>
bool wait_for_input(InputStream<Item>& input, const AnswerRun& run) {
  constexpr auto kPatience = std::chrono::milliseconds(100);
  if (!run.begun()) return true;
  while (!run.stopping()) {
    const auto until = std::chrono::steady_clock::now() + kPatience;
    if (input.available(until) || std::chrono::steady_clock::now() < until) return true;
  }
  return false;
}

/// What an item with a problem (LineReport) costs: the rest of the stream, or only its own answer, with a
/// warning.
enum class ProblemCosts { stream, answer };

/// The steps of a command for each window of a stream.
template <class Item, std::derived_from<LineReport> Answer>
struct AnswerSteps {
  /// Returns one answer for each item; `first` is the number of the first item in the whole input, counted
  /// from 0. Calls
  /// `finished` with the number of items done since the last call.
  std::function<std::vector<Answer>(std::span<const Item>, std::int64_t first,
                                    const std::function<void(int)>& finished)>
      answer;
  /// Writes the answer to item `number`, counted from 0; called in order.
  std::function<void(std::int64_t number, Answer&)> write;
  WindowLimits limits{};
  /// Number of windows processed in parallel; 1 if `answer` itself uses all threads.
  int windows_at_once = 1;
  ProblemCosts problem_costs = ProblemCosts::stream;
  /// False if the numbers of items decide nothing: then they need not be known.
  bool numbered = true;
};

/// Answers that an earlier run has written are passed over: reads their items and compares them with what
/// that run read.
template <class Item>
void pass_over_answers(InputStream<Item>& input, AnswerRun& run, StreamReport& report) {
  Item item;
  for (std::int64_t number = 0; number < run.done(); ++number) {
    if (!input.next(item)) run.refuse_input(concat("it has only ", number, " ", input.unit()));
    add_to(run.input_sum(), item);
  }
  run.expect_same_input();
  report.skip(run.done());
  if (const std::string text = run.opening(); !text.empty()) report.note(text);
}

/// Processes a stream in order and in bounded memory: reads a window, calls `answer`, writes the answers and
/// flushes the output before waiting for more. Where a problem costs the stream, throws an InputError that
/// names its place after writing all answers before it; a NoAnswer becomes an InputError that names the items
/// of the window. If the run is to stop, ends the windows that were begun and throws StoppedRun. The caller
/// closes the output.
template <class Item, class Answer>
void answer_stream(InputStream<Item>& input, const AnswerSteps<Item, Answer>& steps, AnswerRun& run,
                   StreamReport& report) {
  constexpr int kWaitingWindows = 8;
  struct Answers {
    std::vector<Answer> items{};
    std::string input_sum{};  // of everything read up to these items; "" if the run cannot be continued
  };
  struct SummedWindow : Window<Item> {
    std::string input_sum{};
  };
  if (run.finished()) return report.skip(run.done());
  pass_over_answers(input, run, report);
  const std::int64_t before = steps.numbered ? input.items_before() : 0;
  std::int64_t taken = run.done();
  WindowPace pace(steps.limits);
  const auto take = [&](SummedWindow& window) {
    if (!wait_for_input(input, run)) return false;
    window = {{taken, next_window(input, pace.limits())}, {}};
    run.begin();
    taken += std::ssize(window.items);
    if (run.continues()) {
      for (const Item& item : window.items) add_to(run.input_sum(), item);
      window.input_sum = run.input_sum().text();
    }
    return !window.items.empty();
  };
  const auto answer = [&](SummedWindow& window, int) {
    Answers answers{{}, std::move(window.input_sum)};
    const auto start = std::chrono::steady_clock::now();
    try {
      answers.items =
          steps.answer(window.items, before + window.first, [&](int items) { report.advance(items); });
    } catch (const NoAnswer& error) {
      throw InputError(concat(report.places(window.first, std::ssize(window.items)), ": ", error.what()));
    }
    pace.add(window.items.size(), std::chrono::steady_clock::now() - start);
    expects(answers.items.size() == window.items.size(), answers.items.size(), " answers to ",
            window.items.size(), " items");
    return answers;
  };
  const auto write = [&](Answers& answers) {
    for (Answer& line : answers.items) {
      if (!line.problem.empty() && steps.problem_costs == ProblemCosts::stream) {
        run.output().flush();
        run.note_progress();
        throw InputError(concat(report.next_place(), ": ", line.problem));
      }
      report.add(line);
      steps.write(before + report.items() - 1, line);
    }
    run.written(report.items(), answers.input_sum);
  };
  ordered_parallel<SummedWindow, Answers>(steps.windows_at_once, kWaitingWindows, take, answer, write);
  if (run.stopping()) run.note_progress();
  if (run.stopping()) throw StoppedRun(run.farewell(concat(report.items(), " ", input.unit())));
  report.finish();
}

/// The same for an output that cannot be continued.
template <class Item, class Answer>
void answer_stream(InputStream<Item>& input, const AnswerSteps<Item, Answer>& steps, Output& output,
                   StreamReport& report) {
  AnswerRun run(output);
  answer_stream(input, steps, run, report);
}

}  // namespace gloss
