// SPDX-License-Identifier: Apache-2.0

#include "pipeline/data/corpus.h"

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

void Corpus::add_item(std::span<const TokenId> source, std::span<const std::uint8_t> bytes,
                      std::span<const TokenId> target, float weight) {
  add(source, target, weight);
  bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  byte_starts_.push_back(bytes_.size());
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
  const std::uint64_t before = bytes_.size();
  bytes_.insert(bytes_.end(), other.bytes_.begin(), other.bytes_.end());
  for (std::size_t item = 1; item < other.byte_starts_.size(); ++item)
    byte_starts_.push_back(before + other.byte_starts_[item]);
  source_.append(other.source_);
  target_.append(other.target_);
}

}  // namespace gloss
