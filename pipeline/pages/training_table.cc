// SPDX-License-Identifier: Apache-2.0

#include "pipeline/pages/training_table.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/index.h"
#include "base/terminal_text.h"
#include "base/text.h"
#include "base/utf8.h"
#include "tokenizer/text.h"

namespace gloss {
namespace {

constexpr const char* kNothing = "-";

/// A finite value and its update.
struct Figure {
  double value, update;
};

std::vector<Figure> figures_of(const std::vector<LogEntry>& entries, const std::string& field) {
  std::vector<Figure> figures;
  for (const LogEntry& entry : entries) {
    const auto number = entry.numbers.find(field);
    if (number != entry.numbers.end() && !std::isnan(number->second)) {
      figures.push_back({number->second, entry.at(CurveAxis::updates)});
    }
  }
  return figures;
}

std::string text_of(std::optional<double> value, int digits) {
  return value && !std::isnan(*value) ? fixed_text(*value, digits) : kNothing;
}

std::string count_text(std::optional<double> count) {
  return count && *count >= 1e6 ? fixed_text(*count / 1e6, 1) + "M" : text_of(count, 0);
}

std::string duration_text(std::optional<double> seconds) {
  if (!seconds) return kNothing;
  const double minutes = std::floor(*seconds / 60);
  return concat(fixed_text(std::floor(minutes / 60), 0), ":",
                fixed_text(std::fmod(minutes, 60) / 100, 2).substr(2), ":",
                fixed_text(std::floor(std::fmod(*seconds, 60)) / 100, 2).substr(2));
}

/// The largest position of all entries.
std::optional<double> furthest(const LoggedTraining& run, CurveAxis axis) {
  std::optional<double> most;
  for (const auto* entries : {&run.reports, &run.validations, &run.skipped}) {
    for (const LogEntry& entry : *entries) {
      const double at = entry.at(axis);
      if (!std::isnan(at)) most = std::max(most.value_or(at), at);
    }
  }
  return most;
}

std::optional<double> median_of(const std::vector<LogEntry>& entries, const std::string& field) {
  std::vector<double> values;
  for (const Figure& figure : figures_of(entries, field)) values.push_back(figure.value);
  if (values.empty()) return std::nullopt;
  const auto middle = values.begin() + std::ssize(values) / 2;
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Adds the last value, the best value, and the update of the best one to a row.
void add_last_and_best(const std::vector<Figure>& figures, bool lower_is_better, int digits,
                       std::vector<std::string>& row) {
  if (figures.empty()) {
    row.insert(row.end(), 3, kNothing);
    return;
  }
  const auto less = [](const Figure& a, const Figure& b) { return a.value < b.value; };
  const Figure best = lower_is_better ? *std::min_element(figures.begin(), figures.end(), less)
                                      : *std::max_element(figures.begin(), figures.end(), less);
  row.push_back(text_of(figures.back().value, digits));
  row.push_back(text_of(best.value, digits));
  row.push_back(text_of(best.update, 0));
}

void drop_empty_columns(TrainingTable& summary) {
  for (std::size_t column = summary.headings.size(); column-- > 1;) {
    const bool empty = std::all_of(summary.rows.begin(), summary.rows.end(),
                                   [&](const auto& row) { return row[column] == kNothing; });
    if (!empty) continue;
    summary.headings.erase(summary.headings.begin() + static_cast<std::ptrdiff_t>(column));
    for (auto& row : summary.rows) row.erase(row.begin() + static_cast<std::ptrdiff_t>(column));
  }
}

}  // namespace

TrainingTable summarize(std::span<const LoggedTraining> runs) {
  TrainingTable summary;
  summary.headings = {"run", "training", "valid",  "best",   "at",   "BLEU",     "best",
                      "at",  "updates",  "epochs", "tokens", "time", "tokens/s", "skipped"};
  for (const LoggedTraining& run : runs) {
    const std::vector<Figure> training = figures_of(run.reports, "cross_entropy");
    std::vector<std::string> row{run.label, training.empty() ? kNothing : text_of(training.back().value, 4)};
    add_last_and_best(figures_of(run.validations, "cross_entropy"), true, 4, row);
    add_last_and_best(figures_of(run.validations, "bleu"), false, 2, row);
    const std::string rest[] = {text_of(furthest(run, CurveAxis::updates), 0),
                                text_of(furthest(run, CurveAxis::epochs), 1),
                                count_text(furthest(run, CurveAxis::tokens)),
                                duration_text(furthest(run, CurveAxis::time)),
                                text_of(median_of(run.reports, "tokens_per_second"), 0),
                                run.skipped.empty() ? kNothing : concat(run.skipped.size())};
    row.insert(row.end(), std::begin(rest), std::end(rest));
    summary.rows.push_back(std::move(row));
  }
  drop_empty_columns(summary);
  return summary;
}

std::string summary_text(const TrainingTable& summary) {
  std::vector<std::vector<std::string>> lines{summary.headings};
  lines.insert(lines.end(), summary.rows.begin(), summary.rows.end());
  std::vector<std::size_t> widths(summary.headings.size(), 0);
  for (auto& line : lines) {
    line[0] = terminal_text(line[0]);
    for (std::size_t i = 0; i < line.size(); ++i)
      widths[i] = std::max(widths[i], index(count_characters(line[i])));
  }
  std::string out;
  for (const auto& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      const std::string room(widths[i] - index(count_characters(line[i])), ' ');
      out += i == 0 ? line[i] + room : "  " + room + line[i];
    }
    out += "\n";
  }
  return out;
}

}  // namespace gloss
