// SPDX-License-Identifier: Apache-2.0

#include "pipeline/cleaning/cleaning_plan.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "base/error.h"
#include "base/json.h"
#include "base/shown.h"
#include "base/text.h"

namespace gloss {
namespace {

using Json = nlohmann::json;

/// The names of bounds in settings, and their members.
constexpr auto kBounds =
    std::to_array<std::pair<const char*, std::optional<double> Bounds::*>>({{"at_least", &Bounds::at_least},
                                                                            {"above", &Bounds::above},
                                                                            {"at_most", &Bounds::at_most},
                                                                            {"below", &Bounds::below}});

/// A rule by its name, with bounds of its own unless these are given.
struct NamedCheck {
  const char* rule;
  Bounds bounds{};
};

bool is_empty(const Bounds& bounds) {
  return !bounds.at_least && !bounds.above && !bounds.at_most && !bounds.below;
}

CleaningPlan plan_of(std::initializer_list<const char*> repairs, std::initializer_list<NamedCheck> checks) {
  CleaningPlan plan;
  for (const char* const name : repairs) plan.repairs.push_back(&repair_named(name));
  for (const NamedCheck& check : checks) {
    const Rule* const rule = &rule_named(check.rule);
    plan.checks.push_back({rule, is_empty(check.bounds) ? rule->bounds : check.bounds});
  }
  return plan;
}

CleaningPlan default_plan() {
  return plan_of({"mojibake", "entities", "markup", "control_characters", "format_characters", "unicode",
                  "tokenisation", "glued_sentences", "spaces", "final_punctuation", "swapped_sides"},
                 {{"visible_characters"},
                  {"replacement_characters"},
                  {"control_characters"},
                  {"mojibake"},
                  {"question_marks"},
                  {"words", {.at_most = 200}},
                  {"longest_letters"},
                  {"visible_alphabetic_share"},
                  {"markup"},
                  {"code"},
                  {"boilerplate"},
                  {"separators"},
                  {"url_share"},
                  {"mixed_scripts"},
                  {"joined_words"},
                  {"glued_words", {.at_most = 2}},
                  {"repeated_words"},
                  {"character_run"},
                  {"padded_ratio"},
                  {"unfinished"},
                  {"extra_sentences"},
                  {"copied_words"},
                  {"number_difference"},
                  {"url_difference"},
                  {"wrong_language"}});
}

CleaningPlan moses_plan() {
  return plan_of(
      {"bars", "unicode_spaces"},
      {{"characters", {.at_least = 1}}, {"unicode_words"}, {"unicode_word_ratio"}, {"longest_unicode_word"}});
}

CleaningPlan opusfilter_plan() {
  return plan_of({"trailing_space"}, {{"words", {.at_least = 1, .at_most = 100}},
                                      {"word_ratio"},
                                      {"longest_word"},
                                      {"mean_word"},
                                      {"opening_tags"},
                                      {"unwanted_characters"},
                                      {"alphabetic_share"},
                                      {"script_share"},
                                      {"terminal_punctuation"},
                                      {"digit_similarity"},
                                      {"common_substring"},
                                      {"similarity"},
                                      {"repetitions"}});
}

CleaningPlan opuscleaner_plan() {
  return plan_of({}, {{"words", {.at_least = 1, .at_most = 150}},
                      {"longest_run"},
                      {"source_ratio"},
                      {"language_words"},
                      {"language_letters"},
                      {"number_agreement"},
                      {"url_mismatch"},
                      {"currency_difference"}});
}

CleaningPlan hardrules_plan() {
  return plan_of({}, {{"characters", {.at_least = 1}},
                      {"characters", {.below = 1024}},
                      {"spaces"},
                      {"length_ratio"},
                      {"identical_letters"},
                      {"literals"},
                      {"letter_share"},
                      {"digit_share"},
                      {"breadcrumbs"},
                      {"glued_words"},
                      {"repeated_phrases"},
                      {"latin1_run"},
                      {"space_noise"},
                      {"brackets"},
                      {"escaped_characters"},
                      {"encoding_marks"},
                      {"titles"}});
}

/// Adds where the mistake is to the error about a name.
template <class Find>
const auto& found_in(const std::string& path, const Json& name, const char* what, const Find& find) {
  if (!name.is_string())
    throw InputError(concat(path, ": found ", json_line(name), ", expected the name of a ", what));
  try {
    return find(name.get<std::string>());
  } catch (const UsageError& error) {
    throw InputError(concat(path, ": ", error.what()));
  }
}

Check check_of(const std::string& path, const Json& object) {
  if (!object.is_object() || !object.contains("rule")) {
    throw InputError(
        concat(path, ": found ", json_line(object), " in rules, expected an object with the member rule"));
  }
  const Rule& rule = found_in(path, object["rule"], "rule", rule_named);
  Check check{&rule, {}};
  for (const auto& [name, value] : object.items()) {
    if (name == "rule") continue;
    if (name == "text" && value.is_string()) {
      check.text = value.get<std::string>();
      continue;
    }
    const auto bound =
        std::ranges::find(kBounds, name, [](const auto& known) { return std::string(known.first); });
    if (bound == kBounds.end() || !value.is_number()) {
      throw InputError(concat(path, ": rule ", rule.name, ": found \"", name, "\": ", json_line(value),
                              ", expected numbers at_least, above, at_most, below and a string text"));
    }
    check.bounds.*bound->second = value.get<double>();
  }
  if (is_empty(check.bounds)) check.bounds = rule.bounds;
  const bool needs_text = rule.needs == Rule::Needs::text || rule.needs == Rule::Needs::pattern;
  if (needs_text && check.text.empty())
    throw InputError(concat(path, ": rule ", rule.name, " needs the member text"));
  return check;
}

}  // namespace

std::span<const CleaningPreset> cleaning_presets() {
  static constexpr auto table = std::to_array<CleaningPreset>(
      {{"default", "repairs, and rules of gloss for most kinds of noise", default_plan},
       {"moses", "clean-corpus-n.perl with 1 to 80 words", moses_plan},
       {"opusfilter", "the filters of OpusFilter with their defaults", opusfilter_plan},
       {"opuscleaner", "the filters of OpusCleaner with their defaults", opuscleaner_plan},
       {"hardrules", "bicleaner-hardrules without languages, fluency and porn", hardrules_plan}});
  return table;
}

const CleaningPreset& cleaning_preset_named(const std::string& name) {
  std::vector<std::string> known;
  for (const CleaningPreset& preset : cleaning_presets()) {
    if (preset.name == name) return preset;
    known.emplace_back(preset.name);
  }
  const std::string meant = nearest(name, known);
  throw UsageError(concat("--preset: unknown preset '", name, "'",
                          meant.empty() ? "" : concat("; did you mean '", meant, "'?"), " (",
                          join(known, ", "), ")"));
}

CleaningPlan read_plan(const std::string& path) {
  const Json settings = read_json(path);
  if (!settings.is_object()) throw InputError(concat(path, ": expected an object with repairs and rules"));
  CleaningPlan plan;
  for (const auto& [name, list] : settings.items()) {
    if ((name != "repairs" && name != "rules") || !list.is_array()) {
      throw InputError(
          concat(path, ": found the member ", shown(name), ", expected the arrays repairs and rules"));
    }
    for (const Json& entry : list) {
      if (name == "rules") {
        plan.checks.push_back(check_of(path, entry));
      } else {
        const Repair& repair = found_in(path, entry, "repair", repair_named);
        if (std::ranges::count(plan.repairs, &repair) > 0)
          throw InputError(
              concat(path, ": found the repair ", shown(repair.name), " twice, expected it once"));
        plan.repairs.push_back(&repair);
      }
    }
  }
  return plan;
}

Json json_of(const CleaningPlan& plan) {
  Json settings{{"repairs", Json::array()}, {"rules", Json::array()}};
  for (const Repair* const repair : plan.repairs) settings["repairs"].push_back(repair->name);
  for (const Check& check : plan.checks) {
    Json object{{"rule", check.rule->name}};
    for (const auto& [name, bound] : kBounds) {
      if (check.bounds.*bound) object[name] = *(check.bounds.*bound);
    }
    if (!check.text.empty()) object["text"] = check.text;
    settings["rules"].push_back(object);
  }
  return settings;
}

}  // namespace gloss
