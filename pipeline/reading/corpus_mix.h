// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

#include "base/fields.h"
#include "pipeline/reading/parallel_text.h"

namespace gloss {

/// The training corpora: parallel text, where source file i belongs to target file i, or plain text,
/// labelled text or stories.
struct CorpusMixSettings {
  std::vector<std::string> source, target, tsv;
  std::vector<std::string> corpus_weights;      ///< passes over each corpus per epoch; none: 1
  std::vector<std::string> line_weights;        ///< one file for each corpus, or none
  std::vector<std::string> guided_alignment{};  ///< one file of links for each corpus, or none
  std::vector<std::string> plain{};             ///< files of plain text
  std::vector<std::string> labelled{};          ///< files with lines label TAB text
  std::vector<std::string> stories{};           ///< files with stories and questions
  /// `labelled`, or `source` or `tsv`, are lists or archives of items that are not text.
  bool items = false;
  std::vector<std::string> item_labels{};      ///< one file for each archive of items, or none
  std::vector<std::string> languages{};        ///< one for each file of plain text, or none
  double temperature = 1;                      ///< of sampling: balance_of_languages
  std::int64_t max_line_bytes = kLongestLine;  ///< longer lines are skipped
};
/// The fields for parallel text.
Fields fields_of(CorpusMixSettings&);
/// The fields for plain text.
Fields plain_fields_of(CorpusMixSettings&);
/// The fields for labelled text.
Fields labelled_fields_of(CorpusMixSettings&);
/// The field for the labels of archives.
Field item_labels_field(CorpusMixSettings&);
/// The fields for stories.
Fields story_fields_of(CorpusMixSettings&);

/// One corpus and its weight: the number of passes over it per epoch.
struct WeightedFiles {
  ParallelFiles files;
  double weight = 1;
};
/// Throws UsageError unless the names of languages consist of letters, digits and hyphens.
void check_languages(const std::vector<std::string>&);
/// The factor on the weight of each corpus with which languages of n_i lines are sampled with probabilities
/// proportional to n_i ^ (1 / temperature), without changing the number of lines per epoch.
std::vector<double> balance_of_languages(const std::vector<std::string>& languages,
                                         const std::vector<double>& lines, double temperature);

/// The corpora in order. Throws UsageError if the lists differ in length or a weight is not a number from
/// 0.001 to 1,000.
std::vector<WeightedFiles> corpora_of(const CorpusMixSettings&);
/// The files of the validation text, whose sources are items if those of the training are.
ParallelFiles validation_of(const CorpusMixSettings&, ParallelFiles);

}  // namespace gloss
