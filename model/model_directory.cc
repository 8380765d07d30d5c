// SPDX-License-Identifier: Apache-2.0

#include "model/model_directory.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "base/checksum.h"
#include "base/error.h"
#include "base/index.h"
#include "base/json.h"
#include "base/mapped_file.h"
#include "model/formats/safetensors.h"
#include "model/model_paths.h"
#include "model/tensor/int4_groups.h"
#include "model/tensor/stored_matrix.h"
#include "model/weights_check.h"

namespace gloss {
namespace {

constexpr int kFormat = 1;

constexpr const char* kSums = "sums";  // member of config.json: the checksum of each other file

std::string config_path(const std::string& directory) { return concat(directory, "/", kConfigFile); }
std::string weights_path(const std::string& directory) { return concat(directory, "/", kWeightsFile); }

constexpr const char* kScales = ".scales";  // suffix of the name of an int8 or int4 matrix

/// The shape in which a file has a matrix of this type: int4 matrices have bytes of two elements.
Shape shape_in_file(const Shape& shape, DType type) {
  if (type != DType::int4) return shape;
  return {shape.rows(), static_cast<std::int64_t>(row_bytes(type, shape.columns()))};
}

/// The shape of the scales of a matrix of type int8 or int4.
Shape shape_of_scales(const Shape& shape, DType type) {
  if (type == DType::int8) return {shape.rows()};
  return {shape.rows(), int4_groups(shape.columns())};
}

/// The entry's values in the file: f32, or bf16, int8 or int4 for matrices and tables.
StoredMatrix stored_matrix(const SafetensorsFile& file, const Parameters::Entry& entry) {
  const Shape& shape = entry.tensor.shape();
  const auto found = file.arrays().find(entry.name);
  const bool may_be_small = entry.role != Role::other && found != file.arrays().end();
  const DType type = may_be_small ? found->second.dtype : DType::f32;
  StoredMatrix stored{.type = type,
                      .numbers = file.array(entry.name, type, shape_in_file(shape, type)).data,
                      .rows = shape.rows(),
                      .columns = shape.columns(),
                      .mapped = true};
  const auto scales = [&](DType of_scales) {
    return file.array(entry.name + kScales, of_scales, shape_of_scales(shape, type)).data;
  };
  if (type == DType::int8) stored.scales = static_cast<const float*>(scales(DType::f32));
  if (type == DType::int4) stored.group_scales = static_cast<const Bf16*>(scales(DType::bf16));
  return stored;
}

/// The bytes of a config.json as an object of gloss.
nlohmann::json parse_config(std::string_view bytes, const std::string& path) {
  nlohmann::json config = parse_json(bytes, path);
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

}  // namespace

nlohmann::json read_model_config(const std::string& directory) {
  const std::string path = config_path(directory);
  return parse_config(MappedFile(path).text(), path);
}

FileSums file_sums(const nlohmann::json& config, const std::string& where) {
  FileSums sums;
  if (!config.contains(kSums)) return sums;
  const nlohmann::json& members = config[kSums];
  const bool valid = members.is_object() &&
                     std::ranges::all_of(members, [](const nlohmann::json& sum) { return sum.is_string(); });
  if (!valid || !members.contains(kWeightsFile)) {
    throw InputError(concat(where, ": 'sums' is not an object with a text for each file of the model"));
  }
  for (const auto& [name, sum] : members.items()) sums[name] = sum.get<std::string>();
  return sums;
}

FileSums read_file_sums(const std::string& directory) {
  return file_sums(read_model_config(directory), config_path(directory));
}

void expect_sum(const FileSums& sums, const std::string& directory, const std::string& name,
                const std::string& sum) {
  if (sums.empty()) return;
  const auto expected = sums.find(name);
  if (expected != sums.end() && expected->second == sum) return;
  throw InputError(concat(
      directory, "/", name, " does not belong to the config.json in its directory: its XXH3-128 sum is ", sum,
      ", expected ", expected == sums.end() ? "no such file" : expected->second,
      "; restore the model or write it again, or remove 'sums' from config.json if you changed the file"));
}

nlohmann::json with_current_names(nlohmann::json settings) {
  if (!settings.is_object()) return settings;
  const auto rename = [&](const char* older, const char* current, bool in_array) {
    if (!settings.contains(older) || settings.contains(current)) return;
    settings[current] = in_array ? nlohmann::json::array({settings[older]}) : settings[older];
    settings.erase(older);
  };
  rename("decoder_autoregression", "decoder_mixers", /*in_array=*/true);
  rename("from", "model", /*in_array=*/false);
  return settings;
}

NetworkSettings network_settings(const nlohmann::json& config, const std::string& where) {
  NetworkSettings settings;
  if (!config.contains("network")) throw InputError(concat(where, ": the member 'network' is missing"));
  const nlohmann::json network = with_current_names(config["network"]);
  if (network.is_object() && network.contains("architecture")) {  // determines the other members
    fields_from_json({architecture_field(settings)}, {{"architecture", network["architecture"]}}, where);
  }
  if (network.is_object() && network.contains("classes")) {
    fields_from_json({classes_field(settings)}, {{"classes", network["classes"]}}, where);
  }
  if (network.is_object() && network.contains("source_type")) {
    fields_from_json({source_type_field(settings.source)}, {{"source_type", network["source_type"]}}, where);
    if (!settings.source.is_text()) set_vocabulary(settings, kWithoutText);
  }
  fields_from_json(all_fields_of(settings), network, where);
  if (form_of(settings) == Form::encoder_decoder && !settings.source.is_text())
    settings.source_vocabulary = settings.target_vocabulary;  // there is only one
  try {
    check(settings);
  } catch (const UsageError& error) {
    throw InputError(concat(where, ": ", error.what()));
  }
  return settings;
}

Model read_model(const std::string& directory, Weights weights) {
  const MappedFile config_file(config_path(directory));
  const nlohmann::json config = parse_config(config_file.text(), config_path(directory));
  Model model;
  model.sum = checksum(config_file.text());
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
  expect_sum(file_sums(config, config_path(directory)), directory, kWeightsFile, check_weights(*file));
  model.parameters->adopt(find, weights == Weights::copied);
  if (weights == Weights::in_place) {
    model.file = file;
    set_aside(file->bytes());  // all of it has been read for the checks
  }
  return model;
}

void pack(Model& model, DType type, int threads) {
  model.parameters->pack(type, threads, [&](const Parameters::Entry& entry) {
    if (!model.file) return;
    const StoredMatrix stored = entry.tensor.stored();
    const std::span numbers(static_cast<const std::byte*>(stored.numbers), stored.bytes());
    if (entry.role == Role::matrix) {
      model.file->release(numbers);
    } else {
      set_aside(numbers);  // most rows of a table are never read
    }
  });
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
    arrays.push_back({entry.name, matrix.type, shape_in_file(shape, matrix.type), matrix.numbers});
    const Shape of_scales = shape_of_scales(shape, matrix.type);
    if (matrix.scales != nullptr)
      arrays.push_back({entry.name + kScales, DType::f32, of_scales, matrix.scales});
    if (matrix.group_scales != nullptr)
      arrays.push_back({entry.name + kScales, DType::bf16, of_scales, matrix.group_scales});
  }
  const DataOf data_of = [](const NamedArray& array) { return array.data; };
  write_model(directory, settings, {std::move(arrays), data_of, type}, others, beside);
}

void write_model(const std::string& directory, const NetworkSettings& settings, const WeightsToWrite& given,
                 const nlohmann::json& others, const FilesBeside& beside) {
  NetworkSettings copy = settings;
  nlohmann::json config = others.is_null() ? nlohmann::json::object() : others;
  config["format"] = kFormat;
  config["network"] = fields_to_json(all_fields_of(copy));
  config["weights"] = name_of(given.type);
  config[kSums] = nlohmann::json::object();
  AtomicFiles files;
  for (const auto& [name, content] : beside) {
    expects(std::ranges::count(kModelFiles, name) == 1, name, " is not among the files of a model");
    if (!content) continue;
    files.open(directory + "/" + name).write(*content);
    config[kSums][name] = checksum(*content);
  }
  AtomicFile& weights = files.open(weights_path(directory));
  write_safetensors(weights, given.arrays, given.data_of);
  config[kSums][kWeightsFile] = weights.sum();
  files.open(config_path(directory)).write(json_text(config));
  files.commit();
  std::error_code ignored;
  for (const auto& [name, content] : beside) {
    if (!content) std::filesystem::remove(directory + "/" + name, ignored);
  }
}

}  // namespace gloss
