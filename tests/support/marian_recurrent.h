// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tests/support/marian_model.h"

namespace gloss {

/// A tiny recurrent network in Marian's form, with random weights.
class MarianRecurrent {
 public:
  struct Kind {
    std::string type = "s2s", cell = "gru", encoder = "bidirectional";
    int encoder_depth = 1, decoder_depth = 1;
    int encoder_cells = 1, base_cells = 2, high_cells = 1;
    bool norm = false, skip = false;
  };
  static constexpr int kEmbedding = 6, kWidth = 8;

  explicit MarianRecurrent(const Kind& kind) : kind_(kind) {
    const auto number = [](int value) { return std::to_string(value); };
    const auto flag = [](bool value) { return std::string(value ? "true" : "false"); };
    model_.arrays.clear();
    model_.options = {{"type", kind.type},
                      {"dim-emb", number(kEmbedding)},
                      {"dim-rnn", number(kWidth)},
                      {"dim-vocabs", "[8, 8]"},
                      {"enc-type", kind.encoder},
                      {"enc-cell", kind.cell},
                      {"dec-cell", kind.cell},
                      {"enc-depth", number(kind.encoder_depth)},
                      {"dec-depth", number(kind.decoder_depth)},
                      {"enc-cell-depth", number(kind.encoder_cells)},
                      {"dec-cell-base-depth", number(kind.base_cells)},
                      {"dec-cell-high-depth", number(kind.high_cells)},
                      {"layer-normalization", flag(kind.norm)},
                      {"skip", flag(kind.skip)},
                      {"tied-embeddings", "true"}};
    model_.add("encoder_Wemb", {8, kEmbedding});
    model_.add("decoder_Wemb", {8, kEmbedding});
    add_encoder();
    add_decoder();
  }

  /// The arrays by the names of the type s2s, and the options.
  MarianModel& model() { return model_; }
  /// The model with the names of its own type.
  MarianModel named() const {
    MarianModel model = model_;
    if (kind_.type == "s2s") return model;
    model.arrays.clear();
    for (const auto& [name, array] : model_.arrays) model.arrays[name_of_nematus(name)] = array;
    return model;
  }
  const Kind& kind() const { return kind_; }
  const MarianModel::Array& array(const std::string& name) const { return model_.arrays.at(name); }
  bool nematus() const { return kind_.cell == "gru-nematus"; }
  bool lstm() const { return kind_.cell == "lstm"; }
  /// Both directions are there at the top of the encoder.
  bool split() const { return kind_.encoder != "bi-unidirectional" || kind_.encoder_depth == 1; }
  /// The names of cells in arrays; everything is counted from 0.
  std::string encoder_cell(int layer, bool backwards, int cell) const {
    const bool both = split() || layer == 0;
    std::string name = both ? (backwards ? "encoder_bi_r" : "encoder_bi") : "encoder";
    if (layer > 0) name += concat("_l", layer + 1);
    return !both || layer > 0 || cell > 0 ? concat(name, "_cell", cell + 1) : name;
  }
  static std::string decoder_cell(int layer, int cell) {
    return concat("decoder", layer > 0 ? concat("_l", layer + 1) : "", "_cell", cell + 1);
  }

