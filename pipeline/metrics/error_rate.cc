// SPDX-License-Identifier: Apache-2.0

#include "pipeline/metrics/error_rate.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/text.h"
#include "base/utf8.h"
#include "pipeline/metrics/fewest_edits.h"
#include "pipeline/metrics/segment_words.h"
#include "tokenizer/white_space.h"

namespace gloss {
namespace {

class ErrorRateComparer : public Comparer {
 public:
  explicit ErrorRateComparer(ErrorUnit unit) : unit_(unit) {}

  void set_references(std::span<const std::string> references) override {
    numbers_.clear();
    references_.resize(references.size());
    for (std::size_t i = 0; i < references.size(); ++i) {
      split(references[i]);
      references_[i].clear();
      for (const std::string_view part : parts_) references_[i].push_back(numbers_.add(part));
    }
  }

  void compare(std::string_view hypothesis, std::span<double> figures) override {
    split(hypothesis);
    hypothesis_.clear();
    for (const std::string_view part : parts_) hypothesis_.push_back(numbers_.find(part));
    EditCounts best;
    double best_length = -1;
    for (const std::vector<std::uint32_t>& reference : references_) {
      edits_.set_reference(reference);
      const EditCounts edits = edits_.count(hypothesis_);
      const auto length = static_cast<double>(reference.size());
      // Compares the rates, of which those of an empty reference are the highest.
      const bool better = best_length < 0 || edits.all() * best_length < best.all() * length ||
                          (best_length == 0 && length > 0);
      if (!better) continue;
      best = edits;
      best_length = length;
    }
    figures[0] = best.substitutions;
    figures[1] = best.deletions;
    figures[2] = best.insertions;
    figures[3] = std::max(0.0, best_length);
  }

 private:
  /// Splits a line into its words or characters.
  void split(std::string_view line) {
    if (unit_ == ErrorUnit::words) return split_words(line, parts_);
    parts_.clear();
    for (std::string_view rest = trimmed(line); !rest.empty();) {
      const std::size_t size = character_size(rest);
      parts_.push_back(rest.substr(0, size));
      rest.remove_prefix(size);
    }
  }

  ErrorUnit unit_;
  WordNumbers numbers_;
  std::vector<std::string_view> parts_;
  std::vector<std::vector<std::uint32_t>> references_;
  std::vector<std::uint32_t> hypothesis_;
  FewestEdits edits_;
};

/// `Real` is the type of the ratio: float for random samples, double otherwise.
template <class Real>
double rate(std::span<const Real> sums) {
  const Real edits = sums[0] + sums[1] + sums[2];
  if (sums[3] > 0) return 100.0 * static_cast<double>(edits / sums[3]);
  return edits > 0 ? 100 : 0;
}

}  // namespace

SignatureFields ErrorRate::signature() const {
  return {{"case", "c", "mixed"}, {"unit", "u", unit_ == ErrorUnit::words ? "words" : "characters"}};
}

std::unique_ptr<Comparer> ErrorRate::comparer() const { return std::make_unique<ErrorRateComparer>(unit_); }

double ErrorRate::score(std::span<const double> sums) const { return rate(sums); }

std::string ErrorRate::details(std::span<const double> sums) const {
  const auto count = [&](std::size_t figure) { return static_cast<std::int64_t>(sums[figure]); };
  return concat("(", count(0), " substituted, ", count(1), " deleted, ", count(2), " inserted; ", count(3),
                unit_ == ErrorUnit::words ? " words" : " characters", " in the references)");
}

double ErrorRate::sample_score(std::span<const float> sums) const { return rate(sums); }

}  // namespace gloss
