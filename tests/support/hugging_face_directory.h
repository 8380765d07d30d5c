// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/files.h"
#include "base/index.h"
#include "base/random.h"
#include "base/text.h"
#include "model/formats/safetensors.h"

namespace gloss {

/// A tiny model in transformers' form, with random weights, to be changed and written.
struct HuggingFaceDirectory {
  struct Array {
    Shape shape;
    std::vector<float> values;
  };

  nlohmann::json config;
  std::map<std::string, Array> arrays;
  std::map<std::string, std::string> files;  ///< further files: names and contents

  void add(const std::string& name, const Shape& shape) {
    Array& array = arrays[name] = {shape, std::vector<float>(index(shape.count()))};
    for (float& value : array.values) value = static_cast<float>(random_.normal() / 2);
  }
  void add_linear(const std::string& name, int out, int in) {
    add(name + ".weight", {out, in});
    add(name + ".bias", {out});
  }
  void add_norm(const std::string& name, int width) {
    for (const std::string part : {".weight", ".bias"}) add(name + part, {width});
  }
  /// Gives an array another name.
  void rename(const std::string& from, const std::string& to) {
    arrays[to] = arrays.at(from);
    arrays.erase(from);
  }

  /// Writes the directory.
  void write(const std::string& directory) const {
    std::filesystem::create_directories(directory);
    const auto write_text = [&](const std::string& name, const std::string& text) {
      AtomicFile file(concat(directory, "/", name));
      file.write(text);
      file.commit();
    };
    write_text("config.json", config.dump());
    for (const auto& [name, text] : files) write_text(name, text);
    std::vector<NamedArray> named;
    for (const auto& [name, array] : arrays)
      named.push_back({name, DType::f32, array.shape, array.values.data()});
    AtomicFile file(directory + "/model.safetensors");
    write_safetensors(file, named);
    file.commit();
  }

 private:
  Random random_{7};
};

}  // namespace gloss
