// SPDX-License-Identifier: Apache-2.0

#include "pipeline/training/time_forecast.h"

#include <algorithm>
#include <functional>

#include "base/duration.h"
#include "base/text.h"

namespace gloss {
namespace {

constexpr int kUnmeasuredUpdates = 2;
/// Enough to report the cost.
constexpr int kEnoughMeasured = 10;
constexpr double kEnoughSeconds = 15;

std::string update_time_text(double seconds) {
  if (seconds < 0.1) return fixed_text(seconds * 1000, seconds < 0.01 ? 1 : 0) + " ms";
  return fixed_text(seconds, seconds < 10 ? 2 : 1) + " s";
}

}  // namespace

void TimeForecast::add(const TrainingPoint& now, double update_seconds) {
  now_ = now;
  ++updates_;
  if (updates_ <= kUnmeasuredUpdates) {
    start_ = now;
    return;
  }
  ++measured_;
  measured_seconds_ += update_seconds;
}

bool TimeForecast::due() {
  if (reported_ || measured_ == 0) return false;
  reported_ = measured_ >= kEnoughMeasured || measured_seconds_ >= kEnoughSeconds;
  return reported_;
}

double TimeForecast::seconds_per_update() const { return measured_ > 0 ? measured_seconds_ / measured_ : 0; }

std::vector<LimitForecast> TimeForecast::limits() const {
  std::vector<LimitForecast> limits;
  const auto add = [&](const char* option, auto limit, double seconds) {
    limits.push_back({concat(option, " ", limit), std::max(0.0, seconds)});
  };
  // `work` of a count takes a proportional time.
  const auto add_counted = [&](const char* option, std::int64_t limit, double TrainingPoint::*count,
                               const auto& work) {
    if (limit == 0 || measured_ == 0) return;
    const double now = work(now_.*count), done = now - work((*start_).*count);
    if (done <= 0) return;
    const double seconds_each = (now_.seconds - start_->seconds) / done;
    add(option, limit, (work(static_cast<double>(limit)) - now) * seconds_each);
  };
  add_counted("--max-updates", settings_.max_updates, &TrainingPoint::updates,
              [&](double updates) { return batches_until(batches_, updates); });
  add_counted("--max-epochs", settings_.max_epochs, &TrainingPoint::epochs, std::identity());
  add_counted("--max-tokens", settings_.max_tokens, &TrainingPoint::tokens, std::identity());
  if (settings_.max_minutes > 0) {
    add("--max-minutes", settings_.max_minutes, settings_.max_minutes * 60 - now_.seconds);
  }
  std::ranges::stable_sort(limits, {}, &LimitForecast::seconds);
  return limits;
}

double TimeForecast::seconds_left() const {
  const std::vector<LimitForecast> all = limits();
  return all.empty() ? -1 : all.front().seconds;
}

std::string cost_text(const TimeForecast& forecast, double resident_mebibytes) {
  std::string text = update_time_text(forecast.seconds_per_update()) + " per update";
  if (resident_mebibytes > 0) text += concat(", ", fixed_text(resident_mebibytes, 0), " MiB of memory");
  const std::vector<LimitForecast> limits = forecast.limits();
  std::vector<std::string> times;
  for (const LimitForecast& limit : limits) {
    times.push_back(concat(duration_text(limit.seconds), " to ", limit.option));
  }
  if (!times.empty()) text += "; about " + join(times, ", ");
  if (times.size() > 1) text += concat("; ", limits.front().option, " comes first");
  return text;
}

}  // namespace gloss
