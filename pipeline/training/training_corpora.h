// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "base/listener.h"
#include "pipeline/examples/example_encoding.h"
#include "pipeline/examples/line_lengths.h"
#include "pipeline/examples/text_windows.h"
#include "pipeline/reading/corpus_mix.h"
#include "pipeline/reading/parallel_text.h"

namespace gloss {

/// The training and validation text of a training, and what its checkpoints record about both: fingerprints
/// and the statistics of each training text.
class TrainingCorpora {
 public:
  /// Reads all files once. `output`: the training directory, for messages and temporary files.
  TrainingCorpora(const CorpusMixSettings&, ParallelFiles validation, const std::string& output, Listener&);

  /// The training texts with their weights.
  std::span<const WeightedText> texts() const { return texts_; }
  /// Sets lines of a new training aside for validation, unless there is a validation text, and says so; warns
  /// of what the texts should not have in common. `passage`: all lines are neighbours.
  void hold_out(bool wanted, bool passage);
  /// Null: no validation.
  const IndexedPairs* validation() const { return validation_.get(); }
  /// Throws UsageError unless the texts are those of the training to continue, given the record of its
  /// checkpoint in the folder `checkpoint`. `survey` then takes the statistics from that record.
  void expect_same(const nlohmann::json& record, const std::string& checkpoint);
  /// Reports the size of each training text and the lines that are skipped: encodes the whole text once,
  /// unless the record of a checkpoint has the statistics.
  void survey(const ExampleEncoder&, int threads);
  /// The tokens of an epoch, as batches count them; after `survey`.
  std::int64_t tokens() const { return tokens_; }
  /// The lengths of the lines of all texts, each counted once; without lines for plain text, whose examples
  /// are blocks of lines, and for a training that an older version began.
  const LearnedLengths& lengths() const { return lengths_; }
  /// What a checkpoint stores.
  std::shared_ptr<const nlohmann::json> record() const { return record_; }

 private:
  void take_held_out(std::size_t text, std::shared_ptr<const IndexedPairs::Lines> lines);
  void restore_held_out(const nlohmann::json& held_out, const std::string& checkpoint);
  std::vector<Findings> recorded_findings(const nlohmann::json& record, const std::string& checkpoint) const;

  std::string output_;
  Listener& listener_;
  std::vector<WeightedText> texts_;
  std::unique_ptr<IndexedPairs> validation_;
  std::vector<Findings> recorded_;  // of a checkpoint; empty: a new training
  std::int64_t tokens_ = 0;
  LearnedLengths lengths_;
  std::shared_ptr<nlohmann::json> record_;
};

}  // namespace gloss
