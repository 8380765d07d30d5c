// SPDX-License-Identifier: Apache-2.0

#include "model/tensor/ops_ctc.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.h"
#include "base/index.h"
#include "base/log_numbers.h"
#include "model/tensor/operation_threads.h"
#include "model/tensor/ops.h"
#include "model/tensor/profile.h"
#include "model/tensor/row_values.h"

namespace gloss {
namespace {

const ProfiledOperation kCtc("loss: paths of labels"), kCtcGradient("loss: gradient of paths");

/// The paths of a row's labels through its vectors. A path is in one of 2 * labels + 1 states: at a label, or
/// at the blank before or after one.
class LabelPaths {
 public:
  /// log_p [vectors, vocabulary].
  LabelPaths(std::span<const double> log_p, std::int64_t vocabulary, std::span<const std::int32_t> labels,
             std::int32_t blank)
      : log_p_(log_p),
        vocabulary_(index(vocabulary)),
        labels_(labels),
        blank_(blank),
        states_(2 * labels.size() + 1),
        vectors_(log_p.size() / vocabulary_) {
    run_forwards();
  }

  double log_probability() const { return log_probability_; }

  /// Adds the probability that a path with these labels has each label at each vector, times `factor`, to
  /// [vectors, vocabulary].
  void add_shares(float factor, std::span<float> to) const {
    std::vector<double> after(states_, kLogOfZero), next(states_);
    for (std::size_t t = vectors_; t-- > 0;) {
      for (std::size_t s = 0; s < states_; ++s) next[s] = log_after(after, t, s);
      after.swap(next);
      for (std::size_t s = 0; s < states_; ++s) {
        const double share = before_[t * states_ + s] + after[s] - log_probability_;
        to[t * vocabulary_ + label_of(s)] += factor * static_cast<float>(std::exp(share));
      }
    }
  }

 private:
  std::size_t label_of(std::size_t state) const {
    return index(state % 2 == 0 ? blank_ : labels_[state / 2]);
  }
  double log_p(std::size_t vector, std::size_t state) const {
    return log_p_[vector * vocabulary_ + label_of(state)];
  }
  /// True if a path may go from the label before to this state, without the blank between them.
  bool skips_blank(std::size_t state) const {
    return state % 2 == 1 && state >= 3 && labels_[state / 2] != labels_[state / 2 - 1];
  }

  /// before_[t, s]: log of the probability of the first t + 1 predictions of all paths that are in s at t.
  void run_forwards() {
    before_.assign(vectors_ * states_, kLogOfZero);
    for (std::size_t t = 0; t < vectors_; ++t) {
      const double* const last = t == 0 ? nullptr : before_.data() + (t - 1) * states_;
      for (std::size_t s = 0; s < states_; ++s) {
        double sum = last == nullptr ? (s < 2 ? 0 : kLogOfZero) : last[s];
        if (last != nullptr && s >= 1) sum = log_add(sum, last[s - 1]);
        if (last != nullptr && skips_blank(s)) sum = log_add(sum, last[s - 2]);
        before_[t * states_ + s] = sum + log_p(t, s);
      }
    }
    const double* const end = before_.data() + (vectors_ - 1) * states_;
    log_probability_ = log_add(end[states_ - 1], states_ > 1 ? end[states_ - 2] : kLogOfZero);
  }

  /// Log of the probability of the predictions after vector t, for a path that is in s at t; `after` has
  /// those of the next vector.
  double log_after(const std::vector<double>& after, std::size_t t, std::size_t s) const {
    if (t + 1 == vectors_) return s + 2 >= states_ ? 0 : kLogOfZero;
    double sum = after[s] + log_p(t + 1, s);
    if (s + 1 < states_) sum = log_add(sum, after[s + 1] + log_p(t + 1, s + 1));
    if (s + 2 < states_ && skips_blank(s + 2)) sum = log_add(sum, after[s + 2] + log_p(t + 1, s + 2));
    return sum;
  }

