// SPDX-License-Identifier: Apache-2.0

#include "pipeline/sentence_alignment/length_evidence.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace gloss {
namespace {

std::vector<std::int64_t> sums_before(const std::vector<std::int64_t>& lengths) {
  std::vector<std::int64_t> sums{0};
  for (const std::int64_t length : lengths) sums.push_back(sums.back() + length);
  return sums;
}

std::int64_t sum_of(const std::vector<std::int64_t>& sums, std::int64_t first, int count) {
  return sums[index(first + count)] - sums[index(first)];
}

}  // namespace

LengthEvidence::LengthEvidence(const SentenceLengths& lengths)
    : source_(sums_before(lengths.source)), target_(sums_before(lengths.target)) {
  set_factor(source_.back(), target_.back());
}

void LengthEvidence::set_factor(std::int64_t source, std::int64_t target) {
  constexpr double kLargest = 4;  // Chinese and English differ by a factor of about 3
  if (source == 0 || target == 0) return;
  factor_ = std::clamp(static_cast<double>(target) / static_cast<double>(source), 1 / kLargest, kLargest);
}

void LengthEvidence::learn(const Beads& beads) {
  std::int64_t source = 0, target = 0;
  for (const Bead& bead : beads) {
    if (!bead.is_pair()) continue;
    source += sum_of(source_, bead.source, bead.sources);
    target += sum_of(target_, bead.target, bead.targets);
  }
  set_factor(source, target);
}

double LengthEvidence::gain(const Bead& bead) const {
  constexpr double kVariance = 6.8;  // of the target characters for a source character (Gale and Church 1993)
  constexpr double kExpected = 1;    // the mean of -log p of a translation
  constexpr double kLeast = -20;
  const auto source = static_cast<double>(sum_of(source_, bead.source, bead.sources)),
             found = static_cast<double>(sum_of(target_, bead.target, bead.targets)),
             expected = source * factor_;
  const double mean = (source + found / factor_) / 2;
  const double deviation = std::abs(found - expected) / std::sqrt(kVariance * std::max(1.0, mean));
  constexpr double kFarthest = 8;  // erfc is 1e-15 there
  const double tail = std::erfc(std::min(deviation, kFarthest) / std::numbers::sqrt2);
  return kExpected + std::max(kLeast, std::log(tail));
}

void LengthEvidence::add_to(const GainRow& row) const {
  constexpr double kUntranslated = -3;  // a sentence without translation, beside its frequency
  const std::int64_t sources = std::ssize(source_) - 1, targets = std::ssize(target_) - 1;
  for (std::size_t shape = 0; shape < kBeadShapes.size(); ++shape) {
    const auto [of_source, of_target, share] = kBeadShapes[shape];
    const double frequency = std::log(share);
    if (row.source + of_source > sources) continue;
    for (std::int64_t column = row.columns.first;
         column < std::min(row.columns.last, targets + 1 - of_target); ++column) {
      const Bead bead{row.source, column, of_source, of_target};
      row.at(column, shape) += static_cast<float>(frequency + (bead.is_pair() ? gain(bead) : kUntranslated));
    }
  }
}

}  // namespace gloss
