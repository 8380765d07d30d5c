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
#include "tests/support/foreign_bytes.h"

namespace gloss {

/// A tiny translation model in the form of CTranslate2, with random weights and words as tokens, to be
/// changed and written.
struct CTranslate2Model {
  static constexpr std::uint32_t kWidth = 8, kInner = 12;

  std::map<std::string, CTranslate2Item> items;
  std::vector<std::array<std::string, 2>> aliases;
  nlohmann::json config{{"unk_token", "<unk>"},         {"bos_token", "<s>"},      {"eos_token", "</s>"},
                        {"decoder_start_token", "<s>"}, {"add_source_bos", false}, {"add_source_eos", true},
                        {"layer_norm_epsilon", nullptr}};
  std::vector<std::string> tokens{"<unk>", "<s>", "</s>", "the", "cat", "sat", "on", "mat"};

  CTranslate2Model() {
    const auto pieces = static_cast<std::uint32_t>(tokens.size());
    add("decoder/embeddings/weight", {pieces, kWidth});
    add("encoder/embeddings_0/weight", {pieces, kWidth});
    add_linear("decoder/projection", pieces, kWidth);
    for (const std::string side : {"encoder/", "decoder/"}) {
      const std::string layer = side + "layer_0/";
      add_number<std::int16_t>(side + "num_heads", 2);
      add_number<std::int8_t>(side + "pre_norm", 1);
      add_number<std::int8_t>(side + "activation", 0);
      add_number<std::int8_t>(side + "scale_embeddings", 1);
      add_norm(side + "layer_norm");
      add_linear(layer + "self_attention/linear_0", 3 * kWidth, kWidth);
      add_linear(layer + "self_attention/linear_1", kWidth, kWidth);
      add_norm(layer + "self_attention/layer_norm");
      add_linear(layer + "ffn/linear_0", kInner, kWidth);
      add_linear(layer + "ffn/linear_1", kWidth, kInner);
      add_norm(layer + "ffn/layer_norm");
    }
    const std::string cross = "decoder/layer_0/attention/";
    add_linear(cross + "linear_0", kWidth, kWidth);
    add_linear(cross + "linear_1", 2 * kWidth, kWidth);
    add_linear(cross + "linear_2", kWidth, kWidth);
    add_norm(cross + "layer_norm");
  }

  void add(const std::string& name, const std::vector<std::uint32_t>& shape) {
    std::size_t count = 1;
    for (const std::uint32_t size : shape) count *= size;
    std::vector<float> values(count);
    for (float& value : values) value = static_cast<float>(random_.normal() / 2);
    items[name] = {name, shape, 0, little_endian(values)};
  }
  template <class Number>
  void add_number(const std::string& name, Number number) {
    const std::uint8_t type = std::is_floating_point_v<Number> ? 0 : sizeof(Number) == 4 ? 3 : sizeof(Number);
    items[name] = {name, {}, type, little_endian(number)};
  }
  void add_linear(const std::string& name, std::uint32_t out, std::uint32_t in) {
    add(name + "/weight", {out, in});
    add(name + "/bias", {out});
  }
  void add_norm(const std::string& name) {
    for (const std::string part : {"/gamma", "/beta"}) add(name + part, {kWidth});
  }

  /// Writes the directory.
  void write(const std::string& directory) const {
    std::filesystem::create_directories(directory);
    std::vector<CTranslate2Item> list;
    for (const auto& [name, item] : items) list.push_back(item);
    write_file(directory + "/model.bin", ctranslate2_bytes(list, aliases));
    write_file(directory + "/config.json", config.dump());
    write_file(directory + "/shared_vocabulary.json", nlohmann::json(tokens).dump());
  }

 private:
  Random random_{7};
};

}  // namespace gloss
