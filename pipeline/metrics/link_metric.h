// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/fields.h"
#include "base/listener.h"
#include "pipeline/metrics/metric.h"
#include "pipeline/metrics/test_set.h"
#include "tokenizer/word_links.h"

namespace gloss {

/// How to read files of alignments.
struct LinkSettings {
  int reference_first_word = 0;  ///< number of the first word of a sentence in the references, 0 or 1
  int system_first_word = 0;     ///< number of the first word of a sentence in the systems, 0 or 1
  std::string pairs;             ///< file of sentence pairs, "source ||| target" or with a tab; or empty
};
Fields fields_of(LinkSettings&);

/// Reads alignments. Throws InputError for malformed links and, if sentence pairs are given, for links beyond
/// their words; warns if the references have no sure link. In the result, words are numbered from 0.
TestSet read_links(const TestSetFiles&, const LinkSettings&, Listener&);

/// Scores of alignments A against sure links S and sure or possible links P (Och and Ney 2003).
enum class LinkScore {
  precision,  ///< |A and P| / |A|
  recall,     ///< |A and S| / |S|
  error_rate  ///< 1 - (|A and S| + |A and P|) / (|A| + |S|)
};

/// Precision, recall or alignment error rate in percent; 0 / 0 counts as 0. Figures: |A and S|, |A and P|,
/// |A|, |S|.
class LinkMetric : public Metric {
 public:
  explicit LinkMetric(LinkScore score) : score_(score) {}
  std::string name() const override;
  SignatureFields signature() const override { return {{"task", "t", "align"}}; }
  std::size_t figures() const override { return 4; }
  std::unique_ptr<Comparer> comparer() const override;
  double score(std::span<const double> sums) const override;
  double sample_score(std::span<const float> sums) const override;
  bool lower_is_better() const override { return score_ == LinkScore::error_rate; }

 private:
  LinkScore score_;
};

/// The names of the metrics of word alignments.
const std::vector<std::string>& link_metric_names();
/// The metric of this name; throws UsageError for names that are not in link_metric_names.
std::unique_ptr<Metric> make_link_metric(const std::string& name);

}  // namespace gloss
