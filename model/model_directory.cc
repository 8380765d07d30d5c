#include "model/model_directory.h"

#include <deque>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "base/error.h"
#include "base/json.h"
#include "model/safetensors.h"
#include "model/tensor/kernels.h"

namespace gloss {
namespace {

constexpr int kFormat = 1;

std::string config_path(const std::string& directory) { return directory + "/config.json"; }
std::string weights_path(const std::string& directory) { return directory + "/model.safetensors"; }

constexpr const char* kScales = ".scales";  // behind the name of an int8 matrix

/// The entry's numbers in the file: f32, or bf16 or int8 for matrices and tables.
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

void pack(Model& model, DType type, int threads) {
  model.parameters->pack(type, threads);
  if (model.file) model.file->drop_pages();
}

namespace {

/// Arrays to be written with the memory of those that are made here.
struct Storage {
  std::vector<NamedArray> arrays;
  std::deque<QuantisedMatrix> quantised;
  std::deque<std::vector<Bf16>> narrowed;
  std::deque<std::vector<float>> widened;

  void add(const Parameters::Entry& entry, DType type) {
    const StoredMatrix stored = entry.tensor.stored();
    const Shape& shape = entry.tensor.shape();
    if (type == DType::int8) {
      const QuantisedMatrix& made = quantised.emplace_back(gloss::quantised(stored));
      arrays.push_back({entry.name, type, shape, made.numbers.data()});
      arrays.push_back({entry.name + kScales, DType::f32, {shape.rows()}, made.scales.data()});
      return;
    }
    if (type == stored.type) {
      arrays.push_back({entry.name, type, shape, stored.numbers});
      return;
    }
    std::vector<float>& wide = widened.emplace_back(static_cast<std::size_t>(shape.count()));
    for (std::int64_t row = 0; row < stored.rows; ++row)
      widen_row(stored, row, wide.data() + row * stored.columns);
    if (type == DType::f32) {
      arrays.push_back({entry.name, type, shape, wide.data()});
      return;
    }
    std::vector<Bf16>& narrow = narrowed.emplace_back(wide.size());
    kernels().narrow(wide.data(), narrow.data(), shape.count());
    widened.pop_back();
    arrays.push_back({entry.name, type, shape, narrow.data()});
  }
};

}  // namespace

void write_model(const std::string& directory, const NetworkSettings& settings, const Parameters& parameters,
                 const nlohmann::json& others, DType type) {
  Storage storage;
  for (const Parameters::Entry& entry : parameters.entries()) {
    storage.add(entry, entry.role == Role::other ? DType::f32 : type);
  }
  NetworkSettings copy = settings;
  nlohmann::json config = others.is_null() ? nlohmann::json::object() : others;
  config["format"] = kFormat;
  config["network"] = fields_to_json(all_fields_of(copy));
  config["weights"] = name_of(type);
  write_safetensors(weights_path(directory), storage.arrays);
  write_json(config_path(directory), config);
}

}  // namespace gloss
