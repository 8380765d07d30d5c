// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/hugging_face/hugging_face_export.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "model/formats/safetensors.h"
#include "model/networks/mixers/transformer_settings.h"
#include "pipeline/foreign/hugging_face/bart_parameters.h"
#include "pipeline/foreign/hugging_face/hugging_face_family.h"
#include "pipeline/foreign/shared/exported_tokenizers.h"
#include "pipeline/foreign/shared/exported_weights.h"
#include "pipeline/foreign/shared/stored_positions.h"

namespace gloss {
namespace {

using nlohmann::json;

/// All families. A model belongs to the first one that it fits.
const std::vector<HuggingFaceFamily>& export_families() {
  static const std::vector<HuggingFaceFamily> all = [] {
    std::vector<HuggingFaceFamily> rows{hugging_face_t5_family(), hugging_face_gpt2_family()};
    for (const auto& more : {hugging_face_bart_families(), hugging_face_bert_families()})
      std::ranges::copy(more, std::back_inserter(rows));
    return rows;
  }();
  return all;
}

const HuggingFaceFamily& family_of(const ModelToExport& model) {
  const NetworkSettings& network = model.model.settings;
  const std::string other = "export it with --format ctranslate2";
  if (network.architecture != "transformer")
    refuse_export("transformers", "architecture", network.architecture, "only transformers can be exported");
  const auto found = std::ranges::find_if(
      export_families(), [&](const HuggingFaceFamily& family) { return family.fits(model); });
  // Every network but those with steps of normalisation fits one.
  if (found == export_families().end()) refuse_export("transformers", "norm", "steps", other);
  return *found;
}

void write_weights(const Parameters& parameters, const HuggingFaceDescription& description,
                   const std::string& path) {
  std::vector<NamedArray> arrays;
  std::map<std::string, ParameterMap::Fill> fills;
  const auto add = [&](const std::string& name, const Shape& shape, ParameterMap::Fill fill) {
    arrays.push_back({name, DType::f32, shape, nullptr});
    fills.emplace(name, std::move(fill));
  };
  for (const ExportedArray& part : exported_arrays(parameters, description.parameters)) {
    const std::vector<std::int64_t>& shape = part.shape;
    const bool row = part.name == "final_logits_bias";  // a matrix there
    add(part.name,
        row                 ? Shape{1, shape[0]}
        : shape.size() == 1 ? Shape{shape[0]}
                            : Shape{shape[0], shape[1]},
        [part](std::span<float> values) { part.read(values); });
  }
  for (const FurtherArray& further : description.further) add(further.name, further.shape, further.fill);
  std::vector<float> values;
  const auto data_of = [&](const NamedArray& array) -> const void* {
    values.resize(static_cast<std::size_t>(array.shape.count()));
    fills.at(array.name)(values);
    return values.data();
  };
  AtomicFile file(path);
  write_safetensors(file, arrays, data_of, {{"format", "pt"}});
  file.commit();
}

void write(const ModelToExport& model, const std::string& directory, Listener& listener) {
  const HuggingFaceFamily& family = family_of(model);
  const HuggingFaceDescription description = family.describe(model, family.program);
  note_normalization(model, family.program, listener);
  const auto in = [&](const std::string& name) { return concat(directory, "/", name); };
  const auto write_json = [&](const std::string& name, const json& value) {
    if (!value.empty()) write_file(in(name), value.dump(2) + "\n");
  };
  write_weights(*model.model.parameters, description, in("model.safetensors"));
  for (const auto& [name, text] : description.tokenizer.files) write_file(in(name), text);
  write_json("special_tokens_map.json", description.tokenizer.special_tokens);
  write_json("tokenizer_config.json", description.tokenizer.config);
  write_json("generation_config.json", description.generation);
  write_json("config.json", description.config);
}

}  // namespace

ExportFormat hugging_face_export() {
  return {"huggingface",
          "transformers",
          {"model.safetensors", "vocab.json", "target_vocab.json", "merges.txt", "vocab.txt", "source.spm",
           "target.spm", "spiece.model", "tokenizer.model", "sentencepiece.bpe.model",
           "special_tokens_map.json", "tokenizer_config.json", "generation_config.json", "config.json"},
          write};
}

}  // namespace gloss
