// SPDX-License-Identifier: Apache-2.0

#include "pipeline/metrics/bleu.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "base/error.h"
#include "base/index.h"
#include "base/text.h"
#include "base/utf8.h"
#include "pipeline/metrics/segment_words.h"
#include "tokenizer/characters.h"
#include "tokenizer/white_space.h"

namespace gloss {
namespace {

double smoothing_value(const BleuSettings& settings) {
  return settings.smooth_value.value_or(settings.smooth_method == Smoothing::floor ? 0.1 : 1.0);
}

double brevity_penalty(std::int64_t hypothesis_length, std::int64_t reference_length) {
  if (hypothesis_length >= reference_length) return 1;
  if (hypothesis_length == 0) return 0;
  return std::exp(1 - static_cast<double>(reference_length) / static_cast<double>(hypothesis_length));
}

/// Fills `precisions` and returns BLEU without brevity penalty. `Real` is the type of the counts, which
/// smoothing adds to: float for random samples, double otherwise.
template <class Real>
double geometric_mean(std::vector<Real> correct, std::vector<Real> totals, const BleuSettings& settings,
                      std::vector<double>& precisions) {
  const std::size_t orders = correct.size();
  precisions.assign(orders, 0);
  if (std::all_of(correct.begin(), correct.end(), [](Real count) { return count == 0; })) return 0;
  const double value = smoothing_value(settings);
  double halvings = 1;
  std::size_t effective = orders;
  for (std::size_t n = 0; n < orders; ++n) {
    if (settings.smooth_method == Smoothing::add_k && n > 0) {
      correct[n] = static_cast<Real>(correct[n] + value);
      totals[n] = static_cast<Real>(totals[n] + value);
    }
    if (totals[n] == 0) break;
    if (settings.effective_order) effective = n + 1;
    if (correct[n] != 0) {
      precisions[n] = 100.0 * correct[n] / totals[n];
    } else if (settings.smooth_method == Smoothing::exp) {
      halvings *= 2;
      precisions[n] = 100.0 / (halvings * totals[n]);
    } else if (settings.smooth_method == Smoothing::floor) {
      precisions[n] = 100 * value / totals[n];
    }
  }
  constexpr double kLogOfZero = -9999999999.0;  // one order without a match makes the score 0
  double sum = 0;
  for (std::size_t n = 0; n < effective; ++n)
    sum += precisions[n] == 0 ? kLogOfZero : std::log(precisions[n]);
  return std::exp(sum / static_cast<double>(effective));
}

/// Splits lines into words.
class BleuReader {
 public:
  explicit BleuReader(const BleuSettings& settings)
      : settings_(settings), tokenizer_(make_tokenizer(settings.tokenize)) {}

  /// The words point into `text`, and the symbols are their numbers.
  template <class Number>
  const std::vector<std::uint32_t>& symbols(std::string_view line, std::string& text, const Number& number) {
    if (settings_.lowercase) {
      lowered_ = lower_case(line);
      line = lowered_;
    }
    tokenizer_->tokenize(trim_end(line), text, words_);
    symbols_.clear();
    for (const std::string_view word : words_) symbols_.push_back(number(word));
    return symbols_;
  }

 private:
  const BleuSettings& settings_;
  std::unique_ptr<WordTokenizer> tokenizer_;
  std::string lowered_;
  std::vector<std::string_view> words_;
  std::vector<std::uint32_t> symbols_;
};

/// Texts of a segment, and the numbers of their words, which point into them.
struct BleuTexts {
  void start(std::size_t texts) {
    numbers.clear();
    text.resize(std::max(text.size(), texts));
  }
  WordNumbers numbers;
  std::vector<std::string> text;
};

/// Writes the figures of a hypothesis of `length` words.
template <class Count>
void write_figures(std::int64_t length, double reference_length, const std::vector<Count>& matches,
                   std::span<double> figures) {
  const std::size_t orders = matches.size();
  figures[0] = static_cast<double>(length);
  figures[1] = reference_length;
  for (std::size_t n = 0; n < orders; ++n) {
    figures[2 + n] = static_cast<double>(matches[n]);
    figures[2 + orders + n] = static_cast<double>(ngrams_in(length, static_cast<int>(n) + 1));
  }
}

class BleuComparer : public Comparer {
 public:
  explicit BleuComparer(const BleuSettings& settings) : orders_(settings.max_order), reader_(settings) {}

