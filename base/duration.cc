// SPDX-License-Identifier: Apache-2.0

#include "base/duration.h"

#include <cstdint>

#include "base/text.h"

namespace gloss {

std::string duration_text(double seconds) {
  constexpr std::int64_t kMinute = 60, kHour = 60 * kMinute, kDay = 24 * kHour;
  const auto whole = static_cast<std::int64_t>(seconds + 0.5);
  if (whole < kMinute) return concat(whole, " s");
  if (whole < kHour) return concat(whole / kMinute, " min ", whole % kMinute, " s");
  if (whole < 2 * kDay) return concat(whole / kHour, " h ", whole / kMinute % 60, " min");
  return concat(whole / kDay, " d ", whole / kHour % 24, " h");
}

}  // namespace gloss
