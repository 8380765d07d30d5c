// SPDX-License-Identifier: Apache-2.0

#include "pipeline/sentence_alignment/bead_search.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

#include "base/error.h"
#include "base/rounding.h"
#include "base/threads.h"

namespace gloss {
namespace {

constexpr double kUnreached = -std::numeric_limits<double>::infinity();

/// The best ways to the cells of a band.
class BeadLattice {
 public:
  explicit BeadLattice(const SearchBand& band) : band_(band) {
    starts_.reserve(band.rows.size() + 1);
    for (const SentenceRange& row : band.rows) starts_.push_back(starts_.back() + index(row.size()));
    shapes_.resize(starts_.back());
    for (std::int64_t row = band.first; row < band.first + kRows; ++row) open(row);
    sums(band.first)[0] = 0;
  }

  /// Extends the best ways to the cells of a row by all beads. Rows must come in order.
  void extend(const GainRow& row) {
    for (std::int64_t target = row.columns.first; target < row.columns.last; ++target) {
      const double sum = sums(row.source)[index(target - row.columns.first)];
      if (sum == kUnreached) continue;
      for (std::size_t shape = 0; shape < kBeadShapes.size(); ++shape) {
        reach(row.source + kBeadShapes[shape].sources, target + kBeadShapes[shape].targets,
              sum + static_cast<double>(row.at(target, shape)), shape);
      }
    }
    open(row.source + kRows);
  }

  /// The beads of the best way to the last cell, without scores.
  Beads beads() const {
    Beads beads;
    Bead bead{.source = band_.last(), .target = band_.rows.back().last - 1};
    expects(sums_[index(bead.source % kRows)].back() != kUnreached, "no beads cover a paragraph");
    while (bead.source > band_.first || bead.target > band_.rows.front().first) {
      const BeadShape& shape = kBeadShapes[shapes_[cell(bead.source, bead.target)]];
      bead.source -= shape.sources;
      bead.target -= shape.targets;
      beads.push_back({bead.source, bead.target, shape.sources, shape.targets});
    }
    std::ranges::reverse(beads);
    return beads;
  }

 private:
  static constexpr std::int64_t kRows = kLongestSide + 1;  // that beads reach from one row

  std::size_t cell(std::int64_t source, std::int64_t target) const {
    return starts_[index(source - band_.first)] + index(target - band_.row(source).first);
  }
  std::vector<double>& sums(std::int64_t source) { return sums_[index(source % kRows)]; }
  void open(std::int64_t source) {
    if (source <= band_.last()) sums(source).assign(index(band_.row(source).size()), kUnreached);
  }
  void reach(std::int64_t source, std::int64_t target, double sum, std::size_t shape) {
    if (source > band_.last()) return;
    const SentenceRange& row = band_.row(source);
    if (target < row.first || target >= row.last) return;
    double& best = sums(source)[index(target - row.first)];
    if (sum <= best) return;
    best = sum;
    shapes_[cell(source, target)] = static_cast<std::uint8_t>(shape);
  }

  const SearchBand& band_;
  std::vector<std::size_t> starts_{0};             // of the cells of each row, and the end
  std::vector<std::uint8_t> shapes_;               // of the last bead on the best way to each cell
  std::array<std::vector<double>, kRows> sums_{};  // of gains on the best ways to the cells of some rows
};

/// Sets `gains` to those of all evidence, and returns the row that it holds.
GainRow gains_of(std::int64_t source, const SentenceRange& columns, const Evidence& evidence,
                 std::vector<float>& gains) {
  gains.assign(index(columns.size()) * kBeadShapes.size(), 0);
  const GainRow row{source, columns, gains};
  for (const BeadEvidence* kind : evidence) kind->add_to(row);
  return row;
}

}  // namespace

SearchBand whole_band(const Paragraph& paragraph) {
  const auto& [source, target] = paragraph;
  return {source.first,
          std::vector<SentenceRange>(index(source.size()) + 1, {target.first, target.last + 1})};
}

Beads best_beads(const SearchBand& band, const Evidence& evidence, int threads) {
  constexpr std::int64_t kAtOnce = 64;
  BeadLattice lattice(band);
  std::vector<std::vector<float>> gains(index(kAtOnce));
  std::vector<GainRow> rows(index(kAtOnce));
  for (std::int64_t first = band.first; first <= band.last(); first += kAtOnce) {
    const std::int64_t count = std::min(kAtOnce, band.last() + 1 - first);
    for_each_item(threads, count, [&](std::int64_t i) {
      rows[index(i)] = gains_of(first + i, band.row(first + i), evidence, gains[index(i)]);
    });
    for (std::int64_t i = 0; i < count; ++i) lattice.extend(rows[index(i)]);
  }
  Beads beads = lattice.beads();
  for_each_item(threads, ceil_div(std::ssize(beads), kAtOnce), [&](std::int64_t part) {
    std::vector<float> own;
    for (std::int64_t i = part * kAtOnce; i < std::min((part + 1) * kAtOnce, std::ssize(beads)); ++i) {
      Bead& bead = beads[index(i)];
      const GainRow row = gains_of(bead.source, {bead.target, bead.target + 1}, evidence, own);
      bead.score = static_cast<double>(row.at(bead.target, shape_of(bead)));
    }
  });
  return beads;
}

}  // namespace gloss
