// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/fairseq/fairseq.h"

#include <algorithm>
#include <vector>

#include "base/error.h"
#include "base/files.h"
#include "base/paths.h"
#include "base/text.h"
#include "model/formats/torch_checkpoint.h"
#include "model/networks/mixers/transformer_settings.h"
#include "pipeline/foreign/fairseq/fairseq_dictionaries.h"
#include "pipeline/foreign/hugging_face/bart_parameters.h"
#include "pipeline/foreign/hugging_face/hugging_face_settings.h"
#include "pipeline/foreign/shared/foreign_config.h"
#include "pipeline/foreign/shared/foreign_model.h"

namespace gloss {
namespace {

constexpr int kEndToken = 2;
const std::string kModel = "model/";  // before the names of tensors

/// The checkpoint that a path names; empty if there is none. Of several, checkpoint_best.pt.
std::string checkpoint_of(const std::string& path) {
  if (!is_folder(path)) return path.ends_with(".pt") && is_file(path) ? path : "";
  std::vector<std::string> found;
  for (const std::string& name : names_in(path)) {
    if (name.ends_with(".pt")) found.push_back(concat(path, "/", name));
  }
  const std::string best = path + "/checkpoint_best.pt";
  if (std::ranges::count(found, best) > 0) return best;
  return found.size() == 1 ? found.front() : "";
}

/// The settings of the model: a Namespace, in a dictionary since 0.10.
ForeignConfig read_settings(const std::string& path, const nlohmann::json& values) {
  const nlohmann::json::json_pointer task("/cfg/task/_name");
  if (values.contains(task) && values.at(task) != "translation")
    throw InputError(concat(path, ": the 'task' is ", values.at(task).dump(), "; expected \"translation\""));
  for (const char* const pointer : {"/cfg/model", "/args"}) {
    const nlohmann::json::json_pointer place(pointer);
    if (values.contains(place) && values.at(place).is_object()) return {path, values.at(place)};
  }
  throw InputError(concat(path, " has no settings of a model; expected args, or cfg with model"));
}

/// The tensors of the model with the names that transformers gives them.
std::shared_ptr<const StoredArrays> renamed(const StoredArrays& checkpoint) {
  auto arrays = std::make_shared<StoredArrays>(checkpoint.path());
  for (const auto& [name, array] : checkpoint.all()) {
    if (!name.starts_with(kModel)) continue;  // the state of the training
    const std::string own = name.substr(kModel.size());
    const bool output = own == "decoder.embed_out" || own == "decoder.output_projection.weight";
    arrays->add(output ? "lm_head.weight" : "model." + own, array);
  }
  return arrays;
}

/// A size that encoder and decoder must share.
int shared_size(const ForeignConfig& settings, const std::string& name) {
  const int size = settings.required_integer("encoder_" + name, 1);
  if (settings.required_integer("decoder_" + name, 1) != size)
    settings.refuse("decoder_" + name, concat(size, ", that of the encoder"));
  return size;
}

/// A flag of both sides.
bool shared_flag(const ForeignConfig& settings, const std::string& name) {
  const bool value = settings.flag("encoder_" + name, false);
  if (settings.flag("decoder_" + name, false) != value)
    settings.refuse("decoder_" + name, concat(value ? "true" : "false", ", that of the encoder"));
  return value;
}

NetworkSettings read_network(const ForeignConfig& settings) {
  // Other tasks put further tokens around the text, or train other networks.
  if (settings.text("task", "translation") != "translation") settings.refuse("task", "\"translation\"");
  for (const std::string name :
       {"no_cross_attention", "cross_self_attention", "no_token_positional_embeddings", "adaptive_input",
        "no_decoder_final_norm", "scale_attn", "scale_fc", "scale_heads", "scale_resids", "prepend_bos",
        "decoder_langtok", "char_inputs"}) {
    if (settings.flag(name, false)) settings.refuse(name, "false");
  }
  for (const std::string name :
       {"adaptive_softmax_cutoff", "encoder_layers_to_keep", "decoder_layers_to_keep", "encoder_langtok"}) {
    if (settings.has(name)) settings.refuse(name, "none");
  }
  NetworkSettings network;
  NetworkSizes& sizes = network.sizes;
  sizes.encoder_layers = settings.required_integer("encoder_layers", 1, 1000);
  sizes.decoder_layers = settings.required_integer("decoder_layers", 1, 1000);
  sizes.width = shared_size(settings, "embed_dim");
  sizes.heads = shared_size(settings, "attention_heads");
  sizes.max_positions = std::max(settings.integer("max_source_positions", 1024, 2, 1 << 16),
                                 settings.integer("max_target_positions", 1024, 2, 1 << 16));
  sizes.scale_embeddings = !settings.flag("no_scale_embedding", false);
  const bool output = settings.flag("share_decoder_input_output_embed", false);
  sizes.tied_embeddings = settings.flag("share_all_embeddings", false) ? TiedEmbeddings::all
                          : output                                     ? TiedEmbeddings::target
                                                                       : TiedEmbeddings::none;
  network.begin_token = network.end_token = kEndToken;
  auto& own = network.own<TransformerSettings>();
  own.feed_forward_width = shared_size(settings, "ffn_embed_dim");
  own.activation = activation_of(settings, "activation_fn", "relu");
  own.norm = shared_flag(settings, "normalize_before") ? NormPlacement::pre : NormPlacement::post;
  own.embedding_norm = settings.flag("layernorm_embedding", false);
  own.positions = Positions::learned;
  return network;
}

}  // namespace

bool is_fairseq(const std::string& path) {
  const std::string file = checkpoint_of(path);
  if (file.empty()) return false;
  return has_fairseq_dictionary(folder_of(file));
}

ForeignModel read_fairseq(const std::string& path) {
  const std::string file = checkpoint_of(path);
  const TorchCheckpoint checkpoint = read_torch_checkpoint(file);
  const ForeignConfig settings = read_settings(file, checkpoint.values);
  NetworkSettings network = read_network(settings);
  const bool learned = shared_flag(settings, "learned_pos");
  const std::shared_ptr<const StoredArrays> arrays = renamed(checkpoint.arrays);
  Tokenizers tokenizers = read_fairseq_dictionaries(settings, folder_of(file), *arrays);
  network.source_vocabulary = tokenizers.source->size();
  network.target_vocabulary = tokenizers.target->size();
  ParameterMap map =
      bart_parameters(network, learned ? BartPositions::learned : BartPositions::sines_from_two);
  for (const std::string side : {"encoder", "decoder"}) {
    for (const std::string name : {"version", "embed_positions._float_tensor"})
      map.ignore(concat("model.", side, ".", name));
  }
  ForeignModel model{"a transformer of fairseq", network, std::move(tokenizers),
                     WeightReaders(arrays, std::move(map))};
  expect_all_used(model, file);
  return model;
}

}  // namespace gloss
