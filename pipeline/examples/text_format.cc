// SPDX-License-Identifier: Apache-2.0

#include "pipeline/examples/text_format.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/json.h"
#include "base/shown.h"
#include "model/model_directory.h"
#include "model/model_paths.h"

namespace gloss {
namespace {

using nlohmann::json;

constexpr int kMostIds = 1 << 24;

/// The members that are plain values.
Fields plain_fields(TextFormat& format) {
  Fields fields{
      {"normalization", normalization_choice(format.normalization), "Unicode normalisation of all text"},
      {"mask_token",
       &format.mask_token,
       "ID of the mask token of a masked language model; -1: none",
       {-1, kMostIds}},
      {"labels", &format.labels, "labels of a classifier, in the order of its classes"},
      {"pair_ends", &format.pair_ends, "end tokens between two texts of a classifier", {1, 8}},
      {"stories", &format.stories, "a classifier that answers questions about stories"},
      {"bare_start", &format.bare_start, "no begin token precedes a text of a language model"},
      {"source_end", &format.source_end, "each source is followed by the end token"},
      {"target_order", target_order_choice(format.target_order),
       "order in which a translation model predicts the tokens of its targets"}};
  add_traits(fields, kOptional, format.mask_token, format.labels, format.pair_ends, format.stories,
             format.bare_start, format.source_end, format.target_order);
  return fields;
}

Fields fields_of(LanguageTokens& languages) {
  Fields fields{{"source", &languages.source, "language of the source if none is chosen"},
                {"target", &languages.target, "language of the target if none is chosen"},
                {"source_place", choice(languages.source_place, {"before", "after"}),
                 "place of the token of the source's language: before the text or after its end token"},
                {"target_place", choice(languages.target_place, {"target", "source", "begin"}),
                 "side that begins with the token of the target's language; begin: it is the begin token"}};
  add_traits(fields, kOptional, languages.source, languages.target, languages.source_place,
             languages.target_place);
  return fields;
}

[[noreturn]] void refuse(const std::string& where, const json& found, const std::string& expected) {
  throw InputError(concat(where, ": found ", ascii_json_line(found).substr(0, 80), ", expected ", expected));
}

int read_id(const json& value, const std::string& where) {
  if (!value.is_number_integer() || value < 0 || value >= kMostIds) refuse(where, value, "the id of a piece");
  return value.get<int>();
}

std::vector<int> read_ids(const json& value, const std::string& where) {
  constexpr std::size_t kMostTokens = 16;
  if (!value.is_array() || value.size() > kMostTokens)
    refuse(where, value, "a list of up to 16 ids of pieces");
  std::vector<int> ids;
  for (const json& id : value) ids.push_back(read_id(id, where));
  return ids;
}

LanguageTokens read_languages(json value, const std::string& where) {
  LanguageTokens languages;
  const json ids = value.is_object() ? value.value("ids", json()) : json();
  if (!ids.is_object() || ids.empty()) refuse(where + ".ids", ids, "an object with the id of each language");
  for (const auto& [code, id] : ids.items()) languages.ids[code] = read_id(id, concat(where, ".ids.", code));
  value.erase("ids");
  fields_from_json(fields_of(languages), value, where);
  for (const std::string& code : {languages.source, languages.target}) {
    if (!code.empty() && !languages.ids.contains(code)) {
      throw InputError(
          concat(where, ": the language ", shown(code), " is not among the ", ids.size(), " of ids"));
    }
  }
  if (languages.target_place == LanguageTokens::TargetPlace::begin && languages.target.empty())
    throw InputError(where + ": there is no target; expected the language of the begin token");
  return languages;
}

std::map<std::string, double> read_search(const json& value, const std::string& where) {
  if (!value.is_object()) refuse(where, value, "an object with settings of the search");
  std::map<std::string, double> settings;
  for (const auto& [name, number] : value.items()) {
    if (!number.is_number() || !std::isfinite(number.get<double>())) {
      refuse(concat(where, ".", name), number, "a number");
    }
    settings[name] = number.get<double>();
  }
  return settings;
}

void expect_labels(const std::vector<std::string>& labels, const std::string& where) {
  for (const std::string& label : labels) {
    if (!label.empty() && label.find_first_of("\t\n") == std::string::npos) continue;
    throw InputError(
        concat(where, ": found the label ", shown(label), ", expected text without tabs and line breaks"));
  }
}

bool precedes_source(const LanguageTokens& languages) {
  return languages.target_place == LanguageTokens::TargetPlace::source;
}

/// Throws UsageError if a language of the source is chosen for a model that knows only those of the target.
void refuse_source_language(const std::string& chosen) {
  if (chosen.empty()) return;
  throw UsageError(
      concat("--source-language ", chosen,
             ": the model has tokens for the language of the target only; leave the option out"));
}

std::string missing_language(const LanguageTokens& languages, const std::string& option,
                             const std::string& direction) {
  return concat(option, " CODE is required: the model translates ", direction, " ", languages.ids.size(),
                " languages, such as ", languages.ids.begin()->first, "; 'gloss info' lists them");
}

}  // namespace

TextFormat read_text_format(const std::string& directory) {
  const std::string config_file = concat(directory, "/", kConfigFile);
  const json config = read_model_config(directory);
  if (!config.contains("text")) {
    throw InputError(concat(config_file, " has no member \"text\"; expected the text settings of the model"));
  }
  const std::string where = config_file + ": text";
  json text = config.at("text");
  TextFormat format;
  const auto take = [&](const std::string& name, const auto& read, auto& to) {
    if (!text.is_object() || !text.contains(name)) return;
    to = read(text.at(name), concat(where, ".", name));
    text.erase(name);
  };
  take("source_prefix", read_ids, format.source_prefix);
  take("target_prefix", read_ids, format.target_prefix);
  take("languages", read_languages, format.languages);
  take("search", read_search, format.search);
  fields_from_json(plain_fields(format), text, where);
  expect_labels(format.labels, config_file);
  return format;
}

json text_settings(TextFormat format) {
  json text = fields_to_json(plain_fields(format));
  if (format.pair_ends == 1) text.erase("pair_ends");
  if (!format.bare_start) text.erase("bare_start");
  if (format.source_end) text.erase("source_end");
  if (format.target_order == TargetOrder::left_to_right) text.erase("target_order");
  if (!format.source_prefix.empty()) text["source_prefix"] = format.source_prefix;
  if (!format.target_prefix.empty()) text["target_prefix"] = format.target_prefix;
  if (!format.languages.ids.empty()) {
    text["languages"] = fields_to_json(fields_of(format.languages));
    text["languages"]["ids"] = format.languages.ids;
  }
  for (const auto& [name, value] : format.search) {
    const bool whole = value == std::floor(value) && std::abs(value) < kMostIds;
    text["search"][name] = whole ? json(static_cast<int>(value)) : json(value);
  }
  return text;
}

void expect_pieces(const TextFormat& format, int source_pieces, int target_pieces, const std::string& where) {
  const auto expect = [&](int id, int pieces, const std::string& what) {
    if (id < pieces) return;
    throw InputError(concat(where, ": the id of ", what, " is ", id, ", but there are ", pieces, " pieces"));
  };
  for (const int id : format.source_prefix) expect(id, source_pieces, "source_prefix");
  for (const int id : format.target_prefix) expect(id, target_pieces, "target_prefix");
  const bool of_source = precedes_source(format.languages);
  for (const auto& [code, id] : format.languages.ids) {
    expect(id, of_source ? source_pieces : std::min(source_pieces, target_pieces),
           concat("the language ", shown(code)));
  }
}

LineFrame source_frame(const TextFormat& format, const std::string& language) {
  LineFrame frame{format.source_prefix, {}, format.source_end};
  const LanguageTokens& all = format.languages;
  if (precedes_source(all)) refuse_source_language(language);
  if (precedes_source(all) || (all.ids.empty() && language.empty())) return frame;
  const std::string code = language.empty() ? all.source : language_code(all, language, "--source-language");
  if (code.empty()) throw UsageError(missing_language(all, "--source-language", "from"));
  std::vector<int>& place = all.source_place == LanguageTokens::Place::before ? frame.before : frame.after;
  place.push_back(all.ids.at(code));
  return frame;
}

PairFrame frame_of(const TextFormat& format, const LanguageChoice& choice) {
  if (format.languages.ids.empty() && choice.names_documents && !choice.source.empty()) {
    throw UsageError(concat("--source-language ", choice.source,
                            ": the model has no tokens of languages, and documents name their own; leave the "
                            "option out, or use --split-language ",
                            choice.source, " for their sentences"));
  }
  PairFrame frame{source_frame(format, choice.source), format.target_prefix, format.target_order};
  const LanguageTokens& all = format.languages;
  if (all.ids.empty() && (choice.target.empty() || choice.names_documents)) return frame;
  const std::string code =
      choice.target.empty() ? all.target : language_code(all, choice.target, "--target-language");
  if (precedes_source(all)) {
    // Without a choice, lines may begin with the token themselves.
    if (!code.empty()) frame.source.before.push_back(all.ids.at(code));
    return frame;
  }
  if (all.target_place == LanguageTokens::TargetPlace::begin) {
    if (code == all.target) return frame;
    throw UsageError(concat("--target-language ", choice.target, ": the model translates into ", all.target,
                            " only; leave the option out"));
  }
  if (code.empty()) throw UsageError(missing_language(all, "--target-language", "into"));
  frame.target.push_back(all.ids.at(code));
  return frame;
}

}  // namespace gloss
