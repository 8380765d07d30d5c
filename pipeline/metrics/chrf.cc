// SPDX-License-Identifier: Apache-2.0

#include "pipeline/metrics/chrf.h"

#include <algorithm>
#include <vector>

#include "base/error.h"
#include "base/index.h"
#include "pipeline/metrics/ngrams.h"
#include "pipeline/metrics/segment_words.h"
#include "tokenizer/characters.h"
#include "tokenizer/white_space.h"

namespace gloss {
namespace {

/// The F-score, 0 .. 100, from the figures. `Real` is their type: float for random samples, double otherwise.
template <class Real>
double f_score(std::span<const Real> figures, const ChrfSettings& settings) {
  constexpr double kTiny = 1e-16;
  const double factor = static_cast<double>(settings.beta) * settings.beta;
  double sum = 0, precisions = 0, recalls = 0;
  int effective = 0;
  for (std::size_t at = 0; at < figures.size(); at += 3) {
    const Real hypothesis = figures[at], reference = figures[at + 1], common = figures[at + 2];
    // Ratios of figures have their precision, all further arithmetic is in double precision.
    const double precision = hypothesis > 0 ? static_cast<double>(common / hypothesis) : kTiny;
    const double recall = reference > 0 ? static_cast<double>(common / reference) : kTiny;
    const double denominator = factor * precision + recall;
    sum += denominator > 0 ? (1 + factor) * precision * recall / denominator : kTiny;
    if (hypothesis > 0 && reference > 0) {
      precisions += precision;
      recalls += recall;
      ++effective;
    }
  }
  if (settings.eps_smoothing) return 100 * sum / static_cast<double>(figures.size() / 3);
  if (effective == 0 || precisions + recalls == 0) return 0;
  precisions /= effective;
  recalls /= effective;
  return 100 * ((1 + factor) * precisions * recalls / (factor * precisions + recalls));
}

constexpr bool is_ascii_punctuation(char c) {
  return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') || (c >= '{' && c <= '~');
}

/// Splits one punctuation mark off the end of each word or, if there is none, off its beginning.
void split_off_punctuation(const std::vector<std::string_view>& words, std::vector<std::string_view>& out) {
  out.clear();
  for (const std::string_view word : words) {
    if (word.size() > 1 && is_ascii_punctuation(word.back())) {
      out.push_back(word.substr(0, word.size() - 1));
      out.push_back(word.substr(word.size() - 1));
    } else if (word.size() > 1 && is_ascii_punctuation(word.front())) {
      out.push_back(word.substr(0, 1));
      out.push_back(word.substr(1));
    } else {
      out.push_back(word);
    }
  }
}

/// Splits lines into characters and words.
class ChrfReader {
 public:
  explicit ChrfReader(const ChrfSettings& settings) : settings_(settings) {}

  /// The text that `words` point into.
  std::string prepared(std::string_view line) const {
    return settings_.lowercase ? lower_case(line) : std::string(line);
  }
  const std::vector<std::uint32_t>& characters(std::string_view prepared) {
    code_points(prepared, points_);
    characters_.clear();
    for (const char32_t point : points_) {
      if (settings_.whitespace || !is_white_space(point)) characters_.push_back(point);
    }
    return characters_;
  }
  const std::vector<std::string_view>& words(std::string_view prepared) {
    split_words(prepared, spaced_);
    split_off_punctuation(spaced_, words_);
    return words_;
  }

 private:
  const ChrfSettings& settings_;
  std::u32string points_;
  std::vector<std::uint32_t> characters_;
  std::vector<std::string_view> spaced_, words_;
};

/// The numbers that `number` gives the words, in `symbols`.
template <class Number>
void number_words(const std::vector<std::string_view>& words, std::vector<std::uint32_t>& symbols,
                  const Number& number) {
  symbols.clear();
  for (const std::string_view word : words) symbols.push_back(number(word));
}

/// Writes the three figures of each order: for a hypothesis of `length` symbols, a reference with
/// `of_reference(n)` n-grams, and their matches.
template <class OfReference, class Count>
void write_chrf_figures(std::int64_t length, const OfReference& of_reference,
                        const std::vector<Count>& matches, std::span<double> figures) {
  for (std::size_t at = 0; at < matches.size(); ++at) {
    const int n = static_cast<int>(at) + 1;
    const auto total = static_cast<double>(of_reference(n));
    // Orders that exceed the reference's length do not count against the hypothesis.
    figures[3 * at] = total > 0 ? static_cast<double>(ngrams_in(length, n)) : 0;
    figures[3 * at + 1] = total;
    figures[3 * at + 2] = static_cast<double>(matches[at]);
  }
}

/// The n-grams of one reference.
struct Reference {
  std::string text;  // the word numbers point into it
  NgramCounts characters, words;
  WordNumbers numbers;
  std::int64_t character_count = 0, word_count = 0;
};

class ChrfComparer : public Comparer {
 public:
  explicit ChrfComparer(const ChrfSettings& settings) : settings_(settings), reader_(settings) {}

  void set_references(std::span<const std::string> references) override {
    count_ = references.size();
    while (references_.size() < count_) references_.push_back(std::make_unique<Reference>());
    for (std::size_t i = 0; i < count_; ++i) {
      Reference& reference = *references_[i];
      reference.text = reader_.prepared(references[i]);
      const std::vector<std::uint32_t>& characters = reader_.characters(reference.text);
      reference.characters.clear(settings_.char_order);
      reference.characters.add(characters);
      reference.character_count = static_cast<std::int64_t>(characters.size());
      if (settings_.word_order == 0) continue;
      reference.numbers.clear();
      number_words(reader_.words(reference.text), symbols_,
                   [&](std::string_view word) { return reference.numbers.add(word); });
      reference.words.clear(settings_.word_order);
      reference.words.add(symbols_);
      reference.word_count = static_cast<std::int64_t>(symbols_.size());
    }
  }

  void compare(std::string_view hypothesis, std::span<double> figures) override {
    const std::string text = reader_.prepared(hypothesis);
    const std::vector<std::uint32_t>& characters = reader_.characters(text);
    const std::vector<std::string_view>* const words =
        settings_.word_order > 0 ? &reader_.words(text) : nullptr;
    candidate_.resize(figures.size());
    std::fill(figures.begin(), figures.end(), 0);
    double best = -1;
    for (std::size_t i = 0; i < count_; ++i) {
      Reference& reference = *references_[i];
      fill(reference.characters, characters, reference.character_count, settings_.char_order, candidate_);
      if (words != nullptr) {
        number_words(*words, symbols_, [&](std::string_view word) { return reference.numbers.find(word); });
        fill(reference.words, symbols_, reference.word_count, settings_.word_order,
             std::span(candidate_).subspan(3 * index(settings_.char_order)));
      }
      const double f = count_ == 1 ? 0 : f_score<double>(candidate_, settings_);
      if (f > best) {
        best = f;
        std::copy(candidate_.begin(), candidate_.end(), figures.begin());
      }
    }
  }

 private:
  void fill(NgramCounts& counts, const std::vector<std::uint32_t>& symbols, std::int64_t reference_count,
            int orders, std::span<double> figures) {
    matches_.assign(index(orders), 0);
    counts.match(symbols, matches_);
    write_chrf_figures(
        std::ssize(symbols), [&](int n) { return ngrams_in(reference_count, n); }, matches_, figures);
  }

  const ChrfSettings& settings_;
  ChrfReader reader_;
  std::vector<std::unique_ptr<Reference>> references_;
  std::size_t count_ = 0;
  std::vector<std::uint32_t> symbols_;
  std::vector<std::int64_t> matches_;
  std::vector<double> candidate_;
};

class ChrfMeanComparer : public MeanComparer {
 public:
  explicit ChrfMeanComparer(const ChrfSettings& settings) : settings_(settings), reader_(settings) {}

  void set_references(std::span<const std::string> references, std::span<const double> weights) override {
    characters_.clear(settings_.char_order);
    words_.clear(settings_.word_order);
    numbers_.clear();
    texts_.clear();
    for (const std::string& reference : references) texts_.push_back(reader_.prepared(reference));
    for (std::size_t i = 0; i < texts_.size(); ++i) {
      characters_.add(reader_.characters(texts_[i]), weights[i]);
      if (settings_.word_order == 0) continue;
      number_words(reader_.words(texts_[i]), symbols_,
                   [&](std::string_view word) { return numbers_.add(word); });
      words_.add(symbols_, weights[i]);
    }
  }

  void compare(std::string_view hypothesis, std::span<double> figures) override {
    const std::string text = reader_.prepared(hypothesis);
    fill(characters_, reader_.characters(text), settings_.char_order, figures);
    if (settings_.word_order == 0) return;
    number_words(reader_.words(text), symbols_, [&](std::string_view word) { return numbers_.find(word); });
    fill(words_, symbols_, settings_.word_order, figures.subspan(3 * index(settings_.char_order)));
  }

 private:
  void fill(MeanNgramCounts& counts, const std::vector<std::uint32_t>& symbols, int orders,
            std::span<double> figures) {
    matches_.resize(index(orders));
    counts.match(symbols, matches_);
    write_chrf_figures(
        std::ssize(symbols), [&](int n) { return counts.total(n); }, matches_, figures);
  }

  const ChrfSettings& settings_;
  ChrfReader reader_;
  std::vector<std::string> texts_;  // the word numbers point into them
  MeanNgramCounts characters_, words_;
  WordNumbers numbers_;
  std::vector<std::uint32_t> symbols_;
  std::vector<double> matches_;
};

}  // namespace

Chrf::Chrf(const ChrfSettings& settings) : settings_(settings) {
  expects(
      settings.char_order >= 0 && settings.word_order >= 0 && settings.char_order + settings.word_order > 0,
      "chrF needs n-grams of characters or words");
}

std::string Chrf::name() const {
  return concat("chrF", settings_.beta) + std::string(index(settings_.word_order), '+');
}

SignatureFields Chrf::signature() const {
  return {{"case", "c", settings_.lowercase ? "lc" : "mixed"},
          {"eff", "e", settings_.eps_smoothing ? "no" : "yes"},
          {"nc", "nc", concat(settings_.char_order)},
          {"nw", "nw", concat(settings_.word_order)},
          {"space", "s", settings_.whitespace ? "yes" : "no"}};
}

std::unique_ptr<Comparer> Chrf::comparer() const { return std::make_unique<ChrfComparer>(settings_); }

std::unique_ptr<MeanComparer> Chrf::mean_comparer() const {
  return std::make_unique<ChrfMeanComparer>(settings_);
}

double Chrf::score(std::span<const double> sums) const { return f_score<double>(sums, settings_); }

double Chrf::sample_score(std::span<const float> sums) const { return f_score<float>(sums, settings_); }

}  // namespace gloss
