// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/marian/marian_parameters.h"

#include <set>

#include "base/error.h"
#include "model/networks/mixers/transformer_settings.h"

namespace gloss {
namespace {

/// Takes the weights of the network, whose names depend on the settings.
class TakenWeights {
 public:
  TakenWeights(const NetworkSettings& network, const MarianSpelling& spelling)
      : sizes_(network.sizes), own_(network.own<TransformerSettings>()), spelling_(spelling) {}

  ParameterMap take() {
    take_embeddings();
    if (sizes_.output_bias) map_.take("output.bias", {"decoder_ff_logit_out_b"});
    if (sizes_.encoder_layers > 0) take_side("encoder", layers_of("encoder"));
    take_side("decoder", layers_of("decoder"));
    return std::move(map_);
  }

 private:
  void take_embeddings() {
    if (shares_sides(sizes_.tied_embeddings)) {
      map_.take("embedding.weight", {"Wemb"});
    } else {
      if (sizes_.encoder_layers > 0) map_.take("source_embedding.weight", {"encoder_Wemb"});
      map_.take("target_embedding.weight", {"decoder_Wemb"});
    }
    const bool tied =
        sizes_.tied_embeddings == TiedEmbeddings::all || sizes_.tied_embeddings == TiedEmbeddings::target;
    if (tied) return;
    const std::string output = kOlderOutput;
    const bool older = spelling_.older_output;
    map_.take("output.weight", ParameterParts{{older ? output : output + "t"}, older});
  }
  /// The number of Marian's layer for each of the layers.
  std::vector<int> layers_of(const std::string& side) const {
    const bool decoder = side == "decoder";
    if (decoder && !spelling_.decoder_layers.empty()) return spelling_.decoder_layers;
    std::vector<int> numbers;
    if (decoder) {
      for (const std::string& number : own_.decoder_layer_weights) numbers.push_back(std::stoi(number));
    }
    if (!numbers.empty()) return numbers;
    for (int layer = 1; layer <= (side == "decoder" ? sizes_.decoder_layers : sizes_.encoder_layers); ++layer)
      numbers.push_back(layer);
    return numbers;
  }
  void take_side(const std::string& side, const std::vector<int>& layers) {
    const bool decoder = side == "decoder";
    if (own_.positions == Positions::learned) map_.take(side + ".positions", {kPositionTable});
    if (own_.embedding_norm) take_norm(side + ".embedding_norm", side + "_emb", "_pre");
    if (own_.norm == NormPlacement::pre) take_norm(side + ".norm", side + "_top", "");
    if (own_.norm == NormPlacement::steps) take_steps(side + ".top", own_.steps_top, side + "_top", "");
    std::set<int> taken;
    for (std::size_t layer = 0; layer < layers.size(); ++layer) {
      if (!taken.insert(layers[layer]).second) continue;  // shares the weights of an earlier one
      const std::string own = concat(side, ".", layer), foreign = concat(side, "_l", layers[layer]);
      const std::string mixer = decoder ? own_.decoder_mixers.front() : "attention";
      if (mixer == "attention") take_attention(own + ".self_attention", foreign + "_self", false);
      if (mixer == "ssru") take_ssru(own + ".ssru", foreign + "_rnn");
      if (mixer == "average") take_average(own + ".average_attention", foreign + "_aan");
      if (decoder && sizes_.encoder_layers > 0)
        take_attention(own + ".cross_attention", foreign + "_context", true);
      take_feed_forward(own + ".feed_forward", foreign + "_ffn");
    }
  }
  void take_feed_forward(const std::string& own, const std::string& foreign) {
    const int depth = own_.feed_forward_depth;
    take_linear(own + ".inner", foreign, {"1"});
    for (int i = 2; i < depth; ++i) take_linear(concat(own, ".middle.", i - 2), foreign, {std::to_string(i)});
    take_linear(own + ".outer", foreign, {std::to_string(depth)});
    take_branch_norms(own, foreign + "_ffn", foreign + "_ffn");
  }
  void take_ssru(const std::string& own, const std::string& foreign) {
    map_.take(own + ".candidate.weight", ParameterParts{{foreign + "_W"}, true});
    take_linear(own + ".forget", foreign, {"f"});
    take_branch_norms(own, foreign, foreign + "_ffn");
  }
  void take_average(const std::string& own, const std::string& foreign) {
    for (int i = 0; i < own_.average.depth; ++i)
      take_linear(concat(own, ".inner.", i), foreign, {std::to_string(i + 1)});
    if (own_.average.depth > 0 && own_.average.width != sizes_.width)
      take_linear(own + ".outer", foreign, {std::to_string(own_.average.depth + 1)});
    if (own_.average.gate) {
      take_linear(own + ".input_gate", foreign, {"i"});
      take_linear(own + ".forget_gate", foreign, {"f"});
    }
    take_branch_norms(own, foreign + "_ffn", foreign + "_ffn");
  }
  /// The matrices FOREIGN_W and the vectors FOREIGN_b with these ends.
  void take_linear(const std::string& own, const std::string& foreign, const std::vector<std::string>& ends) {
    ParameterParts weights{.arrays = {}, .transposed = true}, biases;
    for (const std::string& end : ends) {
      weights.arrays.push_back(concat(foreign, "_W", end));
      biases.arrays.push_back(concat(foreign, "_b", end));
    }
    map_.take(own + ".weight", std::move(weights));
    map_.take(own + ".bias", std::move(biases));
  }
  void take_norm(const std::string& own, const std::string& foreign, const std::string& end) {
    take_norm(own, foreign, end, own_.norm_type);
  }
  void take_norm(const std::string& own, const std::string& foreign, const std::string& end, NormType type) {
    const bool rms = type == NormType::rms;
    map_.take(own + ".weight", {foreign + (rms ? "_rms_scale" : "_ln_scale") + end});
    if (!rms) map_.take(own + ".bias", {foreign + "_ln_bias" + end});
  }
  void take_steps(const std::string& own, const std::string& steps, const std::string& foreign,
                  const std::string& end) {
    if (steps.find('n') != std::string::npos) take_norm(own + ".layer_norm", foreign, end, NormType::layer);
    if (steps.find('r') != std::string::npos) take_norm(own + ".rms_norm", foreign, end, NormType::rms);
  }
  /// The norms of a branch: those before it are called BEFORE..._pre.
  void take_branch_norms(const std::string& own, const std::string& before, const std::string& after) {
    switch (own_.norm) {
      case NormPlacement::pre:
        return take_norm(own + ".norm", before, "_pre");
      case NormPlacement::post:
        return take_norm(own + ".norm", after, "");
      case NormPlacement::steps:
        take_steps(own + ".before", own_.steps_before, before, "_pre");
        take_steps(own + ".after", own_.steps_after, after, "");
    }
  }
  void take_attention(const std::string& own, const std::string& foreign, bool cross) {
    if (cross) {
      take_linear(own + ".query", foreign, {"q"});
      take_linear(own + ".key_value", foreign, {"k", "v"});
    } else {
      take_linear(own + ".query_key_value", foreign, {"q", "k", "v"});
    }
    if (own_.attention_projection) take_linear(own + ".output", foreign, {"o"});
    take_branch_norms(own, foreign + "_Wo", foreign + "_Wo");
  }

  const NetworkSizes& sizes_;
  const TransformerSettings& own_;
  const MarianSpelling& spelling_;
  ParameterMap map_;
};

}  // namespace

ParameterMap marian_parameters(const NetworkSettings& network, const MarianSpelling& spelling) {
  return TakenWeights(network, spelling).take();
}

}  // namespace gloss
