// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/fields.h"
#include "pipeline/reading/text_shard.h"
#include "pipeline/runs/answer_run.h"
#include "pipeline/runs/shard_record.h"

namespace gloss {

/// The option `--resume`.
Field resume_field(bool& resume);

/// The output of a run, as the options say.
struct RunOutput {
  std::string path;  ///< of all shards; each has a file of its own (shard_path)
  bool resume = false;
  const TextShard* shard = nullptr;  ///< null: the input is not divided
  /// Computes the checksum of what is read besides the stream ("" for nothing); called only if the output has
  /// a name, since others cannot be continued. Empty: nothing.
  std::function<std::string()> other_input{};
  std::vector<FurtherOutput> further{};  ///< each shard has its own
  /// Why the output can be neither continued nor divided; empty: it can.
  std::string whole_because{};

  /// True if this process answers a part of the input.
  bool divided() const { return shard != nullptr && !shard->shard().whole(); }
  /// The file that this process writes.
  std::string own_path() const { return own(path); }
  /// The further outputs that this process writes.
  std::vector<FurtherOutput> own_further() const;

 private:
  std::string own(const std::string& whole) const;
};

/// Throws UsageError if an output that must be written as a whole is to be continued or divided, or if a
/// further output would be written to the output or a file beside it, or by several `ranks`.
void check(const RunOutput&, bool ranks);

/// The number of items of a shard that is complete; negative: it is not. Throws UsageError if it was made of
/// another input or with other settings than those `wanted`.
std::int64_t finished_items(const std::string& path, const ShardRecord& wanted);

}  // namespace gloss
