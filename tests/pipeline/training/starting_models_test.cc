// SPDX-License-Identifier: Apache-2.0

#include "pipeline/training/starting_models.h"
#include "base/index.h"
#include "pipeline/training/start_settings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <numeric>
#include <set>

#include "base/error.h"
#include "pipeline/examples/tokenizer_files.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/untrained_model.h"

namespace gloss {
namespace {

using Row = std::vector<float>;

constexpr int kWidth = 32;

/// The numbers of parameters by name.
struct Values {
  std::map<std::string, Row> all;
  explicit Values(const Parameters& parameters) {
    for (const Parameters::Entry& entry : parameters.entries()) {
      all[entry.name] = {entry.tensor.values().begin(), entry.tensor.values().end()};
    }
  }
  const Row& values(const std::string& name) const { return all.at(name); }
  Row row(const std::string& name, int number) const {
    const Row& table = all.at(name);
    return {table.begin() + number * kWidth, table.begin() + (number + 1) * kWidth};
  }
};

struct StartingModelsTest : testing::Test {
  std::string write(const std::string& name, const NetworkSettings& settings, std::uint64_t seed,
                    int mask_token = -1) {
    const std::string directory = folder / name;
    std::filesystem::create_directory(directory);
    Parameters parameters;
    make_network(settings, parameters);
    Random random(seed);
    parameters.initialise(random);
    for (const Parameters::Entry& entry : parameters.entries()) {
      if (entry.name == "output.bias")
        std::iota(entry.tensor.values().begin(), entry.tensor.values().end(), 1.0F);
    }
    write_model(directory, settings, parameters, {{"text", text_settings({Normalization::nfkc, mask_token})}},
                tokenizer_files(subwords, subwords));
    return directory;
  }
  NetworkSettings translation() const {
    NetworkSettings settings = small_network(subwords, subwords);
    settings.sizes.tied_embeddings = TiedEmbeddings::all;
    return settings;
  }
  NetworkSettings language_model() const {
    NetworkSettings settings = translation();
    settings.sizes.encoder_layers = 0;
    settings.begin_token = settings.end_token = subwords.end_id();
    return settings;
  }
  NetworkSettings masked_model() const {
    NetworkSettings settings = translation();
    settings.sizes.decoder_layers = 0;
    ++settings.source_vocabulary;
    ++settings.target_vocabulary;
    return settings;
  }
  static Values weights_of(const std::string& directory) {
    return Values(*read_model(directory, Weights::copied).parameters);
  }
  /// The initial weights of a network with this vocabulary size, and the names of new parameters.
  std::pair<Values, std::vector<std::string>> started(const StartSettings& start, int size, Form form) {
    const StartingModels models(start, silent);
    NetworkSettings settings = models.network(form, 0);
    settings.source_vocabulary = settings.target_vocabulary = size;
    Parameters parameters;
    make_network(settings, parameters);
    Random random(99);
    parameters.initialise(random);
    const std::vector<std::string> fresh = models.give_weights(parameters);
    return {Values(parameters), fresh};
  }
  std::string refused(const std::function<void()>& work) {
    try {
      work();
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  TemporaryDirectory folder;
  mutable Listener silent;
  Subwords subwords = small_vocabulary(60);
};

TEST_F(StartingModelsTest, ProvideEveryPartOfTheSameNetwork) {
  const std::string directory = write("model", translation(), 5);
  const auto [weights, fresh] = started({.model = directory}, subwords.size(), Form::encoder_decoder);
  EXPECT_TRUE(fresh.empty());
  const Values old = weights_of(directory);
  EXPECT_EQ(weights.all, old.all);
}

TEST_F(StartingModelsTest, AddedSymbolsStartAsTheMeanOfTheirPieces) {
  const std::string directory = write("model", translation(), 5);
  const StartSettings start{.model = directory, .add_symbols = {"dogsees", "<x>"}};
  const auto [weights, fresh] = started(start, subwords.size() + 2, Form::encoder_decoder);
  EXPECT_TRUE(fresh.empty());
  const Values old = weights_of(directory);
  for (int id = 0; id < subwords.size(); ++id) {
    EXPECT_EQ(weights.row("embedding.weight", id), old.row("embedding.weight", id)) << id;
  }
  std::vector<int> pieces = subwords.encode("dogsees");
  if (subwords.piece(pieces.front()) == "\xE2\x96\x81") pieces.erase(pieces.begin());
  ASSERT_GT(pieces.size(), 1u);
  Row mean(kWidth, 0);
  for (const int id : pieces) {
    for (int i = 0; i < kWidth; ++i) mean[index(i)] += old.row("embedding.weight", id)[index(i)];
  }
  const Row row = weights.row("embedding.weight", subwords.size());
  for (std::size_t i = 0; i < row.size(); ++i) {
    EXPECT_NEAR(row[i], mean[i] / static_cast<float>(pieces.size()), 1e-6);
  }
  const StartingModels models(start, silent);
  EXPECT_EQ(models.tokenizers().source->encode("<x>").back(), subwords.size() + 1);
  EXPECT_TRUE(models.tokenizers().shared());
}

TEST_F(StartingModelsTest, TheOutputBiasGrowsWithTheVocabulary) {
  NetworkSettings settings = translation();
  settings.sizes.output_bias = true;
  const std::string directory = write("model", settings, 5);
  const auto [weights, fresh] =
      started({.model = directory, .add_symbols = {"<x>"}}, subwords.size() + 1, Form::encoder_decoder);
  EXPECT_TRUE(fresh.empty());
  const Row bias = weights.values("output.bias"), old = weights_of(directory).values("output.bias");
  ASSERT_EQ(bias.size(), old.size() + 1);
  EXPECT_TRUE(std::ranges::equal(std::span(bias).first(old.size()), old));
  EXPECT_GT(bias.back(), 0) << "the mean of its pieces";
}

TEST_F(StartingModelsTest, RefusesExistingAndUnnormalisedSymbols) {
  const std::string directory = write("model", translation(), 5);
  const auto message = [&](const std::string& symbol) {
    return refused([&] { StartingModels({.model = directory, .add_symbols = {symbol}}, silent); });
  };
  EXPECT_NE(message("a").find("'a'"), std::string::npos) << message("a");
  EXPECT_NE(message("\xEF\xAC\x81x").find("the model's normalisation of text changes"), std::string::npos)
      << "a ligature, which NFKC takes apart: " << message("\xEF\xAC\x81x");
  EXPECT_NE(message("a b").find("'a b'"), std::string::npos) << message("a b");
}

TEST_F(StartingModelsTest, AnEncoderAndADecoderFormATranslationModel) {
  const std::string encoder = write("encoder", masked_model(), 5, subwords.size());
  const std::string decoder = write("decoder", language_model(), 6);
  const Values first = weights_of(encoder), second = weights_of(decoder);

  const auto [both, new_in_both] =
      started({.from_encoder = encoder, .from_decoder = decoder}, subwords.size(), Form::encoder_decoder);
  EXPECT_EQ(both.row("source_embedding.weight", 7), first.row("embedding.weight", 7));
  EXPECT_EQ(both.row("target_embedding.weight", 7), second.row("embedding.weight", 7));
  EXPECT_EQ(both.values("encoder.0.feed_forward.inner.weight"),
            first.values("encoder.0.feed_forward.inner.weight"));
  EXPECT_EQ(both.values("decoder.0.feed_forward.inner.weight"),
            second.values("decoder.0.feed_forward.inner.weight"));
  ASSERT_FALSE(new_in_both.empty());
  for (const std::string& name : new_in_both)
    EXPECT_TRUE(name.starts_with("decoder.0.cross_attention")) << name;

  const auto [one, new_in_one] = started({.from_encoder = encoder}, subwords.size(), Form::encoder_decoder);
  EXPECT_EQ(one.row("embedding.weight", 7), first.row("embedding.weight", 7)) << "shared by both sides";
  EXPECT_EQ(one.values("encoder.0.feed_forward.inner.weight"),
            first.values("encoder.0.feed_forward.inner.weight"));
  for (const std::string& name : new_in_one) EXPECT_TRUE(name.starts_with("decoder.")) << name;
}

TEST_F(StartingModelsTest, TheMaskFollowsAddedSymbols) {
  const std::string directory = write("model", masked_model(), 5, subwords.size());
  const auto [weights, fresh] =
      started({.model = directory, .add_symbols = {"<x>"}}, subwords.size() + 2, Form::encoder);
  EXPECT_TRUE(fresh.empty());
  EXPECT_EQ(weights.row("embedding.weight", subwords.size() + 1),
            weights_of(directory).row("embedding.weight", subwords.size()));
}

TEST_F(StartingModelsTest, RefusesModelsThatDoNotMatch) {
  const std::string model = write("model", translation(), 5), decoder = write("decoder", language_model(), 6);
  NetworkSettings settings = masked_model();
  settings.own<TransformerSettings>().norm = NormPlacement::pre;
  const std::string encoder = write("encoder", settings, 7, subwords.size());
  const auto message = [&](const StartSettings& start, Form form) {
    return refused([&] { StartingModels(start, silent).network(form, 0); });
  };
  EXPECT_NE(message({.model = decoder}, Form::encoder_decoder).find("is a language model"),
            std::string::npos);
  EXPECT_NE(message({.model = model}, Form::decoder).find("expected a language model"), std::string::npos);
  EXPECT_NE(message({.from_encoder = decoder}, Form::encoder_decoder).find("has no encoder"),
            std::string::npos);
  EXPECT_NE(message({.from_encoder = encoder, .from_decoder = decoder}, Form::encoder_decoder)
                .find("--norm is pre and post"),
            std::string::npos);
  EXPECT_NE(message({.model = model, .from_encoder = encoder}, Form::encoder_decoder).find("leave one out"),
            std::string::npos);
  EXPECT_NE(message({}, Form::encoder_decoder).find("--model DIR"), std::string::npos);
}

TEST_F(StartingModelsTest, DetermineTheNetworkExceptDropoutAndSinusoids) {
  const std::string model = write("model", translation(), 5);
  StartSettings start{.model = model};
  NetworkSettings chosen;
  chosen.sizes.width = 32;
  chosen.sizes.dropout = 0.3;
  chosen.sizes.max_positions = 100;
  TokenizerSettings tokenizers;
  const auto apply = [&](const std::set<std::string>& given) {
    NetworkSettings network = chosen;
    std::set<const void*> members;
    for (const Fields& fields : {fields_of(network), fields_of(tokenizers)}) {
      for (const Field& field : fields) {
        if (given.contains(field.name)) members.insert(address_of(field));
      }
    }
    open_starting_models(
        start, Form::encoder_decoder, network, tokenizers,
        [&](const void* member) { return members.contains(member); }, silent);
    return network.sizes;
  };
  const NetworkSizes kept = apply({});
  EXPECT_EQ(kept.dropout, 0.1);
  EXPECT_EQ(kept.encoder_layers, 1);
  EXPECT_EQ(kept.max_positions, 60);
  EXPECT_EQ(tokenizers.normalization, Normalization::nfkc);
  const NetworkSizes changed = apply({"dropout", "width", "max_positions"});
  EXPECT_EQ(changed.dropout, 0.3);
  EXPECT_EQ(changed.max_positions, 100);
  NetworkSettings learned = translation();
  learned.own<TransformerSettings>().decoder_positions = Positions::learned;
  start.model = write("learned", learned, 5);
  EXPECT_NE(refused([&] { apply({"max_positions"}); }).find("--max-positions is 100, but 60 in "),
            std::string::npos);
  EXPECT_NE(refused([&] { apply({"decoder_positions"}); }).find("--decoder-positions is as-encoder"),
            std::string::npos);
  start.model = model;
  EXPECT_NE(refused([&] { apply({"heads"}); }).find("--heads is 8, but 2 in "), std::string::npos);
  tokenizers.normalization = Normalization::none;
  EXPECT_NE(refused([&] { apply({"normalization"}); }).find("--normalization is none, but nfkc in "),
            std::string::npos);
}

}  // namespace
}  // namespace gloss
