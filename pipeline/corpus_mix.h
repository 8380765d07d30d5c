#pragma once

#include <string>
#include <vector>

#include "base/fields.h"
#include "pipeline/parallel_text.h"

namespace gloss {

/// The corpora that a model learns from: the first source file belongs to the first target file, and so on;
/// or files of plain text, or of texts with labels.
struct CorpusMixSettings {
  std::vector<std::string> source, target, tsv;
  std::vector<std::string> corpus_weights;  ///< how often an epoch sees each corpus; none: once
  std::vector<std::string> line_weights;    ///< a file for each corpus, or none
  std::vector<std::string> plain{};         ///< instead: files of plain text
  std::vector<std::string> labelled{};      ///< or of lines label TAB text
  std::vector<std::string> languages{};     ///< of each of these, or none
  double temperature = 1;                   ///< of their sampling: balanced
};
/// Of parallel text.
Fields fields_of(CorpusMixSettings&);
/// Of plain text.
Fields plain_fields_of(CorpusMixSettings&);
/// Of texts with labels.
Fields labelled_fields_of(CorpusMixSettings&);

/// One of them.
struct WeightedFiles {
  ParallelFiles files;
  double weight = 1;
};
/// Throws UsageError unless languages have names of letters, digits and hyphens.
void check_languages(const std::vector<std::string>&);
/// How much more often than its weight says an epoch sees the text of each corpus, so that languages of n_i
/// lines come with probabilities proportional to n_i ^ (1 / temperature), in as many lines as there are.
std::vector<double> balance_of_languages(const std::vector<std::string>& languages,
                                         const std::vector<double>& lines, double temperature);

/// The corpora in order. Throws UsageError if the lists do not fit together or a weight is no number from
/// 0.001 to 1,000.
std::vector<WeightedFiles> corpora_of(const CorpusMixSettings&);

}  // namespace gloss
