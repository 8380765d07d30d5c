// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/hugging_face/hugging_face_settings.h"

#include <map>

namespace gloss {

Activation activation_of(const ForeignConfig& config, const std::string& member,
                         const std::string& otherwise) {
  static const std::map<std::string, Activation> activations{
      {"relu", Activation::relu},      {"gelu", Activation::gelu_exact},
      {"gelu_new", Activation::gelu},  {"gelu_pytorch_tanh", Activation::gelu},
      {"gelu_fast", Activation::gelu}, {"swish", Activation::swish},
      {"silu", Activation::swish}};
  const auto found = activations.find(config.text(member, otherwise));
  if (found == activations.end())
    config.refuse(member, "relu, gelu, gelu_new, gelu_fast, gelu_pytorch_tanh, swish or silu");
  return found->second;
}

std::vector<std::pair<std::string, std::string>> older_norm_names() {
  std::vector<std::pair<std::string, std::string>> names;
  for (const std::string norm : {"LayerNorm", "layer_norm", "layernorm_embedding"}) {
    names.emplace_back(norm + ".weight", norm + ".gamma");
    names.emplace_back(norm + ".bias", norm + ".beta");
  }
  return names;
}

}  // namespace gloss
