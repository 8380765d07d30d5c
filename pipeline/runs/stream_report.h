// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "base/listener.h"
#include "base/ranks.h"
#include "base/text.h"
#include "pipeline/reading/input_stream.h"
#include "pipeline/reading/line_report.h"

namespace gloss {

/// How too long lines are cut, for warnings.
struct LengthLimit {
  std::string which = "the last ";               ///< position of the ignored tokens; "" if it varies
  std::string limit = "positions of the model";  ///< the limit that the user can look up or change
};

/// The reports of a run over a stream: progress, immediate warnings about single lines, summary warnings at
/// the end, and totals for the closing note.
class StreamReport {
 public:
  /// Reports the warnings of the origin. The origin and the listener must outlive the report.
  StreamReport(const StreamOrigin& origin, Listener& listener, LengthLimit limit = {});

  /// Reports progress: `items` more are answered, but perhaps not yet written. Thread-safe.
  void advance(int items);
  /// Passes over the first items, which an earlier run has answered.
  void skip(std::int64_t items) { items_ = advanced_ = skipped_ = items; }
  /// Adds the next item in order; warns if it was cut or has a problem.
  void add(const LineReport&);
  /// Counts `times` occurrences of a problem in the item added last; `what` is the text of the summary
  /// warning.
  void count(const std::string& what, std::int64_t times = 1);
  /// Warns of lines that were cut and of all counted problems, each with the place of its first occurrence,
  /// and notes what the origin has to say about its text.
  void finish();

  /// Adds what the other ranks have counted, each in its part of the input. Nothing can be added afterwards.
  void add_other_ranks(Ranks&);

  /// Tells the user something.
  void note(const std::string& text) { listener_.note(text); }

  /// Number of items added or skipped.
  std::int64_t items() const { return items_; }
  /// Number of items skipped.
  std::int64_t skipped() const { return skipped_; }
  /// Number of items with problems.
  std::int64_t problems() const { return problems_; }
  /// The place of the item added last, for messages.
  std::string place() const { return origin_.place(items_); }
  /// The place of the item to add next.
  std::string next_place() const { return origin_.place(items_ + 1); }
  /// The places of the first and the last of `count` items after the first `before`.
  std::string places(std::int64_t before, std::int64_t count) const {
    const std::string first = origin_.place(before + 1);
    return count == 1 ? first : concat(first, " to ", origin_.place(before + count));
  }
  /// The numbers of items with problems for the closing note, such as ", 3 cut, 1 empty"; "" without
  /// problems.
  std::string summary() const;
  /// Seconds since this object was created.
  double seconds() const;

 private:
  struct Count {
    std::string what;
    std::int64_t first, items, times;
  };

  std::int64_t tokens_of(std::int64_t items) const;

  const StreamOrigin& origin_;
  Listener& listener_;
  LengthLimit limit_;
  std::int64_t items_ = 0, advanced_ = 0, skipped_ = 0, problems_ = 0;
  std::int64_t cut_ = 0, empty_ = 0, invalid_ = 0, unknown_ = 0;  // number of items
  std::atomic<std::int64_t> added_ = 0, tokens_ = 0;  // items added, and the tokens that were read of them
  std::vector<Count> counts_;                         // in the order of first occurrences
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::mutex listener_mutex_;  // the listener must be called by one thread at a time
};

}  // namespace gloss
