// SPDX-License-Identifier: Apache-2.0

#include "pipeline/text_models/model_description.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <vector>

#include "base/error.h"
#include "base/json.h"
#include "base/terminal_text.h"
#include "base/text.h"
#include "model/model_paths.h"
#include "pipeline/foreign/readable_model.h"
#include "pipeline/text_models/text_model.h"
#include "pipeline/text_models/training_record.h"

namespace gloss {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// Number of parameters by part, which is the first component of their names.
json parameters_by_part(const Parameters& parameters) {
  std::map<std::string, std::int64_t> parts;
  for (const Parameters::Entry& entry : parameters.entries()) {
    parts[entry.name.substr(0, entry.name.find('.'))] += entry.tensor.count();
  }
  return parts;
}

json figures(const ValidationFigures& figures) {
  json object{{"cross_entropy", figures.cross_entropy}, {"perplexity", figures.perplexity()}};
  if (figures.bleu >= 0) object["bleu"] = figures.bleu;
  if (figures.accuracy >= 0) object["accuracy"] = figures.accuracy;
  if (figures.bits_per_character >= 0) object["bits_per_character"] = figures.bits_per_character;
  return object;
}

json history(const TrainingState& state) {
  json object{{"updates", state.update}, {"epochs", state.position.epoch}, {"target_tokens", state.tokens}};
  if (state.skipped > 0) object["skipped_updates"] = state.skipped;
  if (state.validations > 0) {
    object["validations"] = state.validations;
    object["latest_validation"] = figures(state.latest);
    object["best_validation"] = figures(state.best);
    object["best_validation"]["update"] = state.best_update;
  }
  return object;
}

std::string plain(const json& value) {
  constexpr const char* kNone = "none";
  if (value.is_string()) return value.get<std::string>().empty() ? kNone : value.get<std::string>();
  if (value.is_number_float()) {
    const auto number = value.get<double>();
    return number != 0 && std::abs(number) < 1e-3 ? number_text(number) : fixed_text(number, 4);
  }
  if (!value.is_structured()) return json_line(value);
  std::vector<std::string> parts;
  for (const auto& [name, member] : value.items())
    parts.push_back(value.is_object() ? name + " " + plain(member) : plain(member));
  return parts.empty() ? kNone : join(parts, ", ");
}

/// A line, or several that are broken at spaces; those after the first are indented.
std::string wrapped(const std::string& line, std::size_t indent) {
  constexpr std::size_t kWidth = 100;
  std::string text;
  std::size_t column = indent;
  for (const std::string& word : split(line, ' ')) {
    const bool fits = column == indent || column + 1 + word.size() <= kWidth;
    if (!fits) text += "\n" + std::string(indent, ' ');
    if (!fits) column = indent;
    if (column > indent) text += ' ';
    column += word.size() + (column > indent ? 1 : 0);
    text += word;
  }
  return text;
}

constexpr const char* kIndent = "  ";

/// The width of the names of all members, with two spaces after the longest.
std::size_t column_of(const json& object, std::size_t indent) {
  std::size_t column = 0;
  for (const auto& [name, value] : object.items()) {
    column = std::max(column, indent + terminal_text(name).size() + 2);
    if (value.is_object() && indent == 0) column = std::max(column, column_of(value, 2));
  }
  return column;
}

void append_lines(const json& object, const std::string& indent, std::size_t column, std::string& text) {
  for (const auto& [name, value] : object.items()) {
    const std::string head = indent + terminal_text(name);
    if (value.is_object() && indent.empty()) {
      text += head + "\n";
      append_lines(value, kIndent, column, text);
    } else {
      text +=
          head + std::string(column - head.size(), ' ') + wrapped(terminal_text(plain(value)), column) + "\n";
    }
  }
}

/// Names the languages without the ids of their tokens.
void shorten_languages(json& description) {
  if (!description.contains("text") || !description["text"].contains("languages")) return;
  json languages = description["text"]["languages"];
  description["text"].erase("languages");
  json codes = json::array();
  for (const auto& [code, id] : languages.at("ids").items()) codes.push_back(code);
  languages.erase("ids");
  languages["number"] = codes.size();
  languages["codes"] = std::move(codes);
  description["languages"] = std::move(languages);
}

}  // namespace

json describe_model(const std::string& path, Listener& listener) {
  const ReadableModel readable(path, listener);
  const std::string& directory = readable.directory();
  const TextModel model = read_text_model(directory, Weights::in_place);
  const Parameters& parameters = *model.model.parameters;

  NetworkSettings network = model.model.settings;
  const json config = read_model_config(directory);
  json description{{"model", readable.name()},
                   {"network", fields_to_json(all_fields_of(network))},
                   {"parameters", parameters_by_part(parameters)},
                   {"weights", name_of(parameters.stored_type())},
                   {"text", config.at("text")}};
  if (model.source) {
    description["vocabulary"] = {{"source_pieces", model.source->size()},
                                 {"target_pieces", model.target->size()},
                                 {"shared", model.source == model.target}};
  }
  description["parameters"]["all"] = parameters.count();
  for (const char* const member : {"lengths", "averaged", "imported"}) {
    if (config.contains(member)) description[member] = config[member];
  }
  std::error_code unknown;
  if (fs::exists(directory + "/training.json", unknown)) {
    description["training"] = history(read_training_record(directory).state);
    check_learning(directory, weight_ranges(parameters));
  }
  const std::size_t checkpoints = list_checkpoints(path).size();
  if (checkpoints > 0) description["checkpoints"] = checkpoints;
  description["whole"] = true;
  return description;
}

std::string description_text(const json& description) {
  std::string text;
  json others = description;
  others.erase("whole");
  shorten_languages(others);
  append_lines(others, "", column_of(others, 0), text);
  return text + (description.value("whole", false) ? "whole: every file was read and checked\n" : "");
}

}  // namespace gloss
