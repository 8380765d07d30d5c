#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/fields.h"
#include "base/listener.h"
#include "pipeline/metrics/metric.h"
#include "pipeline/metrics/test_set.h"

namespace gloss {

/// A link between the words of a sentence and of its translation, counted from 0.
struct Link {
  int source = 0, target = 0;
  bool sure = true;  ///< otherwise possible: neither its presence nor its absence is a mistake
};

/// How the files of alignments are to be read.
struct LinkSettings {
  int reference_first_word = 0;  ///< number of a sentence's first word in the references
  int system_first_word = 0;     ///< and in the systems
  std::string pairs;             ///< file of the sentences, "source ||| target" or with a tab; or empty
};
Fields fields_of(LinkSettings&);

/// Reads links of a line, "i-j" (sure) and "ipj" (possible) between blanks. Each link once, in order; one
/// that is both is sure. Throws InputError that begins with `where`.
std::vector<Link> parse_links(std::string_view line, int first_word, const std::string& where);

/// Reads alignments. Throws InputError for links that are none or, where sentences are given, lie outside of
/// theirs; warns of references without any sure link. The lines of the result count words from 0.
TestSet read_links(const TestSetFiles&, const LinkSettings&, Listener&);

/// What is asked of links (Och and Ney 2003).
enum class LinkScore {
  precision,  ///< how many of the links are sure or possible
  recall,     ///< how many of the sure ones are there
  error_rate  ///< both in one: 1 - (|A and S| + |A and P|) / (|A| + |S|)
};

/// Precision, recall or alignment error rate in percent. A share of nothing is 0. Its figures: links that are
/// sure, that are sure or possible, all links, all sure ones.
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

/// The metric called "precision", "recall" or "aer"; throws UsageError naming those that there are.
std::unique_ptr<Metric> make_link_metric(const std::string& name);

}  // namespace gloss
