// SPDX-License-Identifier: Apache-2.0

#include "pipeline/reading/parallel_files.h"

#include <utility>

#include "base/error.h"

namespace gloss {

Fields fields_of(ParallelFiles& files, const std::string& prefix, const std::string& what) {
  Fields fields{{prefix + "source",
                 &files.source,
                 concat("source side of the ", what, ", one sentence per line"),
                 {},
                 0,
                 "FILE"},
                {prefix + "target",
                 &files.target,
                 concat("target side of the ", what, "; line N translates line N of the source"),
                 {},
                 0,
                 "FILE"},
                {prefix + "tsv",
                 &files.tsv,
                 concat(what, " with lines 'source TAB target'; replaces the files of source and target"),
                 {},
                 0,
                 "FILE"}};
  add_traits(fields, kFreeOnResume, files.source, files.target, files.tsv);
  return fields;
}

void check(const ParallelFiles& files, const std::string& prefix) {
  const bool both = !files.source.empty() && !files.target.empty();
  const bool neither = files.source.empty() && files.target.empty();
  if (files.tsv.empty() ? !both : !neither) {
    throw UsageError(concat("expected --", prefix, "source and --", prefix, "target, or --", prefix,
                            "tsv; found ",
                            files.empty()          ? "none of them"
                            : !files.tsv.empty()   ? concat("--", prefix, "tsv together with the others")
                            : files.source.empty() ? concat("only --", prefix, "target")
                                                   : concat("only --", prefix, "source")));
  }
}

ParallelFiles with_items(ParallelFiles files) {
  files.items = std::exchange(files.tsv.empty() ? files.source : files.tsv, "");
  files.item_texts = true;
  return files;
}

void expect_readable(const ParallelFiles& files) {
  for (const std::string& path : {files.source, files.target, files.tsv, files.line_weights, files.links,
                                  files.plain, files.labelled, files.stories}) {
    if (!path.empty()) expect_readable(path);
  }
  for (const std::string& path : {files.items, files.item_labels}) {  // maybe archives, which are no text
    if (!path.empty() && !opening_waits(path)) open_unpacked(path);
  }
}

}  // namespace gloss
