#pragma once

#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "model/layers/parameters.h"
#include "model/networks/factory.h"
#include "model/safetensors.h"

namespace gloss {

/// A network with its weights, as read from a model directory.
struct Model {
  NetworkSettings settings;
  std::shared_ptr<const SafetensorsFile> file;  ///< of mapped weights, which it keeps alive
  std::unique_ptr<Parameters> parameters;
  std::unique_ptr<Network> network;
};

/// Packs the weights for computing with `type` and lets go of what was read of their file.
void pack(Model&, DType type, int threads);

/// How the weights come into memory: `mapped` straight from the file, read-only and shared between processes;
/// `copied` into memory that training may change.
enum class Weights { mapped, copied };

/// Reads `directory`/config.json and model.safetensors. Names, dtypes, shapes, offsets and sizes are checked
/// before use; throws InputError naming the file and the field or tensor that is wrong.
Model read_model(const std::string& directory, Weights);
/// Throws InputError naming the tensor if a weight of the model in `directory` is not a finite number.
void expect_finite(const Parameters&, const std::string& directory);
/// The whole config.json: "format", "network" and what others added. Throws InputError.
nlohmann::json read_model_config(const std::string& directory);
/// The network settings in a config.json.
NetworkSettings network_settings(const nlohmann::json& config, const std::string& where);

/// Files of a model directory beside the network's, by name; without content: one that a model may have and
/// this one has not.
using FilesBeside = std::map<std::string, std::optional<std::string>>;

/// Writes config.json (the network's settings under "network", `others` merged in beside them),
/// model.safetensors and the files beside them into an existing directory. Nothing changes before all are
/// written and flushed; then they take their names, config.json last, and the files that the model has not
/// are removed. Matrices and tables are stored as `type`.
void write_model(const std::string& directory, const NetworkSettings&, const Parameters&,
                 const nlohmann::json& others, const FilesBeside& beside = {}, DType type = DType::f32);

}  // namespace gloss
