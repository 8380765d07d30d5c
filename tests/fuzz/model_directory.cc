// SPDX-License-Identifier: Apache-2.0
// Model directories: config.json, NUL, model.safetensors. Accepted models are packed and translate.
#include "model/model_directory.h"

#include <limits>

#include "base/index.h"
#include "model/tensor/can_multiply.h"
#include "tests/fuzz/input_file.h"

namespace gloss {
namespace {

/// A few greedy steps; any finite or non-finite scores will do.
void translate(const Network& network) {
  TokenRows sources;
  const std::vector<TokenId> tokens{0, 1, 2, network.end()};
  sources.add(tokens);
  const auto state = network.start(sources);
  std::vector<TokenId> latest{network.begin()};
  for (int step = 0; step < 3; ++step) {
    const Tensor scores = network.step(latest, *state);
    const auto row = scores.values().first(index(network.vocabulary_size()));
    latest.front() = static_cast<TokenId>(std::max_element(row.begin(), row.end()) - row.begin());
  }
}

}  // namespace
}  // namespace gloss

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gloss;
  static const InputFolder folder("config.json", "model.safetensors");
  const auto [config, weights] = two_files(as_text(data, size));
  folder.first.fill(config);
  folder.second.fill(weights);
  for (const DType type : {DType::f32, DType::int8}) {
    if (!can_multiply(type)) continue;
    read_untrusted([&] {
      Model model = read_model(folder.path(), Weights::in_place);
      pack(model, type, 1);
      if (model.settings.sizes.max_positions >= 4) translate(*model.network);
    });
  }
  return 0;
}
