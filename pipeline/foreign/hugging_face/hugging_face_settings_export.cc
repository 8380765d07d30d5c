// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/hugging_face/hugging_face_settings_export.h"

#include <algorithm>

#include "base/error.h"
#include "base/index.h"
#include "pipeline/foreign/shared/stored_positions.h"

namespace gloss {

std::string activation_name(Activation activation, const std::string& program) {
  switch (activation) {
    case Activation::relu:
      return "relu";
    case Activation::gelu:
      return "gelu_new";
    case Activation::gelu_exact:
      return "gelu";
    case Activation::swish:
      return "swish";
    default:
      refuse_export(program, "activation", "sigmoid", "train with relu, gelu, gelu-exact or swish");
  }
}

void expect_plain_lines(const ModelToExport& model, const std::string& program,
                        const std::set<std::string>& allowed) {
  const TextFormat& format = model.format;
  const auto refuse = [&](const std::string& member, const std::string& value) {
    if (allowed.contains(member)) return;
    refuse_export(program, "text." + member, value, "export it with --format ctranslate2");
  };
  if (!format.source_prefix.empty()) refuse("source_prefix", std::to_string(format.source_prefix.front()));
  if (!format.target_prefix.empty()) refuse("target_prefix", std::to_string(format.target_prefix.front()));
  if (!format.languages.ids.empty()) refuse("languages", format.languages.ids.begin()->first);
  if (!format.source_end) refuse("source_end", "false");
}

void expect_one_tokenizer(const ModelToExport& model, const std::string& program) {
  const Tokenizers& both = model.tokenizers;
  if (both.shared() || both.source->bytes() == both.target->bytes()) return;
  refuse_export(program, "tokenizers", "of their own for each side", "export it with --format ctranslate2");
}

void refuse_tokenizer(const TokenizerToExport& tokenizer, const std::string& program) {
  using Kind = TokenizerToExport::Kind;
  std::string kind;
  switch (tokenizer.kind()) {
    case Kind::word_pieces:
      kind = "of WordPiece";
      break;
    case Kind::byte_pairs:
      kind = "of GPT-2's byte-level BPE";
      break;
    case Kind::fairseq_pieces:
      kind = "of fairseq's SentencePiece";
      break;
    case Kind::sentence_pieces:
      kind = "of SentencePiece";
      break;
    case Kind::words:
      kind = "of words between spaces";
      break;
    case Kind::own_byte_level:
      kind = "of gloss's byte-bpe";
      break;
  }
  refuse_export(program, "tokenizers", kind,
                "export it with --format ctranslate2, or train with --vocab-type bpe");
}

std::vector<FurtherArray> further_positions(const NetworkSettings& network,
                                            const std::vector<std::string>& tables, int spare_rows,
                                            const std::string& program) {
  const Positions positions = network.own<TransformerSettings>().positions;
  if (positions == Positions::learned) return {};
  if (positions != Positions::none && positions != Positions::sinusoidal) {
    refuse_setting(network, "positions", program, "train with sinusoidal, learned or no positions");
  }
  const int count = network.sizes.max_positions, width = network.sizes.width;
  std::vector<FurtherArray> arrays;
  for (const std::string& name : tables) {
    arrays.push_back({name, Shape{count + spare_rows, width}, [=](std::span<float> values) {
                        const std::size_t spare = index(spare_rows) * index(width);
                        std::ranges::fill(values.first(spare), 0.0F);
                        std::ranges::copy(table_of_positions(positions, count, width),
                                          values.subspan(spare).begin());
                      }});
  }
  return arrays;
}

bool has_computed_values(const Parameters& parameters, const ParameterMap& map) {
  return std::ranges::all_of(parameters.entries(), [&](const Parameters::Entry& entry) {
    const auto computed = map.computed().find(entry.name);
    if (computed == map.computed().end()) return true;
    const StoredMatrix stored = entry.tensor.stored();
    const std::size_t columns = index(stored.columns);
    std::vector<float> expected(index(stored.rows) * columns), row(columns);
    computed->second(expected);
    for (std::int64_t r = 0; r < stored.rows; ++r) {
      widen_row(stored, r, row.data());
      if (!std::equal(row.begin(), row.end(), expected.begin() + r * stored.columns)) return false;
    }
    return true;
  });
}

}  // namespace gloss
