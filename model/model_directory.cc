#include "model/model_directory.h"

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json.h"
#include "model/safetensors.h"

namespace gloss {
namespace {

constexpr int kFormat = 1;

std::string config_path(const std::string& directory) { return directory + "/config.json"; }
std::string weights_path(const std::string& directory) { return directory + "/model.safetensors"; }

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
        concat(path, ": 'format' is ", config["format"].dump(), ", this program reads ", kFormat));
  }
  return config;
}

NetworkSettings network_settings(const nlohmann::json& config, const std::string& where) {
  NetworkSettings settings;
  if (!config.contains("network")) throw InputError(concat(where, ": the member 'network' is missing"));
  fields_from_json(all_fields_of(settings), config["network"], where);
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
  // Declaring costs nothing per number, so that absurd sizes are found before memory is asked for them.
  model.parameters = std::make_unique<Parameters>();
  model.network = make_network(model.settings, *model.parameters);
  for (const auto& [name, array] : file->arrays()) {
    bool declared = false;
    for (const Parameters::Entry& entry : model.parameters->entries())
      declared = declared || entry.name == name;
    if (!declared) throw InputError(concat(file->path(), ": unknown tensor '", name, "'"));
  }
  const auto find = [&](const Parameters::Entry& entry) {
    return static_cast<const float*>(file->array(entry.name, DType::f32, entry.tensor.shape()).data);
  };
  model.parameters->adopt(find, weights == Weights::copied);
  if (weights == Weights::mapped) model.file = file;
  return model;
}

void write_model(const std::string& directory, const NetworkSettings& settings, const Parameters& parameters,
                 const nlohmann::json& others) {
  std::vector<NamedArray> arrays;
  for (const Parameters::Entry& entry : parameters.entries()) {
    arrays.push_back({entry.name, DType::f32, entry.tensor.shape(), entry.tensor.data()});
  }
  NetworkSettings copy = settings;
  nlohmann::json config = others.is_null() ? nlohmann::json::object() : others;
  config["format"] = kFormat;
  config["network"] = fields_to_json(all_fields_of(copy));
  write_safetensors(weights_path(directory), arrays);
  write_json(config_path(directory), config);
}

}  // namespace gloss
