// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/hugging_face/hugging_face_weights.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/files.h"
#include "base/paths.h"
#include "base/text.h"
#include "model/formats/foreign_safetensors.h"
#include "model/formats/sharded_arrays.h"
#include "model/formats/torch_checkpoint.h"

namespace gloss {
namespace {

/// The ways in which weights are stored, the preferred first.
struct WeightsFile {
  const char* name;
  StoredArrays (*read)(const std::string& path);
};

StoredArrays read_torch_arrays(const std::string& path) { return read_torch_checkpoint(path).arrays; }

const std::array<WeightsFile, 4> kWeightsFiles{
    WeightsFile{"model.safetensors", read_foreign_safetensors},
    {"model.safetensors.index.json",
     [](const std::string& path) { return read_shards(path, read_foreign_safetensors); }},
    {"pytorch_model.bin", read_torch_arrays},
    {"pytorch_model.bin.index.json",
     [](const std::string& path) { return read_shards(path, read_torch_arrays); }}};

/// Of TensorFlow, JAX, ONNX, llama.cpp and Rust.
constexpr std::array<std::string_view, 5> kUnreadEndings{".h5", ".msgpack", ".onnx", ".gguf", ".ot"};

}  // namespace

std::vector<std::string> unread_weights(const std::vector<std::string>& names) {
  std::vector<std::string> found;
  for (const std::string& name : names) {
    const std::string ending = std::filesystem::path(name).extension();
    if (std::ranges::count(kUnreadEndings, ending) > 0) found.push_back(name);
  }
  std::ranges::sort(found);
  return found;
}

std::shared_ptr<const StoredArrays> read_hugging_face_weights(const std::string& directory) {
  std::vector<std::string> names;
  for (const WeightsFile& file : kWeightsFiles) {
    const std::string path = concat(directory, "/", file.name);
    if (path_exists(path)) return std::make_shared<const StoredArrays>(file.read(path));
    names.emplace_back(file.name);
  }
  const std::vector<std::string> unread = unread_weights(names_in(directory));
  throw InputError(concat(directory, " has no weights", unread.empty() ? "" : " that gloss reads, but ",
                          join(unread, ", "), "; expected ", join(names, " or ")));
}

}  // namespace gloss
