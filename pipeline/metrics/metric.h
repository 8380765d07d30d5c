// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gloss {

/// One field of a signature: name, short name, value.
struct SignatureField {
  std::string name, short_name, value;
};
using SignatureFields = std::vector<SignatureField>;

/// Compares hypotheses with references, segment by segment. Reuses its working memory, so each thread needs
/// its own object.
class Comparer {
 public:
  virtual ~Comparer() = default;
  /// Starts a segment. The lines must be valid UTF-8 and remain unchanged until the next call.
  virtual void set_references(std::span<const std::string> references) = 0;
  /// Writes the figures of a hypothesis of this segment to `figures`, which has Metric::figures elements.
  virtual void compare(std::string_view hypothesis, std::span<double> figures) = 0;
};

/// Compares hypotheses with the mean of several texts (reference aggregation, Vamvas and Sennrich 2024), as
/// if it were one reference: the counts of its n-grams and its length are means. The rest is as for a
/// Comparer.
class MeanComparer {
 public:
  virtual ~MeanComparer() = default;
  /// Starts a segment. The weights have the sum 1.
  virtual void set_references(std::span<const std::string> references, std::span<const double> weights) = 0;
  virtual void compare(std::string_view hypothesis, std::span<double> figures) = 0;
};

/// A metric whose score for a test set is a function of sums of figures over the segments.
class Metric {
 public:
  virtual ~Metric() = default;
  /// The name in the output, such as "BLEU", "chrF2++", "TER".
  virtual std::string name() const = 0;
  /// The settings of the metric.
  virtual SignatureFields signature() const = 0;
  /// The number of figures per segment.
  virtual std::size_t figures() const = 0;
  virtual std::unique_ptr<Comparer> comparer() const = 0;
  /// Null if the figures are not functions of counts that have means.
  virtual std::unique_ptr<MeanComparer> mean_comparer() const { return nullptr; }
  /// The score for sums of figures, 0 to 100; TER may exceed 100.
  virtual double score(std::span<const double> sums) const = 0;
  /// Text to print after the score in the text format; may be empty.
  virtual std::string details(std::span<const double>) const { return ""; }
  /// The score of a random sample. As in sacreBLEU with NumPy 1.x, the sums and their ratios have single
  /// precision; only what follows is computed in double precision.
  virtual double sample_score(std::span<const float> sums) const = 0;
  /// True if lower scores are better.
  virtual bool lower_is_better() const { return false; }
};

}  // namespace gloss