  void set_references(std::span<const std::string> references) override {
    texts_.start(references.size());
    counts_.clear(orders_);
    lengths_.clear();
    for (std::size_t i = 0; i < references.size(); ++i) {
      const std::vector<std::uint32_t>& symbols = reader_.symbols(
          references[i], texts_.text[i], [this](std::string_view word) { return texts_.numbers.add(word); });
      counts_.add(symbols);
      lengths_.push_back(static_cast<std::int64_t>(symbols.size()));
    }
  }

  void compare(std::string_view hypothesis, std::span<double> figures) override {
    const std::vector<std::uint32_t>& symbols = reader_.symbols(
        hypothesis, text_, [this](std::string_view word) { return texts_.numbers.find(word); });
    matches_.assign(index(orders_), 0);
    counts_.match(symbols, matches_);
    const auto length = static_cast<std::int64_t>(symbols.size());
    write_figures(length, static_cast<double>(closest_length(length)), matches_, figures);
  }

 private:
  /// The length of the closest reference; among equally close ones, the shortest.
  std::int64_t closest_length(std::int64_t length) const {
    std::int64_t closest = -1;
    for (const std::int64_t candidate : lengths_) {
      const std::int64_t near = std::abs(candidate - length), best = std::abs(closest - length);
      if (closest < 0 || near < best || (near == best && candidate < closest)) closest = candidate;
    }
    return closest;
  }

  int orders_;
  BleuReader reader_;
  BleuTexts texts_;
  NgramCounts counts_;
  std::vector<std::int64_t> lengths_, matches_;
  std::string text_;
};

class BleuMeanComparer : public MeanComparer {
 public:
  explicit BleuMeanComparer(const BleuSettings& settings) : orders_(settings.max_order), reader_(settings) {}

  void set_references(std::span<const std::string> references, std::span<const double> weights) override {
    texts_.start(references.size());
    counts_.clear(orders_);
    double length = 0;
    for (std::size_t i = 0; i < references.size(); ++i) {
      const std::vector<std::uint32_t>& symbols = reader_.symbols(
          references[i], texts_.text[i], [this](std::string_view word) { return texts_.numbers.add(word); });
      counts_.add(symbols, weights[i]);
      length += weights[i] * static_cast<double>(symbols.size());
    }
    length_ = std::round(length);  // BLEU counts whole words
  }

  void compare(std::string_view hypothesis, std::span<double> figures) override {
    const std::vector<std::uint32_t>& symbols = reader_.symbols(
        hypothesis, text_, [this](std::string_view word) { return texts_.numbers.find(word); });
    matches_.resize(index(orders_));
    counts_.match(symbols, matches_);
    write_figures(static_cast<std::int64_t>(symbols.size()), length_, matches_, figures);
  }

