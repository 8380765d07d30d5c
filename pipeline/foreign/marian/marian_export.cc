// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/marian/marian_export.h"

#include <functional>
#include <map>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "base/index.h"
#include "base/shown.h"
#include "model/formats/npz_writer.h"
#include "model/formats/yaml.h"
#include "pipeline/foreign/marian/marian_network_export.h"
#include "pipeline/foreign/marian/marian_parameters.h"
#include "pipeline/foreign/marian/marian_recurrent_export.h"
#include "pipeline/foreign/marian/marian_recurrent_parameters.h"
#include "pipeline/foreign/marian/marian_vocabulary_export.h"
#include "pipeline/foreign/shared/exported_tokenizers.h"
#include "pipeline/foreign/shared/exported_weights.h"
#include "pipeline/search/search_settings.h"

namespace gloss {
namespace {

using nlohmann::json;

constexpr const char *kWeights = "model.npz", *kConfiguration = "model.npz.decoder.yml";

/// Refuses what a model does with text beside its tokenizers.
void expect_plain_text(const TextFormat& format) {
  const auto refuse = [](const std::string& name, int value) {
    refuse_export(kMarian, name, concat(value), "it has no tokens around lines");
  };
  if (!format.source_prefix.empty()) refuse("source_prefix", format.source_prefix.front());
  if (!format.target_prefix.empty()) refuse("target_prefix", format.target_prefix.front());
  if (!format.languages.ids.empty()) refuse("languages", static_cast<int>(format.languages.ids.size()));
  if (!format.source_end) refuse_export(kMarian, "source_end", "false", "its sources end with the end token");
}

/// The options of the network as an array: YAML, then NULs up to a multiple of 256.
std::string options_text(const NetworkSettings& network) {
  constexpr std::size_t kBlock = 256;
  std::string text = yaml_text(options_for_marian(network));
  text.resize((text.size() / kBlock + 1) * kBlock, '\0');
  return text;
}

/// All arrays of Marian are matrices.
std::vector<std::int64_t> matrix_shape(std::vector<std::int64_t> shape) {
  if (shape.size() == 1) shape.insert(shape.begin(), 1);
  return shape;
}

ParameterMap parameters_of(const NetworkSettings& network) {
  if (network.architecture == "recurrent") return marian_recurrent_parameters(network, {is_nematus(network)});
  return marian_parameters(network);
}

/// The arrays of the weights, which refer to the model.
class Arrays {
 public:
  explicit Arrays(const Model& model) : model_(model), map_(parameters_of(model.settings)) {}

  void add_to(std::vector<NpzArray>& arrays) {
    for (const ExportedArray& array : exported_arrays(*model_.parameters, map_)) add(array, arrays);
    for (const Parameters::Entry& entry : model_.parameters->entries()) {
      const GatheredParts* const gathered = map_.gathered(entry.name);
      if (gathered != nullptr) add(entry, *gathered, arrays);
    }
  }

 private:
  void add(const ExportedArray& array, std::vector<NpzArray>& arrays) {
    const auto bytes = [this, array]() -> std::span<const std::byte> {
      if (array.rows.type == DType::f32 && !array.transposed)  // used where it is
        return {static_cast<const std::byte*>(array.rows.numbers), array.count() * sizeof(float)};
      if (values_.capacity() < array.count()) values_ = std::vector<float>();  // not two large ones at a time
      values_.resize(array.count());
      array.read(values_);
      return std::as_bytes(std::span(values_));
    };
    arrays.push_back({array.name, NumberType::f32, matrix_shape(array.shape), bytes});
  }
  void add(const Parameters::Entry& entry, const GatheredParts& parts, std::vector<NpzArray>& arrays) {
    const auto refuse = [&](const std::string& why) {
      refuse_export(kMarian, entry.name, "that has " + why,
                    "only networks that were imported from Marian, and not trained since, can be exported");
    };
    const std::vector<ScatteredArray> all = scattered_arrays(parts, numbers_of(entry), refuse);
    for (const ScatteredArray& array : all) {
      const auto numbers = [&entry, parts, array] { return scatter(parts, array, numbers_of(entry)); };
      const auto [known, added] = written_.emplace(array.name, numbers);
      if (!added) {  // one array may be part of several parameters
        if (known->second() != numbers()) refuse("other numbers than those of another layer");
        continue;
      }
      const auto bytes = [this, numbers] {
        values_ = numbers();
        return std::as_bytes(std::span(values_));
      };
      arrays.push_back({array.name, NumberType::f32, array.shape, bytes});
    }
  }
  static std::vector<float> numbers_of(const Parameters::Entry& entry) {
    const StoredMatrix stored = entry.tensor.stored();
    std::vector<float> numbers(index(stored.rows * stored.columns));
    for (std::int64_t row = 0; row < stored.rows; ++row)
      widen_row(stored, row, numbers.data() + row * stored.columns);
    return numbers;
  }

  const Model& model_;
  ParameterMap map_;
  std::map<std::string, std::function<std::vector<float>()>> written_;  // gathered arrays
  std::vector<float> values_;
};

void write_weights(const ModelToExport& model, const std::string& path) {
  const std::string options = options_text(model.model.settings);
  std::vector<NpzArray> arrays;
  // First, so that Marian finds them without reading the weights.
  arrays.push_back({"special:model.yml", NumberType::i8, {std::ssize(options)}, [&options] {
                      return std::as_bytes(std::span(options));
                    }});
  Arrays weights(model.model);
  weights.add_to(arrays);
  write_npz(path, arrays);
}

void write_configuration(const ModelToExport& model, const std::vector<std::string>& vocabularies,
                         const std::string& path) {
  const SearchSettings usual;
  const auto search = [&](const std::string& name, double otherwise) {
    const auto found = model.format.search.find(name);
    return found == model.format.search.end() ? otherwise : found->second;
  };
  json configuration{{"relative-paths", true},
                     {"models", {kWeights}},
                     {"vocabs", vocabularies},
                     {"beam-size", static_cast<int>(search("beam_size", usual.beam_size))},
                     {"normalize", search("length_penalty", usual.length_penalty)},
                     {"word-penalty", 0},
                     {"mini-batch", 32},
                     {"maxi-batch", 100},
                     {"maxi-batch-sort", "src"}};
  if (allows_unknown(*model.tokenizers.target)) configuration["allow-unk"] = true;
  write_file(path, yaml_text(configuration));
}

void note_differences(const ModelToExport& model, Listener& listener) {
  note_normalization(model, kMarian, listener);
  const Subwords& target = *model.tokenizers.target;
  for (const int id : target.never_generated()) {
    if (id == target.unknown_id()) continue;
    listener.note(concat(kMarian, " can translate to ", shown(exported_pieces(target)[index(id)]),
                         ", which gloss never does"));
  }
  if (splits_text_outside(*model.tokenizers.source))
    listener.note("Marian expects text that is split into the pieces of source.spm");
}

void write(const ModelToExport& model, const std::string& directory, Listener& listener) {
  expect_marian_network(model.model.settings);
  expect_plain_text(model.format);
  const std::vector<std::string> vocabularies = write_marian_vocabularies(model, directory);
  note_differences(model, listener);
  write_weights(model, concat(directory, "/", kWeights));
  write_configuration(model, vocabularies, concat(directory, "/", kConfiguration));
}

}  // namespace

ExportFormat marian_export() {
  std::vector<std::string> files = marian_vocabulary_files();
  files.insert(files.end(), {kWeights, kConfiguration});
  return {"marian", kMarian, files, write};
}

}  // namespace gloss
