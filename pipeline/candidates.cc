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

}  // namespace gloss
