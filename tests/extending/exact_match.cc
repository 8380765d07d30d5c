// SPDX-License-Identifier: Apache-2.0

#include "tests/extending/exact_match.h"

#include <algorithm>

namespace gloss {
namespace {

class ExactComparer : public Comparer {
 public:
  void set_references(std::span<const std::string> references) override { references_ = references; }
  void compare(std::string_view hypothesis, std::span<double> figures) override {
    figures[0] = std::ranges::count(references_, hypothesis) > 0 ? 1 : 0;
    figures[1] = 1;
  }

 private:
  std::span<const std::string> references_;
};

double percentage(double part, double whole) { return whole > 0 ? 100 * part / whole : 0; }

}  // namespace

std::unique_ptr<Comparer> ExactMatch::comparer() const { return std::make_unique<ExactComparer>(); }

double ExactMatch::score(std::span<const double> sums) const { return percentage(sums[0], sums[1]); }

double ExactMatch::sample_score(std::span<const float> sums) const {
  return percentage(static_cast<double>(sums[0]), static_cast<double>(sums[1]));
}

}  // namespace gloss
