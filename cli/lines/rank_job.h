// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "base/ranks.h"
#include "pipeline/reading/shard.h"
#include "pipeline/runs/shard_record.h"

namespace gloss {

/// The processes that mpirun started to write one output together (`mpirun gloss translate -i FILE -o FILE`):
/// each answers a shard of the input, and rank 0 joins the shards. Without mpirun, or with --shard, this
/// process works by itself.
class RankJob {
 public:
  /// To be called when the options are known. Joins the job of mpirun if there is one, `output` is a named
  /// file, and `shard`, the value of --shard, is empty. Returns the part of the input for this process.
  /// Throws UsageError, and Error if the ranks cannot communicate. May be called again.
  Shard join(const std::string& output, const std::string& shard);

  /// True if the input is divided among several ranks.
  bool divided() const { return ranks_ != nullptr; }
  /// True for the process that prints.
  bool first() const { return ranks_ == nullptr || ranks_->first(); }
  /// The ranks; there must be some.
  Ranks& ranks();

  // Of a divided job. All ranks call these in this order.
  /// Throws UsageError if a rank has other settings than rank 0, if there are parts of an earlier run that
  /// may not be continued, or parts of another number of ranks.
  void agree(const std::string& output, const ShardRecord& own, bool resume);
  /// Throws Error if rank 0 does not see the part that another rank has opened: they share no disk.
  void expect_shared_disk(const std::string& output);
  /// Joins the parts, which are complete, and removes them.
  void join_parts(const std::string& output);

  /// Runs `work` and returns its exit status; what on_ranks does.
  int run(const std::function<int(RankJob&)>& work);

 private:
  bool may_repeat_an_error() const;

  std::unique_ptr<Ranks> ranks_;  // null: this process works by itself
  bool decided_ = false;
};

/// Runs a command that may be one of several ranks. Errors are reported as with_ranks does; of a stop, only
/// rank 0 speaks.
int on_ranks(const std::function<int(RankJob&)>& work);

}  // namespace gloss