 private:
  int context_width() const { return split() ? 2 * kWidth : kWidth; }
  void add_cell(const std::string& name, int in) {
    const std::vector<std::pair<std::string, int>> blocks =
        lstm() ? std::vector<std::pair<std::string, int>>{{"", 4 * kWidth}}
               : std::vector<std::pair<std::string, int>>{{"", 2 * kWidth}, {"x", kWidth}};
    for (const auto& [end, out] : blocks) {
      model_.add(name + "_U" + end, {kWidth, out});
      if (in > 0) model_.add(name + "_W" + end, {in, out});
      model_.add(name + "_b" + end, {1, out});
      if (!kind_.norm || !nematus()) continue;
      for (const std::string norm : {"_lns", "_lnb"}) {
        model_.add(concat(name, "_U", end, norm), {1, out});
        if (in > 0) model_.add(concat(name, "_W", end, norm), {1, out});
      }
    }
    if (!kind_.norm || nematus()) return;
    const int gates = (lstm() ? 4 : 3) * kWidth;
    if (in > 0) model_.add(name + "_gamma1", {1, gates});
    model_.add(name + "_gamma2", {1, gates});
  }
  void add_dense(const std::string& name, const std::string& end, int in, int out) {
    model_.add(concat(name, "_W", end), {in, out});
    model_.add(concat(name, "_b", end), {1, out});
    if (!kind_.norm) return;
    if (nematus()) {
      model_.add(concat(name, "_ln_s", end), {1, out});
      model_.add(concat(name, "_ln_b", end), {1, out});
    } else {
      model_.add(concat(name, "_gamma", end), {1, out});
    }
  }
  void add_encoder() {
    for (int layer = 0; layer < kind_.encoder_depth; ++layer) {
      const int in = layer == 0 ? kEmbedding : !split() && layer == 1 ? 2 * kWidth : kWidth;
      for (const bool backwards : {false, true}) {
        if (backwards && !split() && layer > 0) continue;
        for (int cell = 0; cell < kind_.encoder_cells; ++cell) {
          add_cell(encoder_cell(layer, backwards, cell), cell == 0 ? in : 0);
        }
      }
    }
  }
  void add_decoder() {
    const int context = context_width();
    for (int cell = 0; cell < kind_.base_cells; ++cell) {
      add_cell(decoder_cell(0, cell), cell == 0 ? kEmbedding : cell == 1 ? context : 0);
    }
    for (int layer = 1; layer < kind_.decoder_depth; ++layer) {
      for (int cell = 0; cell < kind_.high_cells; ++cell) {
        add_cell(decoder_cell(layer, cell), cell == 0 ? kWidth : 0);
      }
    }
    model_.add("decoder_W_comb_att", {kWidth, context});
    model_.add("decoder_Wc_att", {context, context});
    model_.add("decoder_U_att", {context, 1});
    model_.add("decoder_b_att", {1, context});
    const std::vector<std::string> of_nematus{"W_comb_att_lns", "W_comb_att_lnb", "Wc_att_lns", "Wc_att_lnb"};
    const std::vector<std::string> of_s2s{"att_gamma1", "att_gamma2"};
    for (const std::string& norm : nematus() ? of_nematus : of_s2s) {
      if (kind_.norm) model_.add("decoder_" + norm, {1, context});
    }
    add_dense("decoder_ff_state", "", context, kWidth);
    add_dense("decoder_ff_logit_l1", "0", kEmbedding, kEmbedding);
    add_dense("decoder_ff_logit_l1", "1", kWidth, kEmbedding);
    add_dense("decoder_ff_logit_l1", "2", context, kEmbedding);
    model_.add("decoder_ff_logit_l2_b", {1, 8});
  }

  /// The names of Nematus. Only networks with one layer have them.
  static std::string name_of_nematus(std::string name) {
    const auto replace = [&](const std::string& start, const std::string& by) {
      if (!name.starts_with(start)) return false;
      name = by + name.substr(start.size());
      return true;
    };
    const auto part_of = [&](const std::string& start, const std::string& end_of_part) {
      // Such as U_lns to U_nl_lns: what follows the part keeps its place.
      const std::string rest = name.substr(start.size());
      const auto norm = rest.find("_ln");
      return rest.substr(0, norm) + end_of_part + (norm == std::string::npos ? "" : rest.substr(norm));
    };
    if (name == "encoder_Wemb") return "Wemb";
    if (name == "decoder_Wemb") return "Wemb_dec";
    if (replace("decoder_ff_state", "ff_state") || replace("decoder_ff_logit_l2", "ff_logit")) return name;
    const std::pair<std::string, std::string> inputs[] = {{"0", "prev"}, {"1", "lstm"}, {"2", "ctx"}};
    for (const auto& [number, input] : inputs) {
      if (name.starts_with("decoder_ff_logit_l1_") && name.ends_with(number)) {
        name.pop_back();
        replace("decoder_ff_logit_l1", "ff_logit_" + input);
        return name;
      }
    }
    for (int cell = 4; cell >= 2; --cell) {
      const std::string depth = concat("_drt_", cell - 1), before = concat("_cell", cell, "_");
      if (name.starts_with("encoder_bi_r" + before))
        return "encoder_r_" + part_of("encoder_bi_r" + before, depth);
      if (name.starts_with("encoder_bi" + before)) return "encoder_" + part_of("encoder_bi" + before, depth);
    }
    for (int cell = 4; cell >= 3; --cell) {
      const std::string before = concat("decoder_cell", cell, "_");
      if (name.starts_with(before)) return "decoder_" + part_of(before, concat("_nl_drt_", cell - 2));
    }
    if (replace("encoder_bi_r_", "encoder_r_") || replace("encoder_bi_", "encoder_") ||
        replace("decoder_cell1_", "decoder_") || replace("decoder_cell2_W", "decoder_Wc"))
      return name;
    if (name.starts_with("decoder_cell2_")) return "decoder_" + part_of("decoder_cell2_", "_nl");
    return name;
  }

  Kind kind_;
  MarianModel model_;
};

}  // namespace gloss