 private:
  int orders_;
  BleuReader reader_;
  BleuTexts texts_;
  MeanNgramCounts counts_;
  double length_ = 0;
  std::vector<double> matches_;
  std::string text_;
};

}  // namespace

std::string BleuScore::details() const {
  std::string text;
  for (const double precision : precisions) text += (text.empty() ? "" : "/") + fixed_text(precision, 1);
  const double ratio = reference_length == 0
                           ? 0
                           : static_cast<double>(hypothesis_length) / static_cast<double>(reference_length);
  return concat(text, " (BP = ", fixed_text(brevity_penalty, 3), " ratio = ", fixed_text(ratio, 3),
                " hyp_len = ", hypothesis_length, " ref_len = ", reference_length, ")");
}

BleuScore bleu_of_counts(std::span<const double> correct, std::span<const double> totals,
                         std::int64_t hypothesis_length, std::int64_t reference_length,
                         const BleuSettings& settings) {
  BleuScore result;
  result.correct.assign(correct.begin(), correct.end());
  result.totals.assign(totals.begin(), totals.end());
  result.hypothesis_length = hypothesis_length;
  result.reference_length = reference_length;
  result.brevity_penalty = brevity_penalty(hypothesis_length, reference_length);
  result.score = result.brevity_penalty *
                 geometric_mean<double>(result.correct, result.totals, settings, result.precisions);
  return result;
}

BleuScore corpus_bleu(std::span<const std::string> hypotheses,
                      std::span<const std::vector<std::string>> references, const BleuSettings& settings) {
  expects(hypotheses.size() == references.size(), "corpus_bleu: ", hypotheses.size(), " hypotheses, but ",
          references.size(), " segments of references");
  const Bleu metric(settings);
  const auto comparer = metric.comparer();
  std::vector<double> sums(metric.figures(), 0), figures(metric.figures());
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < hypotheses.size(); ++i) {
    lines.clear();
    for (const std::string& reference : references[i]) lines.push_back(valid_utf8(reference));
    comparer->set_references(lines);
    comparer->compare(valid_utf8(hypotheses[i]), figures);
    for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += figures[k];
  }
  return metric.result(sums);
}

Bleu::Bleu(BleuSettings settings)
    : settings_(std::move(settings)), tokenizer_signature_(make_tokenizer(settings_.tokenize)->signature()) {
  expects(settings_.max_order > 0, "BLEU needs a max_order of at least 1, not ", settings_.max_order);
}

SignatureFields Bleu::signature() const {
  std::string smooth;
  switch (settings_.smooth_method) {
    case Smoothing::none:
      smooth = "none";
      break;
    case Smoothing::floor:
      smooth = "floor";
      break;
    case Smoothing::add_k:
      smooth = "add-k";
      break;
    case Smoothing::exp:
      smooth = "exp";
      break;
  }
  if (settings_.smooth_method == Smoothing::floor || settings_.smooth_method == Smoothing::add_k) {
    smooth += "[" + fixed_text(smoothing_value(settings_), 2) + "]";
  }
  return {{"case", "c", settings_.lowercase ? "lc" : "mixed"},
          {"eff", "e", settings_.effective_order ? "yes" : "no"},
          {"tok", "tok", tokenizer_signature_},
          {"smooth", "s", smooth}};
}

std::unique_ptr<Comparer> Bleu::comparer() const { return std::make_unique<BleuComparer>(settings_); }

std::unique_ptr<MeanComparer> Bleu::mean_comparer() const {
  return std::make_unique<BleuMeanComparer>(settings_);
}

BleuScore Bleu::result(std::span<const double> sums) const {
  const auto orders = index(settings_.max_order);
  return bleu_of_counts(sums.subspan(2, orders), sums.subspan(2 + orders, orders),
                        static_cast<std::int64_t>(sums[0]), static_cast<std::int64_t>(sums[1]), settings_);
}

double Bleu::score(std::span<const double> sums) const { return result(sums).score; }

std::string Bleu::details(std::span<const double> sums) const { return result(sums).details(); }

double Bleu::sample_score(std::span<const float> sums) const {
  const auto counts = sums.begin() + 2;
  const auto middle = counts + settings_.max_order;
  std::vector<double> precisions;
  return brevity_penalty(static_cast<std::int64_t>(sums[0]), static_cast<std::int64_t>(sums[1])) *
         geometric_mean<float>({counts, middle}, {middle, sums.end()}, settings_, precisions);
}

}  // namespace gloss
