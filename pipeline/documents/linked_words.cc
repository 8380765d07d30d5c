// SPDX-License-Identifier: Apache-2.0

#include "pipeline/documents/linked_words.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "pipeline/examples/piece_words.h"
#include "tokenizer/characters.h"
#include "tokenizer/sentences/unicode_words.h"

namespace gloss {
namespace {

bool is_mark(std::string_view word) { return !is_word_character(code_points(word).front()); }

/// The words that occur once, with their numbers.
std::map<std::string_view, std::size_t> single_words(const std::vector<std::string_view>& words) {
  std::map<std::string_view, std::size_t> found;
  std::map<std::string_view, int> times;
  for (std::size_t i = 0; i < words.size(); ++i) {
    found[words[i]] = i;
    ++times[words[i]];
  }
  std::erase_if(found, [&](const auto& word) { return times[word.first] > 1 || is_mark(word.first); });
  return found;
}

/// Changes the shares of a sentence, [targets, sources], where the words themselves show what belongs
/// together: words that both sides have once, if the shares do not speak against it, and the marks at their
/// ends.
void link_same_words(const std::vector<std::string_view>& sources,
                     const std::vector<std::string_view>& targets, std::vector<float>& shares) {
  if (sources.empty() || targets.empty()) return;
  constexpr float kLeast = 0.1f;  // else they are false friends
  const auto link = [&](std::size_t source, std::size_t target) {
    const auto row = shares.begin() + static_cast<std::ptrdiff_t>(target * sources.size());
    std::fill(row, row + std::ssize(sources), 0.0f);
    row[static_cast<std::ptrdiff_t>(source)] = 1;
  };
  const std::map<std::string_view, std::size_t> single = single_words(sources);
  for (const auto& [word, target] : single_words(targets)) {
    const auto same = single.find(word);
    if (same == single.end()) continue;
    const auto row = shares.begin() + static_cast<std::ptrdiff_t>(target * sources.size());
    float all = 0;
    for (auto share = row; share != row + std::ssize(sources); ++share) all += *share;
    if (row[static_cast<std::ptrdiff_t>(same->second)] >= kLeast * all) link(same->second, target);
  }
  if (is_mark(sources.back()) && is_mark(targets.back())) link(sources.size() - 1, targets.size() - 1);
}

/// The first word that ends after this byte.
std::size_t word_after(const std::vector<ByteRange>& words, std::size_t byte) {
  const auto ends_before = [](const ByteRange& word, std::size_t at) { return word.end <= at; };
  return static_cast<std::size_t>(std::lower_bound(words.begin(), words.end(), byte, ends_before) -
                                  words.begin());
}

/// How many bytes of a token a word has.
struct TokenPart {
  std::size_t word, bytes;
};

/// For each token, its parts in the words of `span`.
std::vector<std::vector<TokenPart>> parts_of_tokens(const std::vector<std::size_t>& ends, std::size_t begin,
                                                    const std::vector<ByteRange>& words, WordSpan span) {
  std::vector<std::vector<TokenPart>> parts(ends.size());
  std::size_t word = span.begin, at = begin;
  for (std::size_t token = 0; token < ends.size(); ++token) {
    const std::size_t end = begin + ends[token];
    while (word < span.end && words[word].begin < end) {
      const std::size_t first = std::max(at, words[word].begin), last = std::min(end, words[word].end);
      if (first < last) parts[token].push_back({word - span.begin, last - first});
      if (words[word].end > end) break;
      ++word;
    }
    at = end;
  }
  return parts;
}

std::vector<std::string_view> texts_of(std::string_view text, const std::vector<ByteRange>& words,
                                       WordSpan span) {
  std::vector<std::string_view> texts;
  for (std::size_t word = span.begin; word < span.end; ++word) texts.push_back(words[word].of(text));
  return texts;
}

/// Shares by position, for sentences whose tokens have no links: [targets, sources].
std::vector<float> shares_by_position(std::size_t targets, std::size_t sources) {
  std::vector<float> shares(targets * sources);
  for (std::size_t target = 0; target < targets && sources > 0; ++target) {
    shares[target * sources + target * sources / targets] = 1;
  }
  return shares;
}

/// Shares by the attention between tokens: [targets, sources].
std::vector<float> shares_by_attention(const TokenLinks& links,
                                       const std::vector<std::vector<TokenPart>>& source_parts,
                                       const std::vector<std::vector<TokenPart>>& target_parts,
                                       std::size_t targets, std::size_t sources) {
  std::vector<float> shares(targets * sources), of_token(sources);
  for (std::size_t row = 0; row < target_parts.size(); ++row) {
    std::fill(of_token.begin(), of_token.end(), 0.0f);
    for (std::size_t column = 0; column < source_parts.size(); ++column) {
      std::size_t all = 0;
      for (const TokenPart& part : source_parts[column]) all += part.bytes;
      for (const TokenPart& part : source_parts[column]) {
        of_token[part.word] += links.weights[row * source_parts.size() + column] *
                               static_cast<float>(part.bytes) / static_cast<float>(all);
      }
    }
    for (const TokenPart& part : target_parts[row]) {
      for (std::size_t word = 0; word < sources; ++word) {
        shares[part.word * sources + word] += of_token[word] * static_cast<float>(part.bytes);
      }
    }
  }
  return shares;
}

/// Sums over the source words before each, of shares that make 1 for each target word if they are any.
std::vector<float> sums_of(const std::vector<float>& shares, std::size_t targets, std::size_t sources) {
  std::vector<float> sums(targets * (sources + 1));
  for (std::size_t target = 0; target < targets; ++target) {
    float* const row = sums.data() + target * (sources + 1);
    for (std::size_t word = 0; word < sources; ++word) {
      row[word + 1] = row[word] + shares[target * sources + word];
    }
    const float all = row[sources];
    if (!(all > 0) || !std::isfinite(all)) continue;
    for (std::size_t word = 0; word <= sources; ++word) row[word] /= all;
  }
  return sums;
}

}  // namespace

LinkedWords::LinkedWords(std::string_view source, std::string_view target, std::span<const TokenLinks> links)
    : sources_(unicode_words(source)), targets_(unicode_words(target)) {
  TokenLinks unknown;
  if (links.empty()) links = std::span(&unknown, 1);
  WordSpan of_source, of_target;
  for (std::size_t i = 0; i < links.size(); ++i) {
    const bool last = i + 1 == links.size();
    of_source = {of_source.end, last ? sources_.size() : word_after(sources_, links[i + 1].source_begin)};
    of_target = {of_target.end, last ? targets_.size() : word_after(targets_, links[i + 1].target_begin)};
    of_source.end = std::max(of_source.begin, of_source.end);
    of_target.end = std::max(of_target.begin, of_target.end);
    add(source, target, links[i], of_source, of_target);
  }
}

void LinkedWords::add(std::string_view source, std::string_view target, const TokenLinks& links,
                      WordSpan sources, WordSpan targets) {
  const std::size_t rows = targets.size(), columns = sources.size();
  const bool known =
      !links.weights.empty() && links.weights.size() == links.sources.size() * links.targets.size();
  std::vector<float> shares =
      known ? shares_by_attention(
                  links, parts_of_tokens(links.sources, links.source_begin, sources_, sources),
                  parts_of_tokens(links.targets, links.target_begin, targets_, targets), rows, columns)
            : shares_by_position(rows, columns);
  link_same_words(texts_of(source, sources_, sources), texts_of(target, targets_, targets), shares);
  sentences_.push_back({sources, targets, sums_of(shares, rows, columns)});
}

WordSpan LinkedWords::source_words(std::size_t begin, std::size_t end) const {
  const std::size_t first = word_after(sources_, begin);
  const auto begins_before = [](const ByteRange& word, std::size_t at) { return word.begin < at; };
  const auto last = static_cast<std::size_t>(
      std::lower_bound(sources_.begin(), sources_.end(), end, begins_before) - sources_.begin());
  return {first, std::max(first, last)};
}

std::size_t LinkedWords::sentence_of_source(std::size_t word) const {
  const auto found = std::partition_point(sentences_.begin(), sentences_.end(),
                                          [&](const Sentence& each) { return each.sources.end <= word; });
  return static_cast<std::size_t>(found - sentences_.begin());
}

std::size_t LinkedWords::sentence_of_target(std::size_t word) const {
  const auto found = std::partition_point(sentences_.begin(), sentences_.end(),
                                          [&](const Sentence& each) { return each.targets.end <= word; });
  return static_cast<std::size_t>(found - sentences_.begin());
}

bool LinkedWords::same_sentence(std::size_t source, std::size_t next) const {
  return sentence_of_source(source) == sentence_of_source(next);
}

WordSpan LinkedWords::target_sentences(WordSpan sources) const {
  if (sources.empty()) return {0, targets_.size()};
  return {sentences_[sentence_of_source(sources.begin)].targets.begin,
          sentences_[sentence_of_source(sources.end - 1)].targets.end};
}

float LinkedWords::share(std::size_t target, WordSpan sources) const {
  const Sentence& sentence = sentences_[sentence_of_target(target)];
  const std::size_t first = std::clamp(sources.begin, sentence.sources.begin, sentence.sources.end),
                    last = std::clamp(sources.end, sentence.sources.begin, sentence.sources.end);
  const float* const row =
      sentence.sums.data() + (target - sentence.targets.begin) * (sentence.sources.size() + 1);
  return first < last ? row[last - sentence.sources.begin] - row[first - sentence.sources.begin] : 0;
}

}  // namespace gloss
