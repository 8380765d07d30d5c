// SPDX-License-Identifier: Apache-2.0

#include "pipeline/hugging_face/hugging_face_weights.h"

#include <array>
#include <filesystem>
#include <vector>

#include "base/error.h"
#include "base/text.h"
#include "model/formats/foreign_safetensors.h"
#include "model/formats/sharded_arrays.h"
#include "model/formats/torch_checkpoint.h"

namespace gloss {
namespace {

/// The ways in which weights are stored, the preferred first.
struct WeightsFile {
  const char* name;
  ForeignArrays (*read)(const std::string& path);
};

ForeignArrays read_torch_arrays(const std::string& path) { return read_torch_checkpoint(path).arrays; }

const std::array<WeightsFile, 4> kWeightsFiles{
    WeightsFile{"model.safetensors", read_foreign_safetensors},
    {"model.safetensors.index.json",
     [](const std::string& path) { return read_shards(path, read_foreign_safetensors); }},
    {"pytorch_model.bin", read_torch_arrays},
    {"pytorch_model.bin.index.json",
     [](const std::string& path) { return read_shards(path, read_torch_arrays); }}};

}  // namespace

std::shared_ptr<const ForeignArrays> read_hugging_face_weights(const std::string& directory) {
  std::vector<std::string> names;
  for (const WeightsFile& file : kWeightsFiles) {
    const std::string path = concat(directory, "/", file.name);
    if (std::filesystem::exists(path)) return std::make_shared<const ForeignArrays>(file.read(path));
    names.emplace_back(file.name);
  }
  throw InputError(concat(directory, " has no weights; expected ", join(names, " or ")));
}

}  // namespace gloss
