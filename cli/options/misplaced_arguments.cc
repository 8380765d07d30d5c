// SPDX-License-Identifier: Apache-2.0

#include "cli/options/misplaced_arguments.h"

#include <algorithm>
#include <filesystem>
#include <functional>

#include "base/shown.h"
#include "base/text.h"
#include "cli/options/option_description.h"
#include "cli/options/shell_word.h"
#include "pipeline/foreign/readable_model.h"

namespace gloss {
namespace {

using Condition = std::function<bool(const Field&)>;

const Field* find(const ReadCommand& command, const Condition& wanted) {
  const auto found = std::ranges::find_if(command.fields, [&](const Field* field) { return wanted(*field); });
  return found == command.fields.end() ? nullptr : *found;
}

const Field* model_of(const ReadCommand& command) {
  return find(command, [](const Field& field) { return field.has(kModelDirectory); });
}

std::string long_option(const Field& field) { return "--" + option_name(field.name); }

/// The shorter spelling of an option.
std::string short_spelling(const Field& field) {
  return field.letter == 0 ? long_option(field) : concat('-', field.letter);
}

/// The options that plain arguments may be meant for.
class FreeOptions {
 public:
  explicit FreeOptions(const ReadCommand& command) : model_(model_of(command)) {
    const auto add = [&](const Field* field) {
      if (field != nullptr && !command.given(address_of(*field))) free_.push_back(field);
    };
    const auto named = [&](const std::string& name) {
      return find(command, [&](const Field& field) { return field.name == name; });
    };
    for (const char* const name : {"source", "target", "input"}) add(named(name));
    add(model_);
    add(named("output"));
  }

  /// The option for the next argument, a model for that of the model; null if none is left.
  const Field* take(const std::string& argument) {
    auto place = means_model(argument) ? std::ranges::find(free_, model_) : free_.begin();
    if (place == free_.end()) place = free_.begin();
    if (place == free_.end()) return nullptr;
    const Field* const field = *place;
    free_.erase(place);
    return field;
  }

 private:
  const Field* model_;
  std::vector<const Field*> free_;
};

/// The arguments with the options that they may be meant for; empty if one has none.
std::string with_options(const ReadCommand& command, const std::vector<std::string>& arguments) {
  FreeOptions options(command);
  std::vector<std::string> words;
  const Field* last = nullptr;
  for (const std::string& argument : arguments) {
    const bool further = last != nullptr && last->name == "input" && is_list(*last);
    if (!further) {
      last = options.take(argument);
      if (last == nullptr) return "";
      words.push_back(long_option(*last));
    }
    words.push_back(shell_word(argument));
  }
  return join(words, " ");
}

}  // namespace

std::string unexpected_arguments(const ReadCommand& command, const std::vector<std::string>& arguments) {
  const std::string placed = with_options(command, arguments);
  const Field* const model = model_of(command);
  std::string advice;
  if (!placed.empty()) {
    advice = concat("; did you mean ", shown(placed), "?");
  } else if (model != nullptr && command.given(address_of(*model)) && !is_list(*model)) {
    advice = concat("; gloss ", command.name, " takes one ", long_option(*model), ", which is ",
                    field_text(*model));
  }
  return concat("unexpected argument ", shown(arguments.front()), advice, " ('gloss ", command.name,
                " --help' shows the usage)");
}

std::string missing_model_option(const ReadCommand& command, const std::vector<std::string>& arguments) {
  const Field* const model = model_of(command);
  if (model == nullptr || command.given(address_of(*model))) return "";
  const auto named = std::ranges::find_if(arguments, means_model);
  if (named == arguments.end()) return "";
  std::vector<std::string> words{"gloss", command.name, short_spelling(*model), shell_word(*named)};
  for (const std::string& argument : arguments) {
    if (argument != *named) words.push_back(shell_word(argument));
  }
  return concat(long_option(*model), " is missing, and ", *named, " can be it; did you mean '",
                join(words, " "), "'?");
}

std::vector<std::string> files_among_models(const ReadCommand& command) {
  std::vector<std::string> files;
  const Field* const model = model_of(command);
  if (model == nullptr || !is_list(*model)) return files;
  const auto& models = *std::get<std::vector<std::string>*>(model->target);
  for (std::size_t i = 1; i < models.size(); ++i) {  // the first one is meant as a model
    std::error_code error;
    if (std::filesystem::is_regular_file(models[i], error) && !means_model(models[i]))
      files.push_back(models[i]);
  }
  return files;
}

}  // namespace gloss
