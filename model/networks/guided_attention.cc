// SPDX-License-Identifier: Apache-2.0

#include "model/networks/guided_attention.h"

#include "base/error.h"
#include "base/index.h"
#include "model/networks/packed_rows.h"
#include "model/tensor/ops_recurrent.h"

namespace gloss {
namespace {

/// The links of each target token.
class LinksByTarget {
 public:
  explicit LinksByTarget(const Batch& batch) : links_(batch.links), starts_(batch.target.tokens.size() + 1) {
    std::size_t link = 0;
    for (std::size_t token = 0; token < starts_.size(); ++token) {
      starts_[token] = link;
      while (link < links_.size() && index(links_[link].target) == token) ++link;
    }
    expects(link == links_.size(), "links of a batch are not ordered by target token");
  }
  std::span<const TokenLink> of(int token) const {
    const std::size_t first = starts_[index(token)];
    return links_.subspan(first, starts_[index(token) + 1] - first);
  }

 private:
  std::span<const TokenLink> links_;
  std::vector<std::size_t> starts_;
};

}  // namespace

bool guides_attention(const Batch& batch, const Regularization* regularization) {
  return regularization != nullptr && regularization->terms.alignment_weight > 0 && !batch.links.empty();
}

Tensor alignment_loss(std::span<const TargetAttention> parts, const Batch& batch, double weight) {
  const LinksByTarget links(batch);
  const std::vector<float> of_tokens = token_weights(batch, batch.target.tokens.size());
  Tensor sum;
  for (const TargetAttention& part : parts) {
    std::vector<WeightShare> shares;
    std::int64_t first = 0;  // weight of the span
    for (const AttentionSpan& span : part.spans) {
      for (int query = 0; query < span.query_count; ++query) {
        const int token = span.query_start + query;
        const std::span<const TokenLink> linked = links.of(token);
        const float whole = static_cast<float>(weight) * (of_tokens.empty() ? 1.0f : of_tokens[index(token)]);
        for (const TokenLink& link : linked) {
          const int key = link.source - span.key_start;
          expects(key >= 0 && key < span.key_count, "a link leaves its sentence");
          shares.push_back({first + std::int64_t{query} * span.key_count + key,
                            whole / static_cast<float>(linked.size())});
        }
      }
      first += std::int64_t{part.heads} * span.query_count * span.key_count;
    }
    if (shares.empty()) continue;
    const Tensor loss = share_loss(part.weights, std::move(shares));
    sum = sum ? add_prefix(sum, loss) : loss;
  }
  return sum ? sum : Tensor::zeros({1});
}

Tensor even_attention_loss(std::span<const TargetAttention> parts, const std::vector<int>& starts,
                           const Batch& batch, double weight) {
  std::vector<float> factors(index(starts.back()), static_cast<float>(weight));
  for (std::size_t row = 0; row < batch.weights.size(); ++row) {
    for (int place = starts[row]; place < starts[row + 1]; ++place)
      factors[index(place)] *= batch.weights[row];
  }
  std::vector<GroupedNumbers> grouped;
  for (const TargetAttention& part : parts) {
    std::vector<int> groups;
    for (const AttentionSpan& span : part.spans) {
      for (int query = 0; query < part.heads * span.query_count; ++query) {
        for (int key = 0; key < span.key_count; ++key) groups.push_back(span.key_start + key);
      }
    }
    groups.resize(index(part.weights.count()), -1);
    grouped.push_back({scale(part.weights, 1.0f / static_cast<float>(part.heads)), std::move(groups)});
  }
  return missing_squares(std::move(grouped), std::move(factors));
}

}  // namespace gloss
