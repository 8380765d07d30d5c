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

/// Compares hypotheses with references, one segment after the other, and keeps its working memory: one per
/// thread.
class Comparer {
 public:
  virtual ~Comparer() = default;
  /// Goes on to the next segment. The lines are valid UTF-8 and stay as they are until the next call.
  virtual void set_references(std::span<const std::string> references) = 0;
  /// Puts the figures of one hypothesis of this segment into `figures`, as many as Metric::figures says.
  virtual void compare(std::string_view hypothesis, std::span<double> figures) = 0;
};

/// A metric whose score of a test set follows from sums of figures over its segments.
class Metric {
 public:
  virtual ~Metric() = default;
  /// As in output: "BLEU", "chrF2++", "TER".
  virtual std::string name() const = 0;
  /// What distinguishes this setting of the metric from others.
  virtual SignatureFields signature() const = 0;
  /// How many figures a segment has.
  virtual std::size_t figures() const = 0;
  virtual std::unique_ptr<Comparer> comparer() const = 0;
  /// The score from sums of figures: 0 .. 100, TER also more.
  virtual double score(std::span<const double> sums) const = 0;
  /// What stands behind the score in the text format; may be empty.
  virtual std::string details(std::span<const double>) const { return ""; }
  /// The score of a random sample, computed in single precision as sacreBLEU does.
  virtual double sample_score(std::span<const float> sums) const = 0;
  /// True if a lower score is the better one.
  virtual bool lower_is_better() const { return false; }
  /// True if `sample_score` gives numbers of single precision, which are then averaged in it too.
  virtual bool single_precision() const { return false; }
};

}  // namespace gloss
