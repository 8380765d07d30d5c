// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/files.h"
#include "base/index.h"
#include "base/random.h"
#include "tests/support/foreign_bytes.h"
#include "tests/support/subword_model.h"

namespace gloss {

/// A tiny transformer in Marian's form, with random weights, to be changed and written. Its vocabulary is a
/// list of words.
struct MarianModel {
  static constexpr int kWidth = 8, kInner = 12;
  struct Array {
    std::vector<std::int32_t> shape;
    std::vector<float> values;
  };

  std::map<std::string, std::string> options;  ///< names and values in YAML
  std::string more_options;                    ///< lines after them
  std::vector<std::string> words{"</s>", "<unk>", "the", "cat", "sat", "on", "mat", "a"};
  std::map<std::string, Array> arrays;

  MarianModel() {
    options = {{"type", "transformer"},
               {"dim-emb", "8"},
               {"dim-vocabs", "[8, 8]"},
               {"enc-depth", "1"},
               {"dec-depth", "1"},
               {"transformer-heads", "2"},
               {"transformer-dim-ffn", "12"},
               {"transformer-ffn-activation", "swish"},
               {"transformer-preprocess", "\"\""},
               {"transformer-postprocess", "dan"},
               {"transformer-postprocess-top", "\"\""},
               {"tied-embeddings-all", "true"}};
    add("Wemb", {static_cast<std::int32_t>(words.size()), kWidth});
    add("decoder_ff_logit_out_b", {1, static_cast<std::int32_t>(words.size())});
    for (const std::string side : {"encoder", "decoder"}) {
      add_attention(side + "_l1_self");
      if (side == "decoder") add_attention(side + "_l1_context");
      add_feed_forward(side + "_l1_ffn");
    }
  }

  void add(const std::string& name, std::vector<std::int32_t> shape) {
    std::size_t count = 1;
    for (const std::int32_t size : shape) count *= index(size);
    Array& array = arrays[name] = {std::move(shape), std::vector<float>(count)};
    for (float& value : array.values) value = static_cast<float>(random_.normal() / 2);
  }
  void add_linear(const std::string& name, const std::string& end, int in = kWidth, int out = kWidth) {
    add(concat(name, "_W", end), {in, out});
    add(concat(name, "_b", end), {1, out});
  }
  void add_norm(const std::string& name) {
    for (const std::string part : {"_ln_scale", "_ln_bias"}) add(name + part, {1, kWidth});
  }
  void add_attention(const std::string& name) {
    for (const std::string part : {"q", "k", "v", "o"}) add_linear(name, part);
    add_norm(name + "_Wo");
  }
  void add_feed_forward(const std::string& name) {
    add_linear(name, "1", kWidth, kInner);
    add_linear(name, "2", kInner, kWidth);
    add_norm(name + "_ffn");
  }
  /// Puts the norms before branches and after all layers.
  void make_pre_norm() {
    options["transformer-preprocess"] = options["transformer-postprocess-top"] = "n";
    options["transformer-postprocess"] = "da";
    std::map<std::string, Array> renamed;
    for (const auto& [name, array] : arrays)
      renamed[name.find("_ln_") == std::string::npos ? name : name + "_pre"] = array;
    arrays = renamed;
    for (const std::string side : {"encoder", "decoder"}) add_norm(side + "_top");
  }
  void remove(const std::string& start) {
    std::erase_if(arrays, [&](const auto& array) { return array.first.starts_with(start); });
  }

  std::string model_yml() const {
    std::string text;
    for (const auto& [name, value] : options) text += concat(name, ": ", value, "\n");
    return text + more_options + '\0';
  }
  std::string npz() const {
    const std::string yml = model_yml();
    std::vector<ZipEntry> entries{
        {"special:model.yml.npy", npy_bytes(npy_header("|i1", concat("(", yml.size(), ",)")), yml)}};
    for (const auto& [name, array] : arrays) {
      std::string shape = "(";
      for (const std::int32_t size : array.shape) shape += concat(size, ", ");
      entries.push_back(
          {name + ".npy", npy_bytes(npy_header("<f4", shape + ")"), little_endian(array.values))});
    }
    return zip_bytes(entries);
  }
  std::string bin() const {
    const std::string yml = model_yml();
    std::vector<MarianItem> items{{"special:model.yml", 0x101, {static_cast<std::int32_t>(yml.size())}, yml}};
    for (const auto& [name, array] : arrays) {
      items.push_back({name, 0x404, array.shape, little_endian(array.values)});
    }
    return marian_bytes(items);
  }
  std::string vocabulary() const {
    std::string text;
    for (std::size_t id = 0; id < words.size(); ++id) text += concat("\"", words[id], "\": ", id, "\n");
    return text;
  }
  static std::string decoder_yml() {
    return "relative-paths: false\nmodels:\n  - /elsewhere/model.npz\nvocabs:\n  - vocab.yml\n  - vocab.yml\n"
           "beam-size: 4\nnormalize: 0\n";
  }

  /// Writes the directory.
  void write(const std::string& directory) const {
    std::filesystem::create_directories(directory);
    write_file(directory, "model.npz", npz());
    write_file(directory, "model.npz.decoder.yml", decoder_yml());
    write_file(directory, "vocab.yml", vocabulary());
  }
  static void write_file(const std::string& directory, const std::string& name, const std::string& bytes) {
    AtomicFile file(concat(directory, "/", name));
    file.write(bytes);
    file.commit();
  }

 private:
  Random random_{7};
};

}  // namespace gloss
