// SPDX-License-Identifier: Apache-2.0

#include "cli/lines/run.h"

#include <iostream>

#include "base/counted.h"
#include "base/error.h"
#include "base/file_to_write.h"
#include "base/mpi_module.h"
#include "base/paths.h"
#include "base/program_identity.h"
#include "cli/lines/rank_parts.h"
#include "cli/options/version_text.h"
#include "cli/process/event_log.h"
#include "cli/process/with_ranks.h"

namespace gloss {
namespace {

/// Everything that decides the output but the input.
nlohmann::json identity_of(const Options& options, const RunOutput& output,
                           std::span<const TextModel> models) {
  nlohmann::json sums = nlohmann::json::array();
  for (const TextModel& model : models) sums.push_back(model.model.sum);
  nlohmann::json identity{{"command", options.name()},
                          {"options", options.deciding_values()},
                          {"models", sums},
                          {"program", computing_version_text()},
                          {"build of the program", program_identity()}};
  const std::string other_input = output.other_input ? output.other_input() : "";
  if (!other_input.empty()) identity["other_input"] = other_input;
  return identity;
}

/// What to say at once when a signal asks the run to stop.
std::string stop_notice_text(const Options& options) {
  return concat("gloss ", options.name(),
                ": stopping after the lines in progress, which may take half a minute; press Ctrl-C again "
                "after a second to stop at once\n");
}

FinishedRun nothing_left(const std::string& path, std::int64_t items) {
  return FinishedRun(concat(path, " is complete: ", counted(items, "line"), "; there is nothing left to do"));
}

}  // namespace

Shard Run::join(const std::string& output, const std::string& shard) {
  const bool named = !written_directly(output) || is_folder(output);  // which agree_on_parts refuses once
  const bool alone = !shard.empty() || !named || launched_processes() == 1;
  if (shard.empty() && !named && launched_processes() > 1 && launched_rank() == 0 && !decided_) {
    std::cerr << "gloss: warning: each of the " << launched_processes()
              << " processes answers the whole input; give --output FILE, so that they write one output "
                 "together, or --shard\n";
  }
  decided_ = alone || mpi_module().operations != nullptr;
  if (alone) return shard_of(shard);
  if (!decided_) {
    throw UsageError(concat("was started as one of ", launched_processes(),
                            " processes, which need MPI to write one output together, but ",
                            mpi_module().problem,
                            ", or give --shard auto and join the shards with gloss merge"));
  }
  if (ranks_ == nullptr) ranks_ = join_ranks();
  if (!first()) event_log().close();
  return {ranks_->rank() + 1, ranks_->size()};
}

void Run::open(const Options& options, const RunOutput& wanted, std::span<const TextModel> models) {
  expects(!answers_, "a run has one output");
  check(wanted, divided());
  whole_ = wanted.path;
  whole_further_ = wanted.further;
  RunSettings settings{.output = wanted.own_path(), .further = wanted.own_further(), .resume = wanted.resume};
  // Where nothing can be continued, no files are read for their checksums.
  if (wanted.path != "-" && wanted.whole_because.empty()) {
    signals_.emplace("", first() ? stop_notice_text(options) : "");
    identify(settings, wanted, identity_of(options, wanted, models));
  }
  answers_.emplace(settings);
  earlier_ = answers_->done();
  if (answers_->ended_unsaid()) {  // the earlier run was killed when all was written but its records
    write_records();
    if (!divided()) throw nothing_left(settings.output, answers_->items());
  }
  if (divided()) expect_shared_disk(*ranks_, whole_);
}

/// Makes the run one that can be continued.
void Run::identify(RunSettings& made, const RunOutput& wanted, nlohmann::json identity) {
  made.identity = identity;
  made.begin = [this] { signals_->remember(); };
  made.stop_requested = [this] { return signals_->received(); };
  for (const FurtherOutput& output : made.further) made.identity[output.option] = output.path;
  if (made.output == wanted.path) return;
  const ShardRecord record{std::move(identity), wanted.shard->range(), wanted.shard->shard()};
  records_.emplace_back(made.output, record);
  for (std::size_t i = 0; i < made.further.size(); ++i) {
    if (made.further[i].path == wanted.further[i].path) continue;
    records_.emplace_back(made.further[i].path, record);
    records_.back().second.identity["further"] = made.further[i].option;  // is not joined with other outputs
  }
  made.identity["input"] = record.range;
  if (divided()) {
    agree_on_parts(*ranks_, wanted.path, record, wanted.resume);
    wanted.shard->count_together(*ranks_);
  }
  if (!wanted.resume) return;
  for (const auto& [path, own] : records_) {
    made.finished_items = finished_items(path, own);
    if (made.finished_items < 0) return;
  }
  if (!divided()) throw nothing_left(made.output, made.finished_items);
}

AnswerRun& Run::answers() {
  expects(answers_.has_value(), "the output of this run is not open");
  return *answers_;
}

void Run::complete_part() {
  if (answers_->finished()) return;
  for (const auto& [path, record] : records_) remove_shard_record(path);  // of an earlier output
  answers_->close();
  write_records();
}

void Run::write_records() {
  for (auto& [path, record] : records_) {
    record.items = answers_->items();
    write_shard_record(path, record);
  }
}

void Run::close(StreamReport& report, const std::vector<std::int64_t*>& counts) {
  if (!divided()) return complete_part();
  together(*ranks_, [this] { complete_part(); });
  signals_->end_at_once();  // nothing is lost from now on: the parts are complete
  for (const FurtherOutput& output : whole_further_) join_parts(*ranks_, output.path);
  join_parts(*ranks_, whole_);
  report.add_other_ranks(*ranks_);
  std::vector<std::int64_t*> all = counts;
  all.push_back(&earlier_);
  sum_over(*ranks_, all);
}

double Run::sum(double value) {
  if (divided()) ranks_->sum({&value, 1});
  return value;
}

std::string Run::circumstances() const {
  const std::string ranks = divided() ? concat(" on ", ranks_->size(), " ranks") : "";
  return earlier_ == 0 ? ranks : concat(ranks, " (", earlier_, " of them by an earlier run)");
}

bool Run::may_repeat_an_error() const {
  if (divided()) return !ranks_->left() && !first();
  return !decided_ && launched_rank() > 0;
}

int Run::execute(const std::function<int(Run&)>& work) {
  const auto work_and_close_files = [&] {
    struct Closing {
      std::optional<AnswerRun>& answers;
      ~Closing() { answers.reset(); }
    } const closing{answers_};
    return work(*this);
  };
  try {
    const int status = work_and_close_files();
    if (divided()) ranks_->leave();
    return status;
  } catch (const OtherRankFailed&) {
    throw;
  } catch (const StoppedRun&) {
    if (first()) throw;
    end_by_signal(StopSignals::first_received());
  } catch (...) {
    if (may_repeat_an_error()) wait_for_first_rank();
    throw;
  }
}

}  // namespace gloss
