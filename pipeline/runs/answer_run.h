// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/checksum.h"
#include "base/output.h"
#include "base/resumable_file.h"
#include "pipeline/runs/run_journal.h"

namespace gloss {

/// A run that was asked to stop has written everything that it had begun.
class StoppedRun : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What a run was asked to do is done already.
class FinishedRun : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An output beside the first one, such as a report on the answers.
struct FurtherOutput {
  std::string option;  ///< that names it, without hyphens
  std::string path;
};

/// What a run needs to be continued.
struct RunSettings {
  std::string output;  ///< path
  std::vector<FurtherOutput> further{};
  bool resume = false;        ///< continue an unfinished output if there is one
  nlohmann::json identity{};  ///< an object with what decides the output but the input; null: not continued
  std::int64_t finished_items =
      -1;                         ///< the output is complete, with the answers to so many items; negative: no
  std::function<void()> begin{};  ///< called after the first items were read; may be null
  std::function<bool()> stop_requested{};  ///< null: never
};

/// The output of the answers to a stream, further outputs, and how far an earlier run came with them.
/// Outputs that are regular files without compression can be continued; others are written from the start.
class AnswerRun {
 public:
  /// Throws UsageError for an unfinished output without `resume`, or if the output cannot be continued
  /// although `resume` is set; InputError if the unfinished output is of another run.
  explicit AnswerRun(const RunSettings&);
  /// For an output that another object owns; it is never continued.
  explicit AnswerRun(Output& output) : output_(&output) {}
  /// Removes the journal if nothing is finished.
  ~AnswerRun();
  AnswerRun(const AnswerRun&) = delete;
  AnswerRun& operator=(const AnswerRun&) = delete;

  Output& output() { return *output_; }
  /// A further output, by its place among them. Null: there is none, or an earlier run has completed it.
  Output* further(std::size_t place) { return place < further_.size() ? further_[place].get() : nullptr; }
  /// True if a later run can continue this one.
  bool continues() const { return journal_ != nullptr; }
  /// True if an earlier run has completed the output: there is nothing to answer.
  bool finished() const { return settings_.finished_items >= 0; }
  /// True if that run was killed after its last answer was written, but before it had said so.
  bool ended_unsaid() const { return ended_unsaid_; }
  /// The number of items whose answers an earlier run wrote.
  std::int64_t done() const { return before_.items; }

  /// The number of items whose answers are written.
  std::int64_t items() const { return items_; }

  /// The checksum of all items that were read; needed only if this run `continues`.
  Checksum& input_sum() { return sum_; }
  /// Throws InputError unless the items read so far are those of the earlier run.
  void expect_same_input() const;
  /// Throws InputError: the input is not that of the earlier run, because of `what`.
  [[noreturn]] void refuse_input(const std::string& what) const;

  /// The answers of the first `items` items, whose checksum is given, are in the output: flushes them and, if
  /// the last note is a second old, notes it.
  void written(std::int64_t items, const std::string& input_sum);
  /// Notes all that is written, so that a later run continues there.
  void note_progress();
  /// The first items were read: from now on a request to stop lets them be answered.
  void begin();
  bool begun() const { return begun_; }
  bool stopping() const { return settings_.stop_requested != nullptr && settings_.stop_requested(); }
  /// What to say before the first answer; "": nothing.
  std::string opening() const;
  /// What to say at a stop; `items` such as "12 lines".
  std::string farewell(const std::string& items) const;
  /// Completes all outputs.
  void close();

 private:
  /// Completes what an earlier run had only to name. True if that was all there was to do.
  bool complete_earlier_run();
  void open_from_start();
  void open_resumable();
  /// Notes that all answers are written, before the files get their names.
  void note_completion();
  RunSettings settings_;
  std::unique_ptr<RunJournal> journal_;        // null: cannot be continued
  ResumableFile* file_ = nullptr;              // of the output; null: cannot be continued
  std::vector<ResumableFile*> further_files_;  // of the further outputs; empty: cannot be continued
  std::unique_ptr<Output> owned_;              // null: another object owns it
  Output* output_ = nullptr;
  std::vector<std::unique_ptr<Output>> further_;
  RunProgress before_;  // of the earlier run
  RunProgress latest_;  // of both
  std::int64_t items_ = 0;
  bool ended_unsaid_ = false;
  bool begun_ = false;
  bool noted_ = false;    // the journal has progress of this run
  bool unnoted_ = false;  // the journal does not have the latest progress yet
  std::chrono::steady_clock::time_point noted_at_;
  Checksum sum_;
};

}  // namespace gloss
