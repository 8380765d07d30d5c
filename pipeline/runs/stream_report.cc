// SPDX-License-Identifier: Apache-2.0

#include "pipeline/runs/stream_report.h"

#include <algorithm>
#include <utility>

#include "base/text.h"

namespace gloss {

StreamReport::StreamReport(const StreamOrigin& origin, Listener& listener, LengthLimit limit)
    : origin_(origin), listener_(listener), limit_(std::move(limit)) {
  for (const std::string& warning : origin_.warnings()) listener_.warn(warning);
}

void StreamReport::advance(int items) {
  const std::lock_guard lock(listener_mutex_);
  advanced_ += items;
  Progress progress{advanced_, origin_.total(), origin_.unit(), ""};
  progress.tokens = tokens_of(advanced_);
  const double share = progress.total > 0 ? -1 : origin_.share(advanced_);
  if (share > 0 && advanced_ > skipped_) {
    progress.share = share;
    // Of the items so far, only those of this run have taken its time.
    const double own = static_cast<double>(advanced_ - skipped_) / static_cast<double>(advanced_);
    progress.seconds_left = seconds() * (1 - share) / (share * own);
  }
  listener_.progress(progress);
}

/// As many as the items added so far let expect.
std::int64_t StreamReport::tokens_of(std::int64_t items) const {
  const std::int64_t added = added_;
  return added == 0 ? 0
                    : static_cast<std::int64_t>(static_cast<double>(tokens_) / static_cast<double>(added) *
                                                static_cast<double>(items));
}

void StreamReport::add(const LineReport& line) {
  ++items_;
  ++added_;
  tokens_ += line.read_tokens - line.left_out;
  cut_ += line.left_out > 0;
  empty_ += line.empty;
  invalid_ += line.replaced > 0;
  unknown_ += line.unknown > 0;
  if (line.replaced > 0) count("invalid UTF-8 was replaced by U+FFFD", line.replaced);
  if (line.left_out == 0 && line.problem.empty()) return;
  const std::lock_guard lock(listener_mutex_);
  if (!line.problem.empty()) {
    ++problems_;
    listener_.warn(concat(place(), ": ", line.problem));
  }
  if (line.left_out == 0) return;
  listener_.warn(concat(place(), ": ", limit_.which, line.left_out, " of ", line.read_tokens,
                        " tokens are ignored (limit: ", limit_.limit, ")"));
}

void StreamReport::count(const std::string& what, std::int64_t times) {
  if (times == 0) return;
  const auto known = std::ranges::find(counts_, what, &Count::what);
  if (known == counts_.end()) {
    counts_.push_back({what, items_, 1, times});
  } else {
    ++known->items;
    known->times += times;
  }
}

void StreamReport::finish() {
  const CutLines cut = origin_.cut_lines();
  if (cut.count > 0) {
    listener_.warn(concat(origin_.place(cut.first), ": the line is cut to ", cut.limit,
                          " bytes (--max-line-bytes); ", cut.count,
                          cut.count == 1 ? " line is cut" : " lines are cut, this is the first"));
  }
  for (const std::string& note : origin_.notes()) listener_.note(note);
  for (const Count& count : counts_) {
    const std::string times = concat(count.times, count.times == 1 ? " time" : " times");
    listener_.warn(concat(
        origin_.place(count.first), ": ", count.what, "; ", times,
        count.items == 1 ? "" : concat(" on ", count.items, " ", origin_.unit(), ", this is the first")));
  }
}

void StreamReport::add_other_ranks(Ranks& ranks) {
  sum_over(ranks, {&items_, &skipped_, &problems_, &cut_, &empty_, &invalid_, &unknown_});
}

std::string StreamReport::summary() const {
  std::string text;
  const auto add = [&](std::int64_t number, const char* what) {
    if (number > 0) text += concat(", ", number, what);
  };
  add(cut_, " cut");
  add(empty_, " empty");
  add(invalid_, " with invalid UTF-8");
  add(unknown_, " with unknown pieces");
  return text;
}

double StreamReport::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

}  // namespace gloss
