// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "model/formats/safetensors.h"
#include "model/layers/parameters.h"
#include "model/networks/factory.h"

namespace gloss {

/// A network with its weights, read from a model directory.
struct Model {
  NetworkSettings settings;
  std::shared_ptr<const SafetensorsFile> file;  ///< keeps weights used in place alive
  std::unique_ptr<Parameters> parameters;
  std::unique_ptr<Network> network;
  std::string sum{};  ///< checksum of config.json, which has those of the other files
};

/// Packs the weights for computing with `type` and releases the memory of the matrices in the file.
void pack(Model&, DType type, int threads);

/// Loading of weights: `in_place` uses them where the file was read into memory, in their stored types;
/// `copied` copies them to f32 memory that training may change.
enum class Weights { in_place, copied };

/// Reads `directory`/config.json and model.safetensors. Validates names, dtypes, shapes, offsets and sizes
/// before use, and that all weights are finite; throws InputError naming the file and the invalid field or
/// tensor.
Model read_model(const std::string& directory, Weights);
/// The whole config.json: "format", "network" and members added by other components. Throws InputError.
nlohmann::json read_model_config(const std::string& directory);
/// The checksums (Checksum) of the other files of a model by name, from the member "sums" of config.json;
/// empty for models of older versions, which have none.
using FileSums = std::map<std::string, std::string>;
FileSums file_sums(const nlohmann::json& config, const std::string& where);
FileSums read_file_sums(const std::string& directory);
/// Throws InputError if a file of the model in `directory` has another sum than its config.json says:
/// somebody changed it, or writing the model was interrupted between two files.
void expect_sum(const FileSums&, const std::string& directory, const std::string& name,
                const std::string& sum);
/// Settings of a network or a training as this program names them: older programs wrote
/// "decoder_autoregression" instead of "decoder_mixers", and "from" instead of "model".
nlohmann::json with_current_names(nlohmann::json settings);
/// The network settings in a config.json.
NetworkSettings network_settings(const nlohmann::json& config, const std::string& where);

/// Contents of further files of a model directory, by name. A file without content is removed.
using FilesBeside = std::map<std::string, std::optional<std::string>>;

/// The weights of a model to write.
struct WeightsToWrite {
  std::vector<NamedArray> arrays;
  DataOf data_of;
  DType type = DType::f32;  ///< of matrices and tables, for config.json
};

/// Writes config.json (the network's settings under "network", merged with `others`), model.safetensors and
/// the other files to an existing directory. All files are first written to temporary files and flushed, then
/// renamed, config.json last; then files without content are removed. config.json has the sums of all others,
/// so that a mix of two models is never loaded. Matrices and tables are stored as
/// `type`.
void write_model(const std::string& directory, const NetworkSettings&, const Parameters&,
                 const nlohmann::json& others, const FilesBeside& beside = {}, DType type = DType::f32);
/// The same with weights that are not all in memory.
void write_model(const std::string& directory, const NetworkSettings&, const WeightsToWrite&,
                 const nlohmann::json& others, const FilesBeside& beside = {});

}  // namespace gloss
