// SPDX-License-Identifier: Apache-2.0

#include "pipeline/pages/curves.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/error.h"
#include "base/index.h"
#include "base/shown.h"

namespace gloss {
namespace {

constexpr std::size_t kBuckets = 320;  // about one per pixel of a panel

struct KnownCurve {
  const char* field;
  const char* title;
  double outlier;
};
constexpr double kOutlier = 30;
constexpr KnownCurve kKnownCurves[] = {{"cross_entropy", "Cross-entropy per token", 3},
                                       {"loss", "Loss per token, as minimised", 3},
                                       {"accuracy", "Accuracy of the validation", kOutlier},
                                       {"bleu", "BLEU of the validation", kOutlier},
                                       {"learning_rate", "Learning rate", kOutlier},
                                       {"tokens_per_second", "Tokens per second", kOutlier},
                                       {"gradient_norm", "Gradient norm", kOutlier}};

CurvePanel panel_of(const std::string& field) {
  for (const KnownCurve& known : kKnownCurves) {
    if (field == known.field) return {field, known.title, known.outlier, {}};
  }
  std::string words = field;
  std::replace(words.begin(), words.end(), '_', ' ');
  return {field, words, kOutlier, {}};
}

/// The points of the entries that have the field. Where x decreases, as in concatenated logs, later entries
/// replace earlier ones.
CurvePoints points_of(const std::vector<LogEntry>& entries, const std::string& field,
                      const CurveSettings& settings) {
  CurvePoints points;
  for (const LogEntry& entry : entries) {
    const auto number = entry.numbers.find(field);
    const double x = entry.at(settings.x);
    if (number == entry.numbers.end() || !(x >= settings.from)) continue;
    while (!points.empty() && points.back().x > x) points.pop_back();
    points.push_back({x, number->second});
  }
  return points;
}

std::size_t count_gaps(const CurvePoints& points) {
  return gloss::index(std::count_if(points.begin(), points.end(),
                                    [](const CurvePoint& point) { return std::isnan(point.y); }));
}

void add_curve(CurvePanel& panel, std::size_t number, const LoggedTraining& run, bool validation,
               const CurveSettings& settings, Listener& listener) {
  CurvePoints points = points_of(validation ? run.validations : run.reports, panel.field, settings);
  const std::size_t gaps = count_gaps(points);
  if (gaps > 0) {
    listener.warn(concat(run.label, ": ", gaps, gaps == 1 ? " value" : " values", " of ", panel.field,
                         gaps == 1 ? " is" : " are", " not finite; the curve has a gap there"));
  }
  if (gaps == points.size()) return;
  Curve curve{number, validation, {}, {}};
  const bool smooth = settings.smooth > 0 && !validation && panel.field != "learning_rate";
  if (smooth) curve.unsmoothed = decimated(points, kBuckets);
  curve.points = decimated(smooth ? smoothed(points, settings.smooth) : points, kBuckets);
  panel.curves.push_back(std::move(curve));
}

void check_asked(std::span<const LoggedTraining> runs, const std::vector<std::string>& asked) {
  std::set<std::string> present;
  for (const LoggedTraining& run : runs) {
    for (const auto* entries : {&run.reports, &run.validations}) {
      for (const LogEntry& entry : *entries) {
        for (const auto& number : entry.numbers) present.insert(number.first);
      }
    }
  }
  for (const std::string& field : asked) {
    if (!present.contains(field)) {
      throw UsageError(concat("--curves: no log has ", shown(field), "; expected ",
                              join({present.begin(), present.end()}, ", ")));
    }
  }
}

}  // namespace

Fields fields_of(CurveSettings& settings) {
  return {
      {"x", choice(settings.x, {"updates", "tokens", "epochs", "time"}), "unit of the x axis"},
      {"from", &settings.from, "start the x axis at this value (in seconds for time)", {0, 1e30}},
      {"smooth",
       &settings.smooth,
       "smooth training curves with an exponential moving average: weight of the past, such as 0.9 (0: off)",
       {0, 0.9999}},
      {"curves",
       &settings.curves,
       "fields of the log to draw (default: losses, accuracy, BLEU, learning rate, speed, gradient norm)",
       {},
       0,
       "NAME"},
      {"title", &settings.title, "title above the curves", {}, 0, "NAME"}};
}

CurvePoints smoothed(const CurvePoints& points, double weight) {
  CurvePoints out;
  double sum = 0, weights = 0;
  for (const CurvePoint& point : points) {
    if (!std::isnan(point.y)) {
      sum = weight * sum + point.y;
      weights = weight * weights + 1;
    }
    out.push_back({point.x, std::isnan(point.y) ? point.y : sum / weights});
  }
  return out;
}

CurvePoints decimated(const CurvePoints& points, std::size_t buckets) {
  if (points.size() <= 2 * buckets) return points;
  const double first = points.front().x, width = points.back().x - first;
  const auto bucket_of = [&](const CurvePoint& point) {
    return width > 0 ? std::floor((point.x - first) / width * static_cast<double>(buckets)) : 0.0;
  };
  const auto less = [](const CurvePoint& a, const CurvePoint& b) { return a.y < b.y; };
  CurvePoints out, bucket;
  for (std::size_t i = 0; i < points.size();) {
    const double number = bucket_of(points[i]);
    const CurvePoint start = points[i];
    bucket.clear();
    for (; i < points.size() && bucket_of(points[i]) == number; ++i) {
      if (!std::isnan(points[i].y)) bucket.push_back(points[i]);
    }
    if (bucket.empty()) {  // a gap that is wide enough to be visible
      out.push_back(start);
      continue;
    }
    const auto low = std::min_element(bucket.begin(), bucket.end(), less);
    const auto high = std::max_element(bucket.begin(), bucket.end(), less);
    std::set<std::ptrdiff_t> kept{low - bucket.begin(), high - bucket.begin()};
    if (out.empty()) kept.insert(0);
    if (i == points.size()) kept.insert(std::ssize(bucket) - 1);
    for (const std::ptrdiff_t index : kept) out.push_back(bucket[gloss::index(index)]);
  }
  return out;
}

std::vector<CurvePanel> make_panels(std::span<const LoggedTraining> runs, const CurveSettings& settings,
                                    Listener& listener) {
  std::vector<std::string> fields = settings.curves;
  if (fields.empty()) {
    for (const KnownCurve& known : kKnownCurves) fields.push_back(known.field);
  } else {
    check_asked(runs, fields);
  }
  std::vector<CurvePanel> panels;
  for (const std::string& field : fields) {
    CurvePanel panel = panel_of(field);
    for (std::size_t i = 0; i < runs.size(); ++i) {
      for (const bool validation : {false, true}) {
        add_curve(panel, i, runs[i], validation, settings, listener);
      }
    }
    if (!panel.curves.empty()) panels.push_back(std::move(panel));
  }
  if (panels.empty()) {
    throw InputError(
        "nothing to draw: the logs have no finite values of the curves in the range of the x axis (--x, "
        "--from)");
  }
  return panels;
}

}  // namespace gloss
