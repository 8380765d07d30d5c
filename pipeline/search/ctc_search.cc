// SPDX-License-Identifier: Apache-2.0

#include "pipeline/search/ctc_search.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>

#include "base/index.h"
#include "base/log_numbers.h"
#include "base/threads.h"
#include "model/tensor/operation_threads.h"
#include "model/tensor/ops_ctc.h"

namespace gloss {
namespace {

/// A text that paths have written so far.
struct Beginning {
  int number;                 ///< in the tree of beginnings
  double blank = kLogOfZero;  ///< log-probability of its paths that end with the blank
  double label = kLogOfZero;  ///< of those that end with its last token

  double all() const { return log_add(blank, label); }
};

/// All beginnings of a search: each is another one and a token.
class Beginnings {
 public:
  static constexpr int kEmpty = 0;

  TokenId last(int number) const { return tokens_[index(number)]; }
  int length(int number) const { return lengths_[index(number)]; }
  int parent(int number) const { return parents_[index(number)]; }
  int extended(int number, TokenId token) {
    const auto [found, added] = children_.try_emplace({number, token}, static_cast<int>(tokens_.size()));
    if (added) {
      tokens_.push_back(token);
      parents_.push_back(number);
      lengths_.push_back(length(number) + 1);
    }
    return found->second;
  }
  std::vector<TokenId> text(int number) const {
    std::vector<TokenId> tokens(index(length(number)));
    for (auto to = tokens.rbegin(); to != tokens.rend(); ++to, number = parent(number)) *to = last(number);
    return tokens;
  }

 private:
  std::vector<TokenId> tokens_{-1};  // the last token of each
  std::vector<int> parents_{-1}, lengths_{0};
  std::map<std::pair<int, TokenId>, int> children_;
};

/// Prefix beam search of one row.
class PrefixSearch {
 public:
  PrefixSearch(const CtcAlphabet& alphabet, const SearchSettings& settings)
      : alphabet_(alphabet), settings_(settings) {
    kept_.push_back({.number = Beginnings::kEmpty, .blank = 0});
  }

  /// Takes the log-probabilities of the next vector.
  void step(std::span<const double> log_p) {
    next_.clear();
    const std::vector<TokenId> candidates = best_tokens(log_p);
    for (const Beginning& from : kept_) {
      stay(from, log_p);
      if (tree_.length(from.number) >= settings_.max_length) continue;
      const std::vector<TokenId> text =
          alphabet_.rules.empty() ? std::vector<TokenId>() : tree_.text(from.number);
      for (const TokenId token : candidates) extend(from, text, token, log_p);
      // An extension that is kept already gets its share, however improbable its token is.
      for (const Beginning& child : kept_) {
        if (tree_.parent(child.number) != from.number) continue;
        const TokenId token = tree_.last(child.number);
        if (!std::ranges::binary_search(candidates, token)) extend(from, text, token, log_p);
      }
    }
    kept_.clear();
    for (const auto& [number, beginning] : next_) kept_.push_back(beginning);
    std::ranges::stable_sort(kept_, std::greater(), &Beginning::all);
    kept_.resize(std::min(kept_.size(), index(settings_.beam_size)));
  }

  std::vector<Hypothesis> found() const {
    std::vector<Hypothesis> best;
    for (const Beginning& text : kept_) {
      if (best.size() == index(settings_.n_best)) break;
      Hypothesis hypothesis;
      hypothesis.tokens = tree_.text(text.number);
      hypothesis.log_probability = hypothesis.score = text.all();
      if (tree_.length(text.number) >= settings_.max_length) hypothesis.cut = Cut::by_length;
      best.push_back(std::move(hypothesis));
    }
    return best;
  }

