// SPDX-License-Identifier: Apache-2.0

#include "base/counted.h"
#include "base/error.h"
#include "base/output.h"
#include "base/text.h"
#include "cli/options/options.h"
#include "cli/process/terminal.h"
#include "cli/table/commands.h"
#include "pipeline/runs/shard_merge.h"

namespace gloss {
namespace {

struct MergeRequest {
  std::vector<std::string> shards;
  std::string output = "-";
  bool remove = false;
};

/// The files that are joined.
std::vector<std::string> files_of(const MergeRequest& request) {
  if (!request.shards.empty()) return request.shards;
  if (request.output == "-") throw UsageError("give shards, or with -o NAME the name of the whole output");
  const std::vector<std::string> found = shards_beside(request.output);
  if (found.empty()) {
    throw InputError(concat("there are no shards of ", request.output, "; expected files such as ",
                            shard_path(request.output, {1, 4})));
  }
  return found;
}

void add_options(Options& options, MergeRequest& request) {
  options.usage("-o NAME [SHARD...]", "join the shards of an output (--shard)");
  options.positional("SHARD", request.shards);
  options.add("Files", {{"output",
                         &request.output,
                         "file for the whole output; without SHARDs, those of this name are joined; '-' is "
                         "standard output",
                         {},
                         'o',
                         "NAME",
                         kWritten},
                        {"remove", &request.remove, "remove the shards and their records afterwards"}});
  options.common({&request.output, &request.remove});
  options.example("Join text.de.shard-1-of-4 to text.de.shard-4-of-4", "gloss merge -o text.de");
  options.example("The same with files of other names, to standard output",
                  "gloss merge one/text.de.shard-*-of-4 two/text.de.shard-*-of-4 > text.de");
}

int run_merge(const Options& options, MergeRequest& request) {
  Terminal terminal("merge", options.quiet());
  const std::vector<std::string> files = files_of(request);
  const std::vector<FinishedShard> shards = checked_shards(files);
  Output output(request.output);
  join_shards(shards, output);
  output.close();
  std::int64_t items = 0;
  for (const FinishedShard& shard : shards) items += shard.record.items;
  terminal.note(concat(counted(shards.size(), "shard"), " of ", counted(items, "line"), " in total"));
  if (request.remove) remove_shards(shards);
  return 0;
}

}  // namespace

Work declare_merge(Options& options) { return work_on<MergeRequest>(options, add_options, run_merge); }

}  // namespace gloss
