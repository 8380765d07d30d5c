#include "pipeline/candidates.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "model/tensor/kernels.h"

namespace gloss {

double top_candidates(std::span<const float> scores, int count, std::vector<Candidate>& best) {
  const std::size_t wanted = std::min(static_cast<std::size_t>(count), scores.size());
  thread_local std::vector<ScoredToken> top;
  top.resize(wanted);
  const double normalizer = kernels().top_tokens(scores.data(), static_cast<std::int64_t>(scores.size()),
                                                 static_cast<std::int64_t>(wanted), top.data());
  if (!std::isfinite(normalizer)) {
    throw Error(
        "the network's scores are not finite numbers; the weights of the model are damaged, or its training "
        "went astray");
  }
  best.clear();
  for (const ScoredToken& token : top)
    best.push_back({token.token, static_cast<double>(token.score) - normalizer});
  return normalizer;
}

double top_candidates(std::span<const float> scores, int count, const std::function<bool(TokenId)>& allows,
                      std::vector<Candidate>& best) {
  constexpr int kMore = 4;  // times as many are looked at where too few were allowed
  const auto wanted = static_cast<std::size_t>(count);
  for (std::size_t looked_at = wanted + 1;; looked_at *= kMore) {
    looked_at = std::min(looked_at, scores.size());
    const double normalizer = top_candidates(scores, static_cast<int>(looked_at), best);
    std::size_t kept = 0, seen = 0;
    for (; seen < best.size() && kept < wanted; ++seen) {
      if (allows(best[seen].token)) best[kept++] = best[seen];
    }
    best.resize(kept);
    if (kept == wanted || looked_at == scores.size()) return normalizer;
  }
}

}  // namespace gloss
