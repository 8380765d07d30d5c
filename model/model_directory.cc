// SPDX-License-Identifier: Apache-2.0

#include "model/model_directory.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "base/error.h"
#include "base/index.h"
#include "base/json.h"
#include "model/formats/safetensors.h"
#include "model/tensor/stored_matrix.h"

namespace gloss {
namespace {

constexpr int kFormat = 1;

std::string config_path(const std::string& directory) { return directory + "/config.json"; }
std::string weights_path(const std::string& directory) { return directory + "/model.safetensors"; }

constexpr const char* kScales = ".scales";  // suffix of the name of an int8 matrix

/// The entry's values in the file: f32, or bf16 or int8 for matrices and tables.
StoredMatrix stored_matrix(const SafetensorsFile& file, const Parameters::Entry& entry) {
  const Shape& shape = entry.tensor.shape();
  const auto found = file.arrays().find(entry.name);
  const bool may_be_small = entry.role != Role::other && found != file.arrays().end();
  const DType type = may_be_small ? found->second.dtype : DType::f32;
  StoredMatrix stored{type, file.array(entry.name, type, shape).data, nullptr, shape.rows(), shape.columns()};
  if (type == DType::int8) {
    const NamedArray& scales = file.array(entry.name + kScales, DType::f32, {shape.rows()});
    stored.scales = static_cast<const float*>(scales.data);
  }
  return stored;
}

}  // namespace

nlohmann::json read_model_config(const std::string& directory) {
  const std::string path = config_path(directory);
  nlohmann::json config = read_json(path);
  if (!config.is_object() || !config.contains("format") || !config["format"].is_number_integer()) {
    throw InputError(
        concat(path, ": the member 'format' is missing; expected the config.json of a gloss model"));
  }
  if (config["format"] != kFormat) {
    throw InputError(
        concat(path, ": 'format' is ", config["format"].dump(), "; this program reads format ", kFormat));
  }
  return config;
}

NetworkSettings network_settings(const nlohmann::json& config, const std::string& where) {
  NetworkSettings settings;
  if (!config.contains("network")) throw InputError(concat(where, ": the member 'network' is missing"));
  const nlohmann::json& network = config["network"];
  if (network.is_object() && network.contains("architecture")) {  // determines the other members
    fields_from_json({architecture_field(settings)}, {{"architecture", network["architecture"]}}, where);
  }
  if (network.is_object() && network.contains("classes")) {
    fields_from_json({classes_field(settings)}, {{"classes", network["classes"]}}, where);
  }
  fields_from_json(all_fields_of(settings), network, where);
  try {
    check(settings);
  } catch (const UsageError& error) {
    throw InputError(concat(where, ": ", error.what()));
  }
  return settings;
}

Model read_model(const std::string& directory, Weights weights) {
  const nlohmann::json config = read_model_config(directory);
  Model model;
  model.settings = network_settings(config, config_path(directory));
  const auto file = std::make_shared<SafetensorsFile>(weights_path(directory));
  // Declaring costs nothing per element, so absurd sizes are found before memory is allocated.
  model.parameters = std::make_unique<Parameters>();
  model.network = make_network(model.settings, *model.parameters);
  std::set<std::string> known;
  for (const Parameters::Entry& entry : model.parameters->entries()) {
    known.insert({entry.name, entry.name + kScales});
  }
  for (const auto& [name, array] : file->arrays()) {
    if (!known.contains(name)) throw InputError(concat(file->path(), ": unknown tensor '", name, "'"));
  }
  const auto find = [&](const Parameters::Entry& entry) { return stored_matrix(*file, entry); };
  model.parameters->adopt(find, weights == Weights::copied);
  if (weights == Weights::mapped) model.file = file;
  return model;
}

void expect_finite(const Parameters& parameters, const std::string& directory) {
  for (const Parameters::Entry& entry : parameters.entries()) {
    const StoredMatrix stored = entry.tensor.stored();
    std::vector<float> row(index(stored.columns));
    for (std::int64_t r = 0; r < stored.rows; ++r) {
      widen_row(stored, r, row.data());
      if (std::ranges::all_of(row, [](float value) { return std::isfinite(value); })) continue;
      throw InputError(
          concat(weights_path(directory), ": tensor '", entry.name, "' has values that are not finite"));
    }
  }
}

void pack(Model& model, DType type, int threads) {
  model.parameters->pack(type, threads);
  if (model.file) model.file->drop_pages();
}

void write_model(const std::string& directory, const NetworkSettings& settings, const Parameters& parameters,
                 const nlohmann::json& others, const FilesBeside& beside, DType type) {
  std::vector<ConvertedMatrix> converted;  // owns converted weights
  std::vector<NamedArray> arrays;
  converted.reserve(parameters.entries().size());
  for (const Parameters::Entry& entry : parameters.entries()) {
    const Shape& shape = entry.tensor.shape();
    const StoredMatrix& matrix =
        converted.emplace_back(entry.tensor.stored(), entry.role == Role::other ? DType::f32 : type).matrix();
    arrays.push_back({entry.name, matrix.type, shape, matrix.numbers});
    if (matrix.scales != nullptr) {
      arrays.push_back({entry.name + kScales, DType::f32, {shape.rows()}, matrix.scales});
    }
  }
  NetworkSettings copy = settings;
  nlohmann::json config = others.is_null() ? nlohmann::json::object() : others;
  config["format"] = kFormat;
  config["network"] = fields_to_json(all_fields_of(copy));
  config["weights"] = name_of(type);
  AtomicFiles files;
  for (const auto& [name, content] : beside) {
    if (content) files.open(directory + "/" + name).write(*content);
  }
  write_safetensors(files.open(weights_path(directory)), arrays);
  files.open(config_path(directory)).write(json_text(config));
  files.commit();
  std::error_code ignored;
  for (const auto& [name, content] : beside) {
    if (!content) std::filesystem::remove(directory + "/" + name, ignored);
  }
}

}  // namespace gloss
