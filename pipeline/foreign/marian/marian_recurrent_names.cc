// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/marian/marian_recurrent_names.h"

#include <map>

#include "base/text.h"

namespace gloss {
namespace {

using CellLayer = MarianRecurrentNames::Cell;

/// "_drt_N" for transitions.
std::string depth(int transition) { return transition > 0 ? concat("_drt_", transition) : ""; }

/// A part of a cell of Nematus's only decoder layer: the names of the second cell, which reads the attention,
/// and of those after it differ.
std::string decoder_part(const CellLayer& cell, const std::string& part) {
  if (cell.number == 0) return "decoder_" + part;
  if (part.starts_with("W")) return "decoder_Wc" + part.substr(1);
  return concat("decoder_", part, "_nl", depth(cell.number - 1));
}

std::string part_of_nematus(const CellLayer& cell, const std::string& part) {
  const auto end = part.find("_ln");  // the norm of this part
  const std::string norm = end == std::string::npos ? "" : part.substr(end), plain = part.substr(0, end);
  if (cell.decoder) return decoder_part(cell, plain) + norm;
  return concat("encoder_", cell.backwards ? "r_" : "", plain, depth(cell.number), norm);
}

}  // namespace

std::string MarianRecurrentNames::of(const CellLayer& cell, const std::string& part) const {
  if (nematus_ && cell.layer == 0) return part_of_nematus(cell, part);
  std::string name = cell.decoder ? "decoder" : "encoder";
  if (cell.both) name += cell.backwards ? "_bi_r" : "_bi";
  if (cell.layer > 0) name += concat("_l", cell.layer + 1);
  if (!cell.both || cell.layer > 0 || cell.number > 0) name += concat("_cell", cell.number + 1);
  return concat(name, "_", part);
}

std::string MarianRecurrentNames::of(const std::string& name) const {
  if (!nematus_) return name;
  static const std::map<std::string, std::string> names = [] {
    std::map<std::string, std::string> all{{"encoder_Wemb", "Wemb"},
                                           {"decoder_Wemb", "Wemb_dec"},
                                           {"decoder_ff_logit_l2_W", "ff_logit_W"},
                                           {"decoder_ff_logit_l2_Wt", "ff_logit_Wt"},
                                           {"decoder_ff_logit_l2_b", "ff_logit_b"}};
    for (const std::string part : {"_W", "_b", "_ln_s", "_ln_b"}) {
      all["decoder_ff_state" + part] = "ff_state" + part;
      all[concat("decoder_ff_logit_l1", part, 0)] = "ff_logit_prev" + part;
      all[concat("decoder_ff_logit_l1", part, 1)] = "ff_logit_lstm" + part;
      all[concat("decoder_ff_logit_l1", part, 2)] = "ff_logit_ctx" + part;
    }
    return all;
  }();
  const auto found = names.find(name);
  return found == names.end() ? name : found->second;
}

}  // namespace gloss
