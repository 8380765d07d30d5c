// SPDX-License-Identifier: Apache-2.0

#include "cli/commands/evaluate_output.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/terminal_text.h"
#include "base/text.h"
#include "cli/commands/score_table.h"

namespace gloss {
namespace {

/// A number as Python writes it: the fewest digits that read back, always with a point or an exponent.
std::string python_number(double value) {
  char digits[400];
  const double size = std::abs(value);
  const bool plain = size == 0 || (size >= 1e-4 && size < 1e16);
  const auto format = plain ? std::chars_format::fixed : std::chars_format::scientific;
  const std::to_chars_result end = std::to_chars(digits, digits + sizeof digits, value, format);
  std::string text(digits, end.ptr);
  if (plain && text.find('.') == std::string::npos) text += ".0";
  return text;
}

std::string interval_text(const Interval& interval, int width) {
  return concat(fixed_text(interval.mean, width), " ± ", fixed_text(interval.half_width, width));
}

/// The score with its interval.
std::string score_text(const SystemResult& result, int width) {
  std::string text = fixed_text(result.score, width);
  if (result.interval && result.interval->mean > 0)
    text += " (μ = " + interval_text(*result.interval, width) + ")";
  return text;
}

/// The members of an object with one score.
std::vector<std::string> score_members(const Metric& metric, const SystemResult& result,
                                       const std::string& signature, int width) {
  std::vector<std::string> members{concat("\"name\": ", json_string(metric.name(), false)),
                                   concat("\"score\": ", rounded_number(result.score, width)),
                                   concat("\"signature\": ", json_string(signature, false))};
  if (result.interval && result.interval->mean > 0) {
    members.push_back(concat("\"confidence_mean\": ", rounded_number(result.interval->mean, width)));
    members.push_back(concat("\"confidence_var\": ", rounded_number(result.interval->half_width, width)));
    members.push_back(
        concat("\"confidence\": ", json_string("μ = " + interval_text(*result.interval, width), false)));
  }
  if (!result.details.empty()) members.push_back("\"verbose_score\": " + json_string(result.details, false));
  for (const std::string& field : split(signature, '|')) {
    const std::size_t colon = field.find(':');
    members.push_back(concat(json_string(field.substr(0, colon), false), ": ",
                             json_string(field.substr(colon + 1), false)));
  }
  return members;
}

/// One score as text: "BLEU|signature = 28.3 details", or the number alone.
std::string score_line(const Metric& metric, const SystemResult& result, const std::string& signature,
                       const ScoreOutput& output) {
  const std::string score = score_text(result, output.width);
  if (output.score_only) return score;
  return concat(metric.name(), "|", signature, " = ", score, result.details.empty() ? "" : " ",
                result.details);
}

/// True if scores are written as objects.
bool are_objects(const ScoreOutput& output) {
  return output.format == ScoreFormat::json && !output.score_only;
}

std::string colored(const std::string& text, const char* code, const ScoreOutput& output) {
  return output.color ? concat("\x1b[", code, "m", text, "\x1b[0m") : text;
}

constexpr const char* kYellow = "33";
constexpr const char* kCyan = "36";
constexpr const char* kGreen = "32";
constexpr const char* kRed = "31";

bool is_paired(const SignatureFacts& facts) {
  return facts.statistics->statistics == Statistics::paired_bootstrap ||
         facts.statistics->statistics == Statistics::paired_randomization;
}

std::string system_name(const TestSet& test, std::size_t system, const SignatureFacts& facts) {
  const std::string& name = test.names[system];
  if (!is_paired(facts)) return name;
  const bool unnamed = name == concat("System ", system + 1);
  if (unnamed) return system == 0 ? "Baseline" : concat("System ", system);
  return system == 0 ? "Baseline: " + name : name;
}

/// A system's scores by length, as a member of its object.
std::string lengths_json(Metrics metrics, std::size_t system, const LengthScores& lengths) {
  std::vector<std::string> buckets;
  for (const LengthBucket& bucket : lengths.buckets) {
    std::string text =
        concat("{\"words\": ", json_string(bucket.name, true), ", \"segments\": ", bucket.segments);
    for (std::size_t m = 0; m < metrics.size(); ++m) {
      text +=
          concat(", ", json_string(metrics[m]->name(), true), ": ", python_number(bucket.scores[m][system]));
    }
    buckets.push_back(text + "}");
  }
  return concat("\"lengths\": [\n            ", join(buckets, ",\n            "), "\n        ]");
}

void write_json_table(Output& out, Metrics metrics, const TestSet& test, const Evaluation& evaluation,
                      const SignatureFacts& facts, const ScoreOutput& output, const LengthScores* lengths) {
  const auto optional = [](bool given, double value) { return given ? python_number(value) : "null"; };
  std::vector<std::string> objects;
  for (std::size_t system = 0; system < test.names.size(); ++system) {
    std::vector<std::string> members{"\"system\": " + json_string(system_name(test, system, facts), true)};
    for (std::size_t m = 0; m < metrics.size(); ++m) {
      const SystemResult& result = evaluation.results[m][system];
      const Interval interval = result.interval.value_or(Interval{});
      const std::string value =
          is_paired(facts)
              ? concat("{\n            \"score\": ", python_number(result.score),
                       ",\n            \"p_value\": ",
                       optional(result.p_value.has_value(), result.p_value.value_or(0)),
                       ",\n            \"mean\": ", optional(result.interval.has_value(), interval.mean),
                       ",\n            \"ci\": ", optional(result.interval.has_value(), interval.half_width),
                       "\n        }")
              : json_string(fixed_text(result.score, output.width), true);
      members.push_back(concat(json_string(metrics[m]->name(), true), ": ", value));
    }
    if (lengths != nullptr) members.push_back(lengths_json(metrics, system, *lengths));
    objects.push_back("    {\n        " + join(members, ",\n        ") + "\n    }");
  }
  out.line("[\n" + join(objects, ",\n") + "\n]");
}

/// The interpretation of the paired test, in sacreBLEU's words.
void write_explanation(Output& out, const std::string& baseline_name, const SignatureFacts& facts,
                       const ScoreOutput& output) {
  const bool bootstrap = facts.statistics->statistics == Statistics::paired_bootstrap;
  const std::string title =
      concat("Paired ", bootstrap ? "bootstrap resampling" : "approximate randomization", " test with ",
             facts.statistics->samples, bootstrap ? " resampling trials" : " trials");
  const std::string line(title.size(), '-');
  const std::string baseline = colored("baseline", kYellow, output);
  const std::string hypothesis = colored("Null hypothesis", kGreen, output);
  const std::string hypothesis_again = colored("null hypothesis", kGreen, output);
  out.write(concat(
      line, "\n", title, "\n", line, "\n - Each system is pairwise compared to ",
      colored(baseline_name, kYellow, output), ".\n   ",
      bootstrap ? "Actual system score / bootstrap estimated true mean / 95% CI are provided for each metric."
                : "Actual system score is provided for each metric.",
      "\n\n - ", hypothesis, ": the system and the ", baseline,
      " translations are essentially\n   generated by the same underlying process. For a given system and "
      "the ",
      baseline,
      ",\n   the p-value is roughly the probability of the absolute score difference (delta)\n"
      "   or higher occurring due to chance, under the assumption that the ",
      hypothesis_again, " is correct.\n\n - Assuming a significance threshold of 0.05, the ",
      hypothesis_again,
      " can be rejected\n"
      "   for p-values < 0.05 (marked with \"*\"). This means that the delta is unlikely to be attributed\n"
      "   to chance, hence the system is significantly \"different\" than the ",
      baseline, ".\n   Otherwise, the p-values are ", colored("highlighted in red", kRed, output),
      ".\n\n - NOTE: Significance does not tell whether a system is \"better\" than the ", baseline,
      " but rather\n   emphasizes the \"difference\" of the systems in terms of the replicability of the "
      "delta.\n\n"));
}

/// A metric's scores by system and length.
ScoreTable length_table(const Metric& metric, std::size_t place, const TestSet& test,
                        const LengthScores& lengths, const ScoreOutput& output) {
  ScoreTable table{{colored(metric.name() + " by words (segments)", kCyan, output)}, {}};
  for (const LengthBucket& bucket : lengths.buckets) {
    table.headings.push_back(colored(concat(bucket.name, " (", bucket.segments, ")"), kCyan, output));
  }
  for (std::size_t system = 0; system < test.names.size(); ++system) {
    table.rows.push_back({terminal_text(test.names[system])});
    for (const LengthBucket& bucket : lengths.buckets) {
      table.rows.back().push_back(fixed_text(bucket.scores[place][system], output.width));
    }
  }
  return table;
}

}  // namespace

Choice score_format_choice(ScoreFormat& format) { return choice(format, {"json", "text", "latex"}); }

std::string rounded_number(double value, int width) {
  return python_number(std::stod(fixed_text(value, width)));
}

std::string json_string(const std::string& text, bool ascii) {
  return nlohmann::json(text).dump(-1, ' ', ascii, nlohmann::json::error_handler_t::replace);
}

std::string score_cell(const SystemResult& result, const ScoreOutput& output) {
  std::string text = fixed_text(result.score, output.width);
  if (result.interval) text += " (" + interval_text(*result.interval, output.width) + ")";
  if (result.p_value) {
    const std::string p = concat("(p = ", fixed_text(*result.p_value, 4), ")");
    text += output.format == ScoreFormat::latex ? ' ' : '\n';
    text += *result.p_value > 0.05 ? colored(p, kRed, output) : p + "*";
  }
  return text;
}

std::string sentence_text(std::size_t line, const Metric& metric, const SystemResult& result,
                          const SignatureFacts& facts, const ScoreOutput& output) {
  const bool object = are_objects(output);
  const std::string sign = signature(metric, facts, output.short_names && !object);
  if (!object) return score_line(metric, result, sign, output);
  return concat("{\"line\": ", line, ", ", join(score_members(metric, result, sign, output.width), ", "),
                "}");
}

std::string scores_text(Metrics metrics, const Evaluation& evaluation, const SignatureFacts& facts,
                        const ScoreOutput& output) {
  std::vector<std::string> texts;
  const bool json = output.format == ScoreFormat::json;
  std::size_t widest = 0;
  for (std::size_t m = 0; m < metrics.size(); ++m) {
    const std::string sign = signature(*metrics[m], facts, output.short_names && !json);
    const SystemResult& result = evaluation.results[m][0];
    texts.push_back(are_objects(output)
                        ? "{\n " + join(score_members(*metrics[m], result, sign, output.width), ",\n ") +
                              "\n}"
                        : score_line(*metrics[m], result, sign, output));
    widest = std::max(widest, texts.back().find('='));
  }
  if (json) return texts.size() > 1 ? "[\n" + join(texts, ",\n") + "\n]" : texts[0];
  const bool align = !output.score_only && texts.size() > 1;
  for (std::string& text : texts) {
    if (align) text.insert(0, widest - text.find('='), ' ');
  }
  return join(texts, "\n");
}

void write_table(Output& out, Metrics metrics, const TestSet& test, const Evaluation& evaluation,
                 const SignatureFacts& facts, const ScoreOutput& output, const LengthScores* lengths) {
  if (output.format == ScoreFormat::json) {
    write_json_table(out, metrics, test, evaluation, facts, output, lengths);
    return;
  }
  const auto show = [&](const ScoreTable& shown) {
    out.line(output.format == ScoreFormat::latex ? latex(shown) : framed(shown));
    out.line("");
  };
  ScoreTable table{{colored("System", kCyan, output)}, {}};
  for (std::size_t m = 0; m < metrics.size(); ++m) {
    const bool interval = evaluation.results[m][0].interval.has_value();
    table.headings.push_back(colored(metrics[m]->name() + (interval ? " (μ ± 95% CI)" : ""), kCyan, output));
  }
  for (std::size_t system = 0; system < test.names.size(); ++system) {
    const std::string name = terminal_text(system_name(test, system, facts));
    table.rows.push_back({system == 0 && is_paired(facts) ? colored(name, kYellow, output) : name});
    for (std::size_t m = 0; m < metrics.size(); ++m) {
      table.rows.back().push_back(score_cell(evaluation.results[m][system], output));
    }
  }
  show(table);
  for (std::size_t m = 0; lengths != nullptr && m < metrics.size(); ++m) {
    show(length_table(*metrics[m], m, test, *lengths, output));
  }
  if (is_paired(facts)) write_explanation(out, terminal_text(system_name(test, 0, facts)), facts, output);
  out.write("-----------------\nMetric signatures\n-----------------\n");
  for (const auto& metric : metrics) {
    const std::string name = metric->name();
    out.line(concat(" - ", name, std::string(name.size() < 10 ? 10 - name.size() : 0, ' '), " ",
                    signature(*metric, facts, output.short_names)));
  }
}

}  // namespace gloss
