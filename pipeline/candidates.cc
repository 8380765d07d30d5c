#include "pipeline/candidates.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "base/error.h"

namespace gloss {
namespace {

constexpr std::size_t kLanes = 16;
constexpr std::size_t kBlock = 256;
constexpr float kSmallest = -std::numeric_limits<float>::infinity();

/// exp(x) for x <= 0 with a relative error below 2e-7, written so that compilers turn loops over it into
/// vector code: 2^n times a polynomial of the rest (Cephes expf). Below -87 it stays at exp(-87) ~ 1e-38. A x
/// that is no number gives no number.
inline float exponential(float x) {
  constexpr float kRoundToWhole = 12582912.0f;  // 1.5 * 2^23
  x = x < -87.0f ? -87.0f : x;
  const float shifted = x * 1.44269504f + kRoundToWhole;  // its lowest bits are the whole number n
  const float n = shifted - kRoundToWhole;
  const float rest = x - n * 0.693359375f + n * 2.12194440e-4f;
  float p = 1.9875691500e-4f;
  p = p * rest + 1.3981999507e-3f;
  p = p * rest + 8.3334519073e-3f;
  p = p * rest + 4.1665795894e-2f;
  p = p * rest + 1.6666665459e-1f;
  p = p * rest + 5.0000001201e-1f;
  p = p * rest * rest + rest + 1.0f;
  return p * std::bit_cast<float>((std::bit_cast<std::uint32_t>(shifted) + 127) << 23);
}

/// The largest of a block's numbers; ones that are no numbers are passed over.
float maximum_of(std::span<const float> block) {
  float lanes[kLanes];
  std::fill(lanes, lanes + kLanes, kSmallest);
  std::size_t i = 0;
  for (; i + kLanes <= block.size(); i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      lanes[lane] = block[i + lane] > lanes[lane] ? block[i + lane] : lanes[lane];
    }
  }
  for (; i < block.size(); ++i) lanes[0] = std::max(lanes[0], block[i]);
  return *std::max_element(lanes, lanes + kLanes);
}

/// sum(exp(block - maximum)), added up in a fixed order.
double sum_of_exponentials(std::span<const float> block, float maximum) {
  float lanes[kLanes] = {};
  std::size_t i = 0;
  for (; i + kLanes <= block.size(); i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) lanes[lane] += exponential(block[i + lane] - maximum);
  }
  for (; i < block.size(); ++i) lanes[0] += exponential(block[i] - maximum);
  double sum = 0;
  for (const float lane : lanes) sum += lane;
  return sum;
}

}  // namespace

double top_candidates(std::span<const float> scores, int count, std::vector<Candidate>& best) {
  const std::size_t wanted = std::min(static_cast<std::size_t>(count), scores.size());
  best.clear();
  best.reserve(wanted + 1);
  double sum = 0;
  float maximum = kSmallest;
  for (std::size_t start = 0; start < scores.size(); start += kBlock) {
    const std::span<const float> block = scores.subspan(start, std::min(kBlock, scores.size() - start));
    const float highest = maximum_of(block);
    if (highest > maximum) {
      sum *= std::exp(static_cast<double>(maximum) - static_cast<double>(highest));
      maximum = highest;
    }
    if (maximum > kSmallest) sum += sum_of_exponentials(block, maximum);

    // Only a block that holds something better than the last of the best is looked at number by number.
    if (best.size() == wanted && highest <= best.back().log_probability) continue;
    for (std::size_t i = 0; i < block.size(); ++i) {
      const double score = block[i];
      if (best.size() == wanted && !(score > best.back().log_probability)) continue;
      auto place = best.end();
      while (place != best.begin() && score > std::prev(place)->log_probability) --place;
      best.insert(place, {static_cast<TokenId>(start + i), score});
      if (best.size() > wanted) best.pop_back();
    }
  }
  const double normalizer = static_cast<double>(maximum) + std::log(sum);
  if (!std::isfinite(normalizer)) {
    throw Error(
        "the network's scores are not finite numbers; the weights of the model are damaged, or its training "
        "went astray");
  }
  for (Candidate& candidate : best) candidate.log_probability -= normalizer;
  return normalizer;
}

}  // namespace gloss
