// SPDX-License-Identifier: Apache-2.0

#include "averaging_network.h"
#include "base/index.h"

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "base/rounding.h"
#include "model/layers/initialisers.h"
#include "model/layers/linear.h"
#include "model/networks/embedding_tables.h"
#include "model/networks/packed_rows.h"
#include "model/networks/step_network.h"
#include "model/tensor/ops_pooling.h"
#include "model/tensor/ops_recurrent.h"

namespace gloss {
namespace {

class AveragingNetwork : public StepNetwork {
 public:
  AveragingNetwork(const NetworkSettings& settings, Parameters& parameters)
      : StepNetwork(settings.vocabulary()), own_(settings.own<AveragingSettings>()) {
    const int width = settings.sizes.width;
    const EmbeddingTables tables = declare_embeddings(parameters, settings.sizes, width, vocabulary_);
    source_table_ = tables.source;
    target_table_ = tables.target;
    output_ = tables.output;
    if (own_.mixed_bag) mix_.emplace(parameters, "mix", width, width, xavier_uniform(width, width));
  }

  Loss loss(const Batch& batch, const Regularization* regularization) const override {
    const PackedRows target(batch.target, kTrainingRows);
    const Tensor hidden =
        taught(batch.source, target, regularization != nullptr ? &regularization->random : nullptr);
    return loss_of(hidden, target.tokens, token_weights(batch, target.tokens.size()), batch, regularization);
  }

  std::vector<float> log_probabilities(const Batch& batch) const override {
    const PackedRows target(batch.target, kTrainingRows);
    std::vector<float> all =
        target_log_probabilities(taught(batch.source, target, nullptr), output_, target.tokens);
    all.resize(batch.target.tokens.size());
    return all;
  }

  Tensor states(const TokenRows& rows) const override {
    return embedded(source_table_, PackedRows(rows, kDecodingRows).tokens);
  }

  std::unique_ptr<DecoderState> start(const TokenRows& source) const override {
    const Tensor bags = bags_of(source, kDecodingRows, nullptr);
    auto state = std::make_unique<State>();
    for (int row = 0; row < source.rows(); ++row) {
      const float* const bag = bags.data() + row * bags.columns();
      state->bags.emplace_back(bag, bag + bags.columns());
    }
    return state;
  }

 private:
  /// The mean source embedding of each row.
  struct State : DecoderState {
    std::vector<std::vector<float>> bags;
    void select(std::span<const int> rows) override {
      std::vector<std::vector<float>> selected;
      for (const int row : rows) selected.push_back(bags[index(row)]);
      bags = std::move(selected);
    }
    void append(DecoderState& more) override {
      const State& other = dynamic_cast<State&>(more);
      bags.insert(bags.end(), other.bags.begin(), other.bags.end());
    }
  };

  static Tensor embedded(const Tensor& table, std::span<const TokenId> tokens) {
    return embed(table, {}, tokens, std::vector<int>(tokens.size(), 0), 1, {});
  }

  /// [sentences, width], padded.
  Tensor bags_of(const TokenRows& source, int multiple, Random* random) const {
    const PackedRows rows(source, multiple);
    const Tensor mean = mean_of_rows(embedded(source_table_, rows.tokens), rows.starts,
                                     round_up(std::max(rows.sentences(), 1), multiple));
    const Tensor zeros = Tensor::zeros(mean.shape());
    return add_dropout(zeros, mix_ ? (*mix_)(mean) : mean, dropout_mask(own_.bag_dropout, random));
  }

  Tensor taught(const TokenRows& source, const PackedRows& target, Random* random) const {
    std::vector<int> sentences(target.tokens.size(), -1);
    for (int s = 0; s < target.sentences(); ++s) {
      std::fill_n(sentences.begin() + target.start(s), target.length(s), s);
    }
    const Tensor bags = take_rows(bags_of(source, kTrainingRows, random), std::move(sentences));
    return add_dropout(bags, embedded(target_table_, target.shifted(vocabulary_.begin)), {});
  }

  Tensor advance(std::span<const TokenId> latest, DecoderState& any,
                 SourceAttention* attention) const override {
    if (attention != nullptr) throw UsageError("an averaging network has no attention");
    const State& state = dynamic_cast<State&>(any);
    std::vector<TokenId> tokens(latest.begin(), latest.end());
    tokens.resize(round_up(latest.size(), index(kDecodingRows)), -1);
    const Tensor read = embedded(target_table_, tokens);
    Tensor bags = Tensor::zeros(read.shape());
    for (std::size_t row = 0; row < state.bags.size(); ++row) {
      std::ranges::copy(state.bags[row], bags.data() + static_cast<std::int64_t>(row) * bags.columns());
    }
    return add_dropout(bags, read, {});
  }

  AveragingSettings own_;
  Tensor source_table_, target_table_;
  std::optional<Linear> mix_;
};

void check_averaging(const NetworkSettings& s) {
  if (form_of(s) == Form::encoder_decoder) return;
  throw UsageError("an averaging network needs encoder and decoder layers");
}

std::string reason_unused(const NetworkSettings& s, const std::string& name) {
  if (name == "heads") return "an averaging network has no attention";
  if (name == "bag_dropout" && !s.own<AveragingSettings>().mixed_bag) return "the bag is not mixed";
  return "";
}

std::unique_ptr<Network> make_averaging(const NetworkSettings& s, Parameters& parameters) {
  return std::make_unique<AveragingNetwork>(s, parameters);
}

}  // namespace

Fields fields_of(AveragingSettings& s) {
  Fields fields{{"mixed_bag", &s.mixed_bag, "add a linear layer between the mean and the decoder"},
                {"bag_dropout", &s.bag_dropout, "dropout rate of the mean", {0, 0.99}}};
  add_traits(fields, kTrainingOnly, s.bag_dropout);
  return fields;
}

Architecture averaging_architecture() {
  return {.name = "averaging",
          .plural = "averaging networks",
          .own_settings = default_settings<AveragingSettings>,
          .make = make_averaging,
          .check = check_averaging,
          .reason_unused = reason_unused,
          .change_defaults = [](NetworkSettings& s) {
            s.sizes.encoder_layers = s.sizes.decoder_layers = s.sizes.heads = 1;
          }};
}

}  // namespace gloss
