// SPDX-License-Identifier: Apache-2.0

#include "pipeline/text_models/averaging.h"

#include <algorithm>
#include <filesystem>
#include <span>

#include "base/error.h"
#include "base/index.h"
#include "base/json.h"
#include "base/paths.h"
#include "model/model_directory.h"
#include "model/model_paths.h"
#include "model/output_directory.h"
#include "pipeline/examples/tokenizer_files.h"
#include "pipeline/foreign/export_model.h"
#include "pipeline/foreign/foreign_formats.h"
#include "pipeline/foreign/no_model.h"
#include "pipeline/foreign/readable_model.h"
#include "pipeline/text_models/training_record.h"

namespace gloss {
namespace {

namespace fs = std::filesystem;

/// Throws InputError if tokenizers, text settings, network settings or parameters of the models differ.
void expect_same_kind(const ReadableModel& first, const Model& first_model, const ReadableModel& other,
                      const Model& other_model) {
  const auto differ = [&](const std::string& what) {
    throw InputError(concat(other.name(), " and ", first.name(), " cannot be averaged: ", what, " differ"));
  };
  const FilesBeside others_files = read_tokenizer_files(other.directory());
  for (const auto& [name, content] : read_tokenizer_files(first.directory())) {
    if (content != others_files.at(name)) differ("their " + name + " files");
  }
  const auto text = [](const std::string& directory) {
    return read_model_config(directory).value("text", nlohmann::json());
  };
  if (text(first.directory()) != text(other.directory())) differ("the text settings in their config.json");
  const auto network = [](NetworkSettings settings) {
    Fields fields = all_fields_of(settings);
    leave_out_traits(fields, kTrainingOnly);
    return fields_to_json(fields);
  };
  if (network(first_model.settings) != network(other_model.settings)) differ("their network settings");
  const auto entries = first_model.parameters->entries(), others = other_model.parameters->entries();
  if (entries.size() != others.size()) differ("their numbers of parameters");
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (entries[i].name != others[i].name)
      differ(concat("their parameters ", entries[i].name, " and ", others[i].name));
    if (entries[i].tensor.shape() != others[i].tensor.shape()) {
      differ(concat("the shapes ", others[i].tensor.shape().text(), " and ", entries[i].tensor.shape().text(),
                    " of ", entries[i].name));
    }
  }
}

/// Adds the weights of a model, each at its place in the flat array of all parameters.
void add_weights(const Parameters& parameters, std::vector<double>& sums) {
  for (const Parameters::Entry& entry : parameters.entries()) {
    const StoredMatrix stored = entry.tensor.stored();
    std::vector<float> row(index(stored.columns));
    for (std::int64_t r = 0; r < stored.rows; ++r) {
      widen_row(stored, r, row.data());
      double* const to = sums.data() + entry.offset + r * stored.columns;
      for (std::size_t i = 0; i < row.size(); ++i) to[i] += static_cast<double>(row[i]);
    }
  }
}

}  // namespace

std::vector<std::string> models_to_average(const std::vector<std::string>& directories, int last) {
  std::vector<std::string> models;
  for (const std::string& named : directories) {
    const std::string directory = without_last_slashes(named);
    std::error_code unknown;
    if (is_foreign_model(directory) || fs::exists(concat(directory, "/", kConfigFile), unknown)) {
      models.push_back(directory);
      continue;
    }
    const std::vector<Checkpoint> checkpoints = list_checkpoints(directory);
    if (checkpoints.empty()) throw InputError(why_no_model(directory));
    std::vector<std::string> kept;
    for (const Checkpoint& checkpoint : checkpoints) {
      if (!read_training_record(checkpoint.path).state.temporary) kept.push_back(checkpoint.path);
    }
    if (kept.empty()) {
      throw InputError(concat(directory, " has no checkpoints of validations or epochs; give ", directory,
                              "/last for its latest checkpoint, or continue the training"));
    }
    const std::size_t count = last == 0 ? kept.size() : std::min(kept.size(), gloss::index(last));
    models.insert(models.end(), kept.end() - static_cast<std::ptrdiff_t>(count), kept.end());
  }
  if (models.empty()) throw UsageError("no models to average: name a model or training directory");
  for (std::size_t i = 0; i < models.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      std::error_code missing;
      if (fs::equivalent(models[i], models[j], missing)) {
        throw UsageError(concat(models[i], " and ", models[j], " are the same model; name each model once"));
      }
    }
  }
  return models;
}

std::vector<std::string> average_models(const std::vector<std::string>& directories,
                                        const std::string& output, bool overwrite, Listener& listener) {
  std::vector<std::string> rounded;
  const auto note_type = [&](const Model& model, const std::string& from) {
    if (model.parameters->stored_type() != DType::f32) rounded.push_back(from);
  };
  OutputDirectory directory(output, overwrite, exported_files());
  // One model after the other, since all together might not fit into memory.
  const ReadableModel first_source(directories.front(), listener);
  const Model first = read_model(first_source.directory(), Weights::in_place);
  std::vector<double> sums(index(first.parameters->flat_size()), 0.0);
  note_type(first, directories.front());
  add_weights(*first.parameters, sums);
  for (const std::string& source : std::span(directories).subspan(1)) {
    const ReadableModel other_source(source, listener);
    const Model other = read_model(other_source.directory(), Weights::in_place);
    expect_same_kind(first_source, first, other_source, other);
    note_type(other, source);
    add_weights(*other.parameters, sums);
  }

  const NetworkSettings& settings = first.settings;
  Parameters parameters;
  const std::unique_ptr<Network> network = make_network(settings, parameters);
  const auto count = static_cast<double>(directories.size());
  std::vector<float> mean;
  const auto mean_of = [&](const Parameters::Entry& entry) {
    mean.clear();
    for (std::int64_t i = 0; i < entry.tensor.count(); ++i) {
      mean.push_back(static_cast<float>(sums[index(entry.offset + i)] / count));
    }
    return StoredMatrix{DType::f32, mean.data(), nullptr, entry.tensor.rows(), entry.tensor.columns()};
  };
  parameters.adopt(mean_of, true);

  nlohmann::json others = read_model_config(first_source.directory());
  others["averaged"] = directories;
  write_model(directory.path(), settings, parameters, others, read_tokenizer_files(first_source.directory()));
  directory.commit();
  return rounded;
}

}  // namespace gloss
