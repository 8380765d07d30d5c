// SPDX-License-Identifier: Apache-2.0

#include "cli/commands/label_output.h"

#include "base/terminal_text.h"
#include "base/text.h"
#include "cli/commands/score_table.h"

namespace gloss {
namespace {

constexpr std::size_t kWidestTable = 20;  // labels

std::string row_json(const LabelRow& row, const ScoreOutput& output) {
  std::vector<std::string> members;
  const auto add = [&](const std::string& name, const SystemResult& result) {
    members.push_back(concat("\"", name, "\": ", rounded_number(result.score, output.width)));
    if (!result.interval) return;
    members.push_back(
        concat("\"", name, "_confidence_mean\": ", rounded_number(result.interval->mean, output.width)));
    members.push_back(
        concat("\"", name, "_confidence_var\": ", rounded_number(result.interval->half_width, output.width)));
  };
  add("precision", row.precision);
  add("recall", row.recall);
  add("f1", row.f1);
  members.push_back(concat("\"references\": ", row.references));
  members.push_back(concat("\"predictions\": ", row.predictions));
  return join(members, ", ");
}

std::string counts_json(const std::vector<std::size_t>& counts) {
  std::vector<std::string> numbers;
  for (const std::size_t count : counts) numbers.push_back(concat(count));
  return "[" + join(numbers, ", ") + "]";
}

std::string report_json(const std::string& scores, const LabelReport& report, const ScoreOutput& output) {
  std::vector<std::string> labels, confusion;
  for (const LabelRow& row : report.labels) {
    labels.push_back(concat("{\"label\": ", json_string(row.name, false), ", ", row_json(row, output), "}"));
  }
  for (const auto& counts : report.confusion) confusion.push_back(counts_json(counts));
  const std::string list = scores.starts_with('[') ? scores : "[\n" + scores + "\n]";
  return concat("{\n\"scores\": ", list, ",\n\"labels\": [\n ", join(labels, ",\n "), "\n],\n\"macro\": {",
                row_json(report.macro, output), "},\n\"micro\": {", row_json(report.micro, output),
                "},\n\"confusion\": [\n ", join(confusion, ",\n "), "\n]\n}");
}

std::string table_text(const ScoreTable& table, const ScoreOutput& output) {
  return output.format == ScoreFormat::latex ? latex(table) : framed(table);
}

ScoreTable score_table(const LabelReport& report, const ScoreOutput& output) {
  ScoreTable table{{"label", "precision", "recall", "F1", "references", "predictions"}, {}};
  const auto add = [&](const LabelRow& row) {
    table.rows.push_back({terminal_text(row.name), score_cell(row.precision, output),
                          score_cell(row.recall, output), score_cell(row.f1, output), concat(row.references),
                          concat(row.predictions)});
  };
  for (const LabelRow& row : report.labels) add(row);
  add(report.macro);
  add(report.micro);
  return table;
}

ScoreTable confusion_table(const LabelReport& report) {
  ScoreTable table{{"reference \\ predicted"}, {}};
  for (std::size_t label = 0; label < report.labels.size(); ++label) {
    const std::string name = terminal_text(report.labels[label].name);
    table.headings.push_back(name);
    table.rows.push_back({name});
    for (const std::size_t count : report.confusion[label]) table.rows.back().push_back(concat(count));
  }
  return table;
}

}  // namespace

void write_labels(Output& out, const std::string& scores, const LabelReport& report,
                  const ScoreOutput& output, Listener& listener) {
  if (output.format == ScoreFormat::json) {
    out.line(report_json(scores, report, output));
    return;
  }
  out.line(scores);
  out.line("");
  out.line(table_text(score_table(report, output), output));
  if (report.labels.size() > kWidestTable) {
    listener.note(concat(report.labels.size(), " labels: --format json writes the confusion matrix"));
    return;
  }
  out.line("");
  out.line(table_text(confusion_table(report), output));
}

}  // namespace gloss
