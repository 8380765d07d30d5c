// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/marian/marian_recurrent_parameters.h"

#include <utility>

#include "base/index.h"
#include "base/text.h"
#include "model/networks/recurrent/recurrent_settings.h"

namespace gloss {
namespace {

using Part = GatheredParts::Part;
using Join = GatheredParts::Join;

// Marian's gates of an LSTM are forget, input, candidate, output; gloss's input, forget, candidate, output.
const std::vector<int> kLstmBlocks{1, 0, 2, 3};

/// Marian's cell of a layer.
struct CellArrays {
  MarianRecurrentNames::Cell name;
  std::int64_t in = 0;  ///< width of the input; 0: none
  /// The reset gate applies to the bias of the candidate as well.
  bool final = false;
};

class RecurrentWeights {
 public:
  RecurrentWeights(const NetworkSettings& network, const MarianRecurrentSpelling& spelling)
      : sizes_(network.sizes),
        own_(network.own<RecurrentSettings>()),
        spelling_(spelling),
        names_(spelling.nematus) {}

  ParameterMap take() {
    take_embeddings();
    take_encoder();
    take_attention();
    take_decoder();
    take_readout();
    map_.ignore("special:model.yml");
    map_.ignore("decoder_c_tt");  // empty, for Nematus
    return std::move(map_);
  }

 private:
  bool normalises() const { return own_.product_norm != ProductNorm::none; }
  /// Normalised products keep their bias before the norm; elsewhere the norm has it.
  bool separate() const { return own_.product_norm == ProductNorm::separate; }
  std::int64_t width() const { return sizes_.width; }
  std::int64_t gates() const { return gates_of(own_.cell) * width(); }
  std::int64_t context() const { return own_.attention_width; }

  void take_embeddings() {
    const TiedEmbeddings tied = sizes_.tied_embeddings;
    if (shares_sides(tied)) {
      map_.take("embedding.weight", {"Wemb"});
    } else {
      map_.take("source_embedding.weight", {names_.of("encoder_Wemb")});
      map_.take("target_embedding.weight", {names_.of("decoder_Wemb")});
    }
    const std::string output = "decoder_ff_logit_l2_";
    if (sizes_.output_bias) map_.take("output.bias", {names_.of(output + "b")});
    if (tied == TiedEmbeddings::all || tied == TiedEmbeddings::target) return;
    const std::string older = kOlderRecurrentOutput;
    const bool transposed = spelling_.older_output;
    map_.take("output.weight", ParameterParts{{names_.of(transposed ? older : older + "t")}, transposed});
  }

  void take_encoder() {
    for (int layer = 0; layer < sizes_.encoder_layers; ++layer) {
      const bool first = own_.encoder_stack == EncoderStack::first, both = !first || layer == 0;
      const std::int64_t in = layer == 0 ? own_.embedding_width : width() * (first && layer == 1 ? 2 : 1);
      for (const bool backwards : {false, true}) {
        if (backwards && !both) continue;
        const std::string own = concat("encoder.", layer, backwards ? ".backwards" : ".forwards");
        take_layer(own, {{false, both, backwards, layer, 0}, in, false}, own_.encoder_transitions);
      }
    }
  }

  void take_decoder() {
    for (int layer = 0; layer < sizes_.decoder_layers; ++layer) {
      const std::string own = concat("decoder.", layer);
      const std::int64_t in = layer == 0 ? own_.embedding_width : width();
      take_layer(own, {{true, false, false, layer, 0}, in, false}, layer == 0 ? 0 : own_.upper_transitions);
      const std::int64_t states = state_parts(own_.cell);
      take_dense(own + ".first_state", "decoder_ff_state", "", {context(), width(), states});
    }
    take_layer("decoder.transition", {{true, false, false, 0, 1}, context(), true}, own_.decoder_transitions);
  }

  /// A cell and its transitions.
  void take_layer(const std::string& own, CellArrays cell, int transitions) {
    take_cell(own, cell);
    cell.in = 0;
    for (int i = 0; i < transitions; ++i) {
      ++cell.name.number;
      take_cell(concat(own, ".transition.", i), cell);
    }
  }

  /// The arrays of a cell for one part of it: those of a GRU's gates and candidate are apart.
  std::vector<Part> parts(const CellArrays& cell, const std::string& name) const {
    if (own_.cell != Cell::gru) return {{names_.of(cell.name, name), gates()}};
    return {{names_.of(cell.name, name), 2 * width()}, {names_.of(cell.name, name + "x"), width()}};
  }
  /// The transposed matrices [in, size], or vectors if `in` is 1, one after another.
  void stack(const std::string& parameter, std::int64_t in, const std::vector<Part>& parts,
             const std::vector<int>& blocks = {}) {
    map_.gather(parameter, {Join::rows, in, parts, blocks});
  }
  /// The same for the gates of cells.
  void stack_gates(const std::string& parameter, std::int64_t in, const std::vector<Part>& parts) {
    stack(parameter, in, parts, own_.cell == Cell::lstm ? kLstmBlocks : std::vector<int>());
  }

