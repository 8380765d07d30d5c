// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gloss {

/// An array with any claims about its numbers.
struct PlainArray {
  std::string name;
  std::string type;                 ///< as in safetensors
  std::vector<std::int64_t> shape;  ///< need not fit the bytes
  std::string bytes;
};
/// Weights of any format, between mutations: safetensors whose member __metadata__ has what other formats
/// keep beside the arrays, such as the settings of fairseq.
struct PlainWeights {
  std::vector<PlainArray> arrays;
  nlohmann::json about = nlohmann::json::object();
};

/// None if the bytes are no safetensors file.
std::optional<PlainWeights> read_plain(std::string_view safetensors);
/// The arrays follow one another, so that a lie about a size is the only one.
std::string written_plain(const PlainWeights&);

/// The bytes of a number of a type; 1 if it is unknown.
std::size_t number_size(const std::string& type);
/// The bytes that a shape needs; none if there are very many.
std::optional<std::size_t> size_for(const PlainArray&);

/// Weights in the form of another program: "npz", "marian", "ctranslate2", "torch" or "fairseq". Bytes that
/// are no safetensors file stay as they are.
std::string encoded_weights(const std::string& safetensors, const std::string& kind);

}  // namespace gloss
