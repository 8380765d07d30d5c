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
#include "pipeline/data/input_stream.h"
#include "pipeline/data/stream_report.h"

namespace gloss {

/// The largest window of a stream.
struct WindowLimits {
  std::size_t items = 8192;
  std::size_t bytes = 1 << 20;
};

/// Items of a stream that are processed together.
template <class Item>
struct Window {
  std::int64_t first = 0;  ///< the number of the first item, counted from 0
  std::vector<Item> items;
};

/// Waits for one item, then adds the items that are available within a millisecond: a slow stream is
/// processed item by item, a large file in windows of thousands of items. Empty at the end of the stream.
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
    items.push_back(std::move(item));
  } while (items.size() < limits.items && bytes < limits.bytes && input.available(until) && input.next(item));
  return items;
}

/// What an item with a problem (LineReport) costs: the rest of the stream, or only its own answer, with a
/// warning.
enum class ProblemCosts { stream, answer };

/// The steps of a command for each window of a stream.
template <class Item, std::derived_from<LineReport> Answer>
struct AnswerSteps {
  /// Returns one answer for each item; `first` is the number of the first item, counted from 0. Calls
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
};

/// Processes a stream in order and in bounded memory: reads a window, calls `answer`, writes the answers and
/// flushes `output` before waiting for more. Where a problem costs the
/// stream, throws an InputError that names its place after writing all answers before it. The caller closes
/// `output`.
template <class Item, class Answer>
void answer_stream(InputStream<Item>& input, const AnswerSteps<Item, Answer>& steps, Output& output,
                   StreamReport& report) {
  constexpr int kWaitingWindows = 8;
  std::int64_t taken = 0;
  const auto take = [&](Window<Item>& window) {
    window = {taken, next_window(input, steps.limits)};
    taken += std::ssize(window.items);
    return !window.items.empty();
  };
  const auto answer = [&](Window<Item>& window, int) {
    std::vector<Answer> answers =
        steps.answer(window.items, window.first, [&](int items) { report.advance(items); });
    expects(answers.size() == window.items.size(), answers.size(), " answers to ", window.items.size(),
            " items");
    return answers;
  };
  const auto write = [&](std::vector<Answer>& answers) {
    for (Answer& line : answers) {
      if (!line.problem.empty() && steps.problem_costs == ProblemCosts::stream) {
        output.flush();
        throw InputError(concat(report.next_place(), ": ", line.problem));
      }
      report.add(line);
      steps.write(report.items() - 1, line);
    }
    output.flush();
  };
  ordered_parallel<Window<Item>, std::vector<Answer>>(steps.windows_at_once, kWaitingWindows, take, answer,
                                                      write);
  report.finish();
}

}  // namespace gloss