  void take_cell(const std::string& own, const CellArrays& cell) {
    if (cell.in > 0) stack_gates(own + ".input.weight", cell.in, parts(cell, "W"));
    stack_gates(own + ".recurrent.weight", width(), parts(cell, "U"));
    // Parts of the bias belong to either product.
    std::vector<Part> of_input = parts(cell, "b"), of_product{{"", gates()}};
    if (separate() && (cell.final || cell.in == 0)) {
      std::swap(of_input, of_product);
    } else if (own_.cell == Cell::gru && cell.final) {
      of_product = {{"", 2 * width()}, of_input.back()};
      of_input.back().array = "";
    }
    const bool norm_has_bias = own_.product_norm == ProductNorm::joint;
    take_bias(own + ".input", of_input, norm_has_bias && cell.in > 0);
    if (own_.cell == Cell::gru) {
      take_bias(own + ".recurrent", of_product, norm_has_bias);
    } else if (norm_has_bias) {
      stack_gates(own + ".recurrent.norm.bias", 1, of_product);
    }
    if (!normalises()) return;
    if (cell.in > 0) take_norm(own + ".input", cell, "W", "gamma1");
    take_norm(own + ".recurrent", cell, "U", "gamma2");
  }
  /// The bias of a product, or of its norm.
  void take_bias(const std::string& own, const std::vector<Part>& parts, bool of_norm) {
    if (of_norm) stack(own + ".bias", 1, {{"", gates()}});
    stack_gates(own + (of_norm ? ".norm.bias" : ".bias"), 1, parts);
  }
  void take_norm(const std::string& own, const CellArrays& cell, const std::string& product,
                 const std::string& gain) {
    if (!separate()) {
      stack_gates(own + ".norm.weight", 1, {{names_.of(cell.name, gain), gates()}});
      return;
    }
    const std::string gates = own + ".norm.gates", candidate = own + ".norm.candidate";
    map_.take(gates + ".weight", {names_.of(cell.name, product + "_lns")});
    map_.take(gates + ".bias", {names_.of(cell.name, product + "_lnb")});
    map_.take(candidate + ".weight", {names_.of(cell.name, product + "x_lns")});
    map_.take(candidate + ".bias", {names_.of(cell.name, product + "x_lnb")});
  }

  void take_attention() {
    const std::string query = "decoder_W_comb_att", key = "decoder_Wc_att";
    stack("attention.query.weight", width(), {{query, context()}});
    stack("attention.key.weight", context(), {{key, context()}});
    stack("attention.vector", context(), {{"decoder_U_att", 1}});
    const std::string bias = "decoder_b_att", none;
    take_vector("attention.key.bias", own_.product_norm == ProductNorm::joint ? none : bias);
    if (!normalises()) return;
    take_vector("attention.query.norm.weight", separate() ? query + "_lns" : "decoder_att_gamma2");
    take_vector("attention.query.norm.bias", separate() ? query + "_lnb" : none);
    take_vector("attention.key.norm.weight", separate() ? key + "_lns" : "decoder_att_gamma1");
    take_vector("attention.key.norm.bias", separate() ? key + "_lnb" : bias);
  }
  /// A vector of the attention; zeros if it has no name.
  void take_vector(const std::string& own, const std::string& array) { stack(own, 1, {{array, context()}}); }

  /// Sizes of a dense layer, and how often its outputs are repeated.
  struct Dense {
    std::int64_t in, out, times;
  };
  void take_dense(const std::string& own, const std::string& foreign, const std::string& number,
                  const Dense& dense) {
    const auto repeated = [&](const std::string& name) {
      const std::string array = name.empty() ? "" : names_.of(concat(foreign, name, number));
      return std::vector<Part>(index(dense.times), Part{array, dense.out});
    };
    const bool joint = own_.product_norm == ProductNorm::joint;
    stack(own + ".weight", dense.in, repeated("_W"));
    stack(own + ".bias", 1, repeated(joint ? "" : "_b"));
    if (!normalises()) return;
    stack(own + ".norm.weight", 1, repeated(joint ? "_gamma" : "_ln_s"));
    stack(own + ".norm.bias", 1, repeated(joint ? "_b" : "_ln_b"));
  }

  void take_readout() {
    const std::string dense = "decoder_ff_logit_l1";
    const std::int64_t out = own_.embedding_width;
    if (normalises()) {
      take_dense("readout.token", dense, "0", {out, out, 1});
      take_dense("readout.state", dense, "1", {width(), out, 1});
      take_dense("readout.context", dense, "2", {context(), out, 1});
      return;
    }
    const auto name = [&](const char* end) { return names_.of(dense + end); };
    map_.gather("readout.weight",
                {Join::columns, out, {{name("_W1"), width()}, {name("_W2"), context()}, {name("_W0"), out}}});
    map_.gather("readout.bias", {Join::sum, 1, {{name("_b0"), out}, {name("_b1"), out}, {name("_b2"), out}}});
  }

  const NetworkSizes& sizes_;
  const RecurrentSettings& own_;
  const MarianRecurrentSpelling& spelling_;
  MarianRecurrentNames names_;
  ParameterMap map_;
};

}  // namespace

ParameterMap marian_recurrent_parameters(const NetworkSettings& network,
                                         const MarianRecurrentSpelling& spelling) {
  return RecurrentWeights(network, spelling).take();
}

}  // namespace gloss
