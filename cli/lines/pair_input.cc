// SPDX-License-Identifier: Apache-2.0

#include "cli/lines/pair_input.h"

#include "base/error.h"

namespace gloss {

PairInput::PairInput(const ParallelFiles& files, const Shard& shard, bool resume,
                     const SourceSettings& source) {
  if (source.is_text()) {
    text_.emplace(files, shard);
    return;
  }
  if (files.source.empty())
    throw UsageError("the source of the model is not text: give --source LIST and --target FILE, not --tsv");
  if (shard.count > 1 || resume) {
    throw UsageError("items and their texts are read as a whole; leave out --shard, --resume and mpirun");
  }
  items_.emplace(std::vector{files.source}, files.max_line_bytes, shard);
  items_->read_for(source);
  texts_.emplace(std::vector{files.target}, files.max_line_bytes);
  pairs_.emplace(items_->stream(), *texts_);
}

InputStream<SentencePair>& PairInput::stream() {
  if (text_) return *text_;
  return *pairs_;
}

}  // namespace gloss
