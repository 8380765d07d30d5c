// SPDX-License-Identifier: Apache-2.0

#include "pipeline/metrics/ter.h"

#include <algorithm>
#include <array>

#include "base/error.h"
#include "base/index.h"
#include "pipeline/metrics/segment_words.h"
#include "tokenizer/white_space.h"

namespace gloss {
namespace {

constexpr int kLongestShift = 10;
constexpr int kFarthestShift = 50;
constexpr int kMostCandidates = 1000;

class TerComparer : public Comparer {
 public:
  explicit TerComparer(const TerSettings& settings) : settings_(settings) {}

  void set_references(std::span<const std::string> references) override {
    numbers_.clear();
    texts_.clear();
    references_.resize(references.size());
    for (const std::string& reference : references) texts_.push_back(reference_words(reference));
    total_length_ = 0;
    for (std::size_t i = 0; i < references.size(); ++i) {
      number(texts_[i], references_[i]);
      total_length_ += static_cast<double>(references_[i].size());
    }
    // Only words of references get numbers.
  }

  void compare(std::string_view hypothesis, std::span<double> figures) override {
    const std::string text = tercom_words(trim_end(hypothesis), settings_);
    split_words(text, spaced_);
    hypothesis_.clear();
    // Words that no reference has can share the number kUnknown, since they match nothing.
    for (const std::string_view word : spaced_) hypothesis_.push_back(numbers_.find(word));
    int best = -1;
    for (const std::vector<std::uint32_t>& reference : references_) {
      const int edits = edits_.count(hypothesis_, reference);
      if (best < 0 || edits < best) best = edits;
    }
    figures[0] = std::max(best, 0);
    figures[1] = references_.empty() ? 0 : total_length_ / static_cast<double>(references_.size());
  }

 private:
  /// sacreBLEU prepares references twice, which matters where the first time separates a mark from a word: of
  /// "at Jim's.", the second time splits off "'s".
  std::string reference_words(const std::string& reference) {
    const std::string once = tercom_words(trim_end(reference), settings_);
    if (!settings_.normalized) return once;
    split_words(once, spaced_);
    return tercom_words(join(std::vector<std::string>(spaced_.begin(), spaced_.end()), " "), settings_);
  }

  void number(std::string_view text, std::vector<std::uint32_t>& out) {
    split_words(text, spaced_);
    out.clear();
    for (const std::string_view word : spaced_) out.push_back(numbers_.add(word));
  }

