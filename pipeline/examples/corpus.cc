// SPDX-License-Identifier: Apache-2.0

#include "pipeline/examples/corpus.h"

namespace gloss {

void Corpus::Rows::append(const Rows& other) {
  const std::uint64_t before = tokens.size();
  tokens.insert(tokens.end(), other.tokens.begin(), other.tokens.end());
  for (std::size_t row = 1; row < other.starts.size(); ++row) starts.push_back(before + other.starts[row]);
}

void Corpus::add_links(std::span<const TokenLink> links, std::span<const std::uint64_t> ends) {
  if (links.empty() && links_.empty()) return;
  link_starts_.resize(size() + 1, links_.size());  // pairs before them had none
  for (const std::uint64_t end : ends) link_starts_.push_back(links_.size() + end);
  links_.insert(links_.end(), links.begin(), links.end());
}

void Corpus::add(std::span<const TokenId> source, std::span<const TokenId> target, float weight,
                 std::span<const TokenLink> links) {
  const auto add_row = [](Rows& rows, std::span<const TokenId> row) {
    rows.tokens.insert(rows.tokens.end(), row.begin(), row.end());
    rows.starts.push_back(rows.tokens.size());
  };
  if (weight != 1 && !weighted()) weights_.assign(size(), 1.0f);
  const bool keeps_weights = weight != 1 || weighted();
  const std::uint64_t end = links.size();
  add_links(links, {&end, 1});
  add_row(source_, source);
  add_row(target_, target);
  if (keeps_weights) weights_.push_back(weight);
}

template <class Number>
void Corpus::Items<Number>::add(const std::vector<Number>& item) {
  numbers.insert(numbers.end(), item.begin(), item.end());
  starts.push_back(numbers.size());
}

template <class Number>
void Corpus::Items<Number>::append(const Items& other) {
  const std::uint64_t before = numbers.size();
  numbers.insert(numbers.end(), other.numbers.begin(), other.numbers.end());
  for (std::size_t item = 1; item < other.starts.size(); ++item)
    starts.push_back(before + other.starts[item]);
}

void Corpus::add_item(std::span<const TokenId> source, const ItemNumbers& numbers,
                      std::span<const TokenId> target, float weight) {
  add(source, target, weight);
  bytes_.add(numbers.bytes);
  floats_.add(numbers.floats);
}

void Corpus::add_source(PairIndex pair, TokenRows& to) const {
  if (bytes_.starts.size() == 1) return to.add(source(pair));
  const std::span<const std::uint8_t> bytes = bytes_.item(pair);
  if (bytes.empty()) return to.add_item(source(pair), floats_.item(pair));
  to.add_item(source(pair), bytes);
}

void Corpus::append(const Corpus& other) {
  if (weighted() || other.weighted()) {
    weights_.resize(size(), 1.0f);
    weights_.insert(weights_.end(), other.weights_.begin(), other.weights_.end());
    weights_.resize(size() + other.size(), 1.0f);
  }
  if (other.links_.empty()) {
    add_links({}, std::vector<std::uint64_t>(other.size(), 0));
  } else {
    add_links(other.links_, std::span(other.link_starts_).subspan(1));
  }
  bytes_.append(other.bytes_);
  floats_.append(other.floats_);
  source_.append(other.source_);
  target_.append(other.target_);
}

}  // namespace gloss