 private:
  /// The tokens that can extend a beginning among the best ones, ascending: others are less probable than
  /// `beam_size` extensions of the same beginning.
  std::vector<TokenId> best_tokens(std::span<const double> log_p) const {
    std::vector<TokenId> tokens;
    for (TokenId token = 0; token < std::ssize(log_p); ++token) {
      if (token != alphabet_.blank && token != alphabet_.end) tokens.push_back(token);
    }
    std::optional<int> refused = 0;
    for (const Beginning& from : kept_) {
      const std::optional<int> of_this = most_refused(alphabet_.rules, index(tree_.length(from.number)));
      refused = refused && of_this ? std::optional(std::max(*refused, *of_this)) : std::nullopt;
    }
    if (refused) {
      const auto count = std::min(tokens.size(), index(settings_.beam_size + 1 + *refused));
      std::ranges::nth_element(
          tokens, tokens.begin() + static_cast<std::ptrdiff_t>(count) - 1, [&](auto a, auto b) {
            return log_p[index(a)] != log_p[index(b)] ? log_p[index(a)] > log_p[index(b)] : a < b;
          });
      tokens.resize(count);
      std::ranges::sort(tokens);
    }
    return tokens;
  }
  Beginning& next(int number) { return next_.try_emplace(number, Beginning{.number = number}).first->second; }
  /// The vector is a blank or repeats the last token.
  void stay(const Beginning& from, std::span<const double> log_p) {
    Beginning& to = next(from.number);
    to.blank = log_add(to.blank, from.all() + log_p[index(alphabet_.blank)]);
    if (from.number == Beginnings::kEmpty) return;
    to.label = log_add(to.label, from.label + log_p[index(tree_.last(from.number))]);
  }
  /// The vector adds a token; after the same token, only a blank lets it count again.
  void extend(const Beginning& from, std::span<const TokenId> text, TokenId token,
              std::span<const double> log_p) {
    const double before = token == tree_.last(from.number) ? from.blank : from.all();
    if (before == kLogOfZero || !all_allow(alphabet_.rules, text, token)) return;
    Beginning& to = next(tree_.extended(from.number, token));
    to.label = log_add(to.label, before + log_p[index(token)]);
  }

  const CtcAlphabet& alphabet_;
  const SearchSettings& settings_;
  Beginnings tree_;
  std::vector<Beginning> kept_;    // the best first
  std::map<int, Beginning> next_;  // by number
};

/// The text of the most probable label of each vector.
Hypothesis best_path(std::span<const double> log_p, std::size_t vocabulary, const CtcAlphabet& alphabet,
                     const SearchSettings& settings) {
  Hypothesis path;
  TokenId before = alphabet.blank;
  for (std::size_t first = 0; first < log_p.size(); first += vocabulary) {
    const std::span<const double> vector = log_p.subspan(first, vocabulary);
    const bool full = std::ssize(path.tokens) >= settings.max_length;
    TokenId best = alphabet.blank;
    for (TokenId token = 0; token < std::ssize(vector); ++token) {
      if (token == alphabet.end || !(vector[index(token)] > vector[index(best)])) continue;
      if (token == before || (!full && all_allow(alphabet.rules, path.tokens, token))) best = token;
    }
    if (full) path.cut = Cut::by_length;
    if (best != alphabet.blank && best != before) path.tokens.push_back(best);
    path.log_probability += vector[index(best)];
    before = best;
  }
  path.score = path.log_probability;
  return path;
}

}  // namespace

std::vector<Hypothesis> ctc_search(std::span<const double> log_p, std::size_t vocabulary,
                                   const CtcAlphabet& alphabet, const SearchSettings& settings) {
  if (settings.beam_size == 1) return {best_path(log_p, vocabulary, alphabet, settings)};
  PrefixSearch search(alphabet, settings);
  for (std::size_t first = 0; first < log_p.size(); first += vocabulary)
    search.step(log_p.subspan(first, vocabulary));
  return search.found();
}

void ctc_search_in_batches(const VectorLabeller& labeller, const TokenRows& rows, const CtcAlphabet& alphabet,
                           const SearchSettings& settings, const SearchBatchSettings& batch_settings,
                           int threads, const RunningSearches::Found& found,
                           const std::function<void(int rows)>& finished) {
  const CtcAlphabet with_rules{alphabet.blank, alphabet.end, with_rules_of(settings, alphabet.rules)};
  const std::vector<std::vector<int>> batches = search_batches(rows, batch_settings, threads);
  std::mutex telling;
  for_each_item(threads, std::ssize(batches), [&](std::int64_t number) {
    const SingleThreaded alone;
    const std::vector<int>& batch = batches[index(number)];
    TokenRows sources;
    for (const int row : batch) sources.add(rows, row);
    const VectorLabels labels = labeller.label(sources);
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const std::vector<double> log_p =
          log_softmax(labels.scores, labels.starts[i], labels.starts[i + 1] - labels.starts[i]);
      found(batch[i], ctc_search(log_p, index(labels.scores.columns()), with_rules, settings));
    }
    const std::lock_guard lock(telling);
    finished(static_cast<int>(batch.size()));
  });
}

}  // namespace gloss
