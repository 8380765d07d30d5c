// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <span>
#include <string>

#include "base/fields.h"
#include "base/output.h"
#include "pipeline/metrics/evaluation.h"
#include "pipeline/metrics/lengths.h"

namespace gloss {

/// How results are written.
enum class ScoreFormat { json, text, latex };
/// A format by its name.
Choice score_format_choice(ScoreFormat&);
struct ScoreOutput {
  ScoreFormat format = ScoreFormat::json;
  int width = 1;  ///< digits after the point
  bool score_only = false;
  bool short_names = false;  ///< in signatures of the text format
  bool color = false;
};

using Metrics = std::span<const std::unique_ptr<Metric>>;

/// The number rounded to this number of digits after the point.
std::string rounded_number(double value, int width);
/// A JSON string, of ASCII only if asked for.
std::string json_string(const std::string& text, bool ascii);
/// A score in a table, with its interval and p-value.
std::string score_cell(const SystemResult&, const ScoreOutput&);
/// The score of a line, counted from 0: "BLEU|signature = 28.3 details", an object in one line, or the number
/// alone.
std::string sentence_text(std::size_t line, const Metric&, const SystemResult&, const SignatureFacts&,
                          const ScoreOutput&);

/// The results of one system: a line each, or JSON.
std::string scores_text(Metrics, const Evaluation&, const SignatureFacts&, const ScoreOutput&);

/// The results of several systems as a table, with those by length if they are given, and with what the
/// statistics mean.
void write_table(Output&, Metrics, const TestSet&, const Evaluation&, const SignatureFacts&,
                 const ScoreOutput&, const LengthScores* = nullptr);

}  // namespace gloss