  std::span<const double> log_p_;
  std::size_t vocabulary_;
  std::span<const std::int32_t> labels_;
  std::int32_t blank_;
  std::size_t states_, vectors_;
  std::vector<double> before_;
  double log_probability_ = kLogOfZero;
};

}  // namespace

std::vector<double> log_softmax(const Tensor& scores, int first, int count) {
  const auto width = index(scores.columns());
  std::vector<double> log_p(index(count) * width);
  std::vector<float> row(width);
  for (int vector = 0; vector < count; ++vector) {
    read_row(scores, first + vector, row);
    const double most = *std::ranges::max_element(row);
    double sum = 0;
    for (const float score : row) sum += std::exp(score - most);
    const double log_sum = most + std::log(sum);
    std::ranges::transform(row, log_p.begin() + std::ssize(row) * vector,
                           [&](float score) { return score - log_sum; });
  }
  return log_p;
}

int shortest_ctc_path(std::span<const std::int32_t> labels) {
  int length = static_cast<int>(labels.size());
  for (std::size_t i = 1; i < labels.size(); ++i) length += labels[i] == labels[i - 1] ? 1 : 0;
  return length;
}

Tensor ctc_loss(const Tensor& scores, CtcLabels of) {
  const std::int64_t rows = std::ssize(of.starts) - 1, vocabulary = scores.columns();
  expects(of.label_starts.size() == of.starts.size() && of.starts.back() <= scores.rows(),
          "ctc_loss: ", scores.shape().text(), " scores for ", rows, " rows up to ", of.starts.back());
  const bool learns = any_wants_gradient({&scores, 1});
  const Tensor slope =
      Tensor::zeros({learns ? scores.rows() : 1, learns ? vocabulary : 1});  // of the loss, by score
  std::vector<double> losses(index(rows), 0.0);
  {
    const ProfiledTime time(kCtc, 8 * scores.count(), scores.bytes());
    parallel_ranges(rows, 1, [&](std::int64_t from, std::int64_t to) {
      for (std::int64_t row = from; row < to; ++row) {
        const auto r = index(row);
        const int first = of.starts[r], count = of.starts[r + 1] - first;
        const std::span labels = std::span(of.labels).subspan(
            index(of.label_starts[r]), index(of.label_starts[r + 1] - of.label_starts[r]));
        if (count == 0 || count < shortest_ctc_path(labels)) continue;
        const float weight = of.weights.empty() ? 1.0f : of.weights[r];
        const std::vector<double> log_p = log_softmax(scores, first, count);
        const LabelPaths paths(log_p, vocabulary, labels, of.blank);
        losses[r] = -weight * paths.log_probability();
        if (!learns) continue;
        const std::span<float> slopes(slope.data() + first * vocabulary, log_p.size());
        std::ranges::transform(log_p, slopes.begin(),
                               [&](double log) { return weight * static_cast<float>(std::exp(log)); });
        paths.add_shares(-weight, slopes);
      }
    });
  }
  Tensor sum = Tensor::zeros({1});
  sum.data()[0] = static_cast<float>(std::accumulate(losses.begin(), losses.end(), 0.0));
  return record(sum, {scores.without_values()}, [slope](const Tensor& dy, std::span<const Tensor> inputs) {
    const Tensor dx = inputs[0].gradient();
    const ProfiledTime time(kCtcGradient, 2 * dx.count(), 2 * dx.bytes());
    const float factor = dy.data()[0];
    parallel_ranges(dx.rows(), 64, [&](std::int64_t first, std::int64_t last) {
      std::vector<float> row(index(dx.columns()));
      for (std::int64_t r = first; r < last; ++r) {
        read_row(dx, r, row);
        const float* const more = slope.data() + r * dx.columns();
        for (std::size_t i = 0; i < row.size(); ++i) row[i] += factor * more[i];
        write_row(row, dx, r);
      }
    });
  });
}

}  // namespace gloss