  const TerSettings& settings_;
  TranslationEdits edits_;
  WordNumbers numbers_;
  std::vector<std::string> texts_;
  std::vector<std::string_view> spaced_;
  std::vector<std::vector<std::uint32_t>> references_;
  std::vector<std::uint32_t> hypothesis_;
  double total_length_ = 0;
};

/// `Real` is the type of the ratio: float for random samples, double otherwise.
template <class Real>
double edit_rate(Real edits, Real length) {
  if (length > 0) return 100.0 * static_cast<double>(edits / length);
  return edits > 0 ? 100 : 0;
}

}  // namespace

int TranslationEdits::count(Words hypothesis, Words reference) {
  if (reference.empty()) return static_cast<int>(hypothesis.size());
  if (hypothesis.empty()) return static_cast<int>(reference.size());
  words_.assign(hypothesis.begin(), hypothesis.end());

  checked_ = 0;
  int shifts = 0;
  distance_.compare(words_, reference);
  while (true) {
    Shift best;
    const bool found = best_shift(reference, best);
    if (checked_ >= kMostCandidates || !found || best.gain <= 0) break;
    const std::size_t first = shifted(best).first;
    std::copy(changed_.begin(), changed_.end(), words_.begin() + static_cast<std::ptrdiff_t>(first));
    ++shifts;
    distance_.compare(words_, reference);
  }
  return shifts + distance_.distance();
}

/// Links the positions of each word in the reference, to find matches without trying all pairs.
void TranslationEdits::index_places(Words reference) {
  first_place_.assign(std::size_t{1} + *std::max_element(reference.begin(), reference.end()), -1);
  next_place_.assign(reference.size(), -1);
  for (std::size_t i = reference.size(); i-- > 0;) {
    next_place_[i] = first_place_[reference[i]];
    first_place_[reference[i]] = static_cast<int>(i);
  }
}

/// Writes the words that change with a shift, in their new order, to changed_; returns the begin and end of
/// their range in the hypothesis.
std::pair<std::size_t, std::size_t> TranslationEdits::shifted(const Shift& shift) {
  const auto at = [&](int place) {
    return words_.begin() + std::min<std::ptrdiff_t>(place, static_cast<std::ptrdiff_t>(words_.size()));
  };
  const int end = shift.start + shift.length;
  changed_.clear();
  if (shift.target < shift.start) {
    changed_.insert(changed_.end(), at(shift.start), at(end));
    changed_.insert(changed_.end(), at(shift.target), at(shift.start));
    return {shift.target, end};
  }
  // A target within the phrase moves the phrase to the right by its length.
  const int until = shift.target > end ? shift.target : shift.target + shift.length;
  changed_.insert(changed_.end(), at(end), at(until));
  changed_.insert(changed_.end(), at(shift.start), at(end));
  return {shift.start, std::min<std::size_t>(index(until), words_.size())};
}

/// Aligns reference words with hypothesis words, and counts the errors before each word.
void TranslationEdits::align(Words reference) {
  distance_.trace_back(edits_);
  alignment_.assign(reference.size(), -1);
  hypothesis_errors_.assign(words_.size() + 1, 0);
  reference_errors_.assign(reference.size() + 1, 0);
  int in_hypothesis = -1, in_reference = -1;
  for (std::size_t i = edits_.size(); i-- > 0;) {
    const Edit edit = edits_[i];
    const int error = edit == Edit::keep ? 0 : 1;
    if (edit != Edit::insert) {
      ++in_hypothesis;
      const auto at = index(in_hypothesis);
      hypothesis_errors_[at + 1] = hypothesis_errors_[at] + error;
    }
    if (edit != Edit::remove) {
      ++in_reference;
      const auto at = index(in_reference);
      reference_errors_[at + 1] = reference_errors_[at] + error;
      alignment_[at] = in_hypothesis;
    }
  }
}

/// Tries all shifts of phrases to their positions in the reference; false if there is none.
bool TranslationEdits::best_shift(Words reference, Shift& best) {
  align(reference);
  index_places(reference);
  const int before = distance_.distance();
  const int hypothesis_length = static_cast<int>(words_.size());
  const int reference_length = static_cast<int>(reference.size());
  const auto word = [&](int place) { return words_[index(place)]; };
  const auto errors = [](const std::vector<int>& sums, int start, int length) {
    return sums[index(start + length)] - sums[index(start)];
  };
  bool found = false;
  for (int start = 0; start < hypothesis_length; ++start) {
    if (word(start) >= first_place_.size()) continue;
    int& first = first_place_[word(start)];  // places too far before this start are so for all later ones
    while (first >= 0 && start - first > kFarthestShift) first = next_place_[index(first)];
    for (int place = first; place >= 0; place = next_place_[index(place)]) {
      if (place - start > kFarthestShift) break;
      const int longest = std::min({kLongestShift, hypothesis_length - start, reference_length - place});
      for (int length = 1; length <= longest; ++length) {
        if (word(start + length - 1) != reference[index(place + length - 1)]) break;
        // Both sides must contain errors, and the target must not be within the phrase.
        if (errors(hypothesis_errors_, start, length) == 0 || errors(reference_errors_, place, length) == 0)
          continue;
        const int partner = alignment_[index(place)];
        if (start <= partner && partner < start + length) continue;
        int tried = -1;
        for (int offset = -1; offset < length; ++offset) {
          const int beside = place + offset;
          if (beside >= reference_length) break;
          const int target = beside < 0 ? 0 : alignment_[index(beside)] + 1;
          if (target == tried) continue;
          tried = target;
          consider({0, length, start, target}, before, best, found);
        }
        if (checked_ >= kMostCandidates) return found;
      }
    }
  }
  return found;
}

/// Keeps the better of two shifts: the higher gain, then the longer phrase, then the earlier start and
/// target.
void TranslationEdits::consider(Shift shift, int distance, Shift& best, bool& found) {
  const auto [first, last] = shifted(shift);
  shift.gain = distance - distance_.distance_with(first, changed_);
  ++checked_;
  const auto rank = [](const Shift& s) { return std::array<int, 4>{s.gain, s.length, -s.start, -s.target}; };
  if (!found || rank(shift) > rank(best)) best = shift;
  found = true;
}

SignatureFields Ter::signature() const {
  const auto yes = [](bool value) { return std::string(value ? "yes" : "no"); };
  return {{"case", "c", settings_.case_sensitive ? "mixed" : "lc"},
          {"tok", "t", "tercom"},
          {"norm", "nr", yes(settings_.normalized)},
          {"punct", "pn", yes(!settings_.no_punct)},
          {"asian", "as", yes(settings_.asian_support)}};
}

std::unique_ptr<Comparer> Ter::comparer() const { return std::make_unique<TerComparer>(settings_); }

double Ter::score(std::span<const double> sums) const { return edit_rate(sums[0], sums[1]); }

double Ter::sample_score(std::span<const float> sums) const { return edit_rate(sums[0], sums[1]); }

}  // namespace gloss
