// SPDX-License-Identifier: Apache-2.0
// gloss import of models of Marian through the real binary.
#include <gtest/gtest.h>

#include "tests/pipeline/foreign/import_marian.h"
#include "tests/support/untrained_program.h"

namespace gloss {
namespace {

constexpr int kMarianWidth = MarianModel::kWidth;

TEST_F(ImportMarian, TransposesMatricesAndKeepsTables) {
  const MarianModel model;
  const ProgramResult result = import_from(model);
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_FALSE(has(result.errors, "not used")) << result.errors;
  const auto foreign_at = [&](const std::string& name, int row, int column) {
    const MarianModel::Array& array = model.arrays.at(name);
    return array.values[index(row * array.shape[1] + column)];
  };
  EXPECT_TRUE(has(folder.read("own/config.json"), "\"beam_size\"")) << "of decoder.yml";
  EXPECT_EQ(weight("embedding.weight", 3, 5), foreign_at("Wemb", 3, 5));
  EXPECT_EQ(weight("decoder.0.self_attention.query_key_value.weight", kMarianWidth + 2, 5),
            foreign_at("decoder_l1_self_Wk", 5, 2));
  EXPECT_EQ(weight("decoder.0.cross_attention.key_value.weight", kMarianWidth + 1, 7),
            foreign_at("decoder_l1_context_Wv", 7, 1));
  EXPECT_EQ(weight("encoder.0.feed_forward.inner.weight", 11, 3), foreign_at("encoder_l1_ffn_W1", 3, 11));
  EXPECT_EQ(weight("encoder.0.feed_forward.norm.weight", 0, 6),
            foreign_at("encoder_l1_ffn_ffn_ln_scale", 0, 6));
}

TEST_F(ImportMarian, MakesAnOrdinaryModel) {
  ASSERT_EQ(import_from(MarianModel()).status, 0);
  const std::string batch = translations();
  EXPECT_EQ(output_lines(batch).size(), 10u) << batch;
  EXPECT_FALSE(has(batch, "<unk>"));
  EXPECT_EQ(translations({"--batch-size", "1", "-j", "2"}), batch);
  EXPECT_EQ(gloss({"quantize", "-m", own, "-o", folder / "small"}).status, 0);
  folder.write("a", "the cat\n");
  folder.write("b", "the mat\n");
  for (const std::string command : {"score", "align"}) {
    const ProgramResult result =
        gloss({command, "-m", own, "--source", folder / "a", "--target", folder / "b"});
    EXPECT_EQ(result.status, 0) << result.errors;
  }
}

TEST_F(ImportMarian, FindsTheFilesOfAModel) {
  MarianModel model;
  ASSERT_EQ(import_from(model).status, 0);
  const std::string expected = translations();
  const auto import_and_compare = [&](const std::string& path) {
    const ProgramResult result = import_path(path);
    EXPECT_EQ(result.status, 0) << path << ": " << result.errors;
    EXPECT_EQ(translations(), expected) << path;
  };
  MarianModel::write_file(foreign, "model.bin", model.bin());
  for (const std::string name : {"", "/model.npz", "/model.bin", "/model.npz.decoder.yml"})
    import_and_compare(foreign + name);
  std::filesystem::remove(foreign + "/model.npz");
  std::filesystem::remove(foreign + "/model.npz.decoder.yml");
  import_and_compare(foreign);  // the only model and the only vocabulary

  MarianModel::write_file(foreign, "other.bin", model.bin());
  expect_refused(import_path(foreign), {"model.bin, other.bin", "path"});
  std::filesystem::remove(foreign + "/vocab.yml");
  expect_refused(import_path(foreign + "/model.bin"), {"decoder.yml", "no vocabulary"});
  MarianModel::write_file(foreign, "decoder.yml", MarianModel::decoder_yml());
  expect_refused(import_path(foreign), {"decoder.yml", "/elsewhere/model.npz"});
  MarianModel::write_file(foreign, "b.decoder.yml", MarianModel::decoder_yml());
  expect_refused(import_path(foreign), {"b.decoder.yml, decoder.yml"});
}

TEST_F(ImportMarian, ConfigurationsMayHaveAnyName) {
  MarianModel().write(foreign);
  std::filesystem::rename(foreign + "/model.npz.decoder.yml", foreign + "/en-de.yml");
  for (const std::string name : {"", "/en-de.yml", "/model.npz"}) {
    const ProgramResult result = import_path(foreign + name);
    EXPECT_EQ(result.status, 0) << name << ": " << result.errors;
    EXPECT_TRUE(has(folder.read("own/config.json"), "\"beam_size\": 4")) << name;
  }
  // A word of a vocabulary is no configuration, and a usual name is preferred.
  MarianModel::write_file(foreign, "decoder.yml", "models: [model.npz]\nvocabs: [words.yml, words.yml]\n");
  MarianModel::write_file(foreign, "words.yml", "models: 0\n");
  expect_refused(import_path(foreign), {"words.yml"});
  std::filesystem::remove(foreign + "/decoder.yml");
  EXPECT_EQ(import_path(foreign).status, 0);
}

TEST_F(ImportMarian, ReadsEveryFormOfDecoder) {
  // Each form translates, in any batch alike.
  const auto expect_translates = [&](const MarianModel& model, const std::string& setting) {
    const ProgramResult result = import_from(model);
    ASSERT_EQ(result.status, 0) << result.errors;
    EXPECT_FALSE(has(result.errors, "not used")) << result.errors;
    EXPECT_TRUE(has(folder.read("own/config.json"), setting)) << setting;
    EXPECT_EQ(translations(), translations({"--batch-size", "1"})) << setting;
  };
  MarianModel ssru;
  ssru.options["transformer-decoder-autoreg"] = "rnn";
  ssru.options["dec-cell"] = "ssru";
  ssru.remove("decoder_l1_self");
  ssru.add("decoder_l1_rnn_W", {kMarianWidth, kMarianWidth});
  ssru.add_linear("decoder_l1_rnn", "f");
  ssru.add_norm("decoder_l1_rnn_ffn");
  expect_translates(ssru, "\"ssru\"");

  MarianModel average;
  average.options["transformer-decoder-autoreg"] = "average-attention";
  average.options["transformer-dim-aan"] = "12";
  average.remove("decoder_l1_self");
  average.add_feed_forward("decoder_l1_aan");
  for (const std::string gate : {"i", "f"}) average.add_linear("decoder_l1_aan", gate);
  expect_translates(average, "\"average\"");

  MarianModel shared;
  shared.options["dec-depth"] = "3";
  shared.more_options = "transformer-tied-layers:\n  - 1\n  - 2\n  - 1\n";
  shared.add_attention("decoder_l2_self");
  shared.add_attention("decoder_l2_context");
  shared.add_feed_forward("decoder_l2_ffn");
  expect_translates(shared, "\"decoder_layer_weights\"");

  MarianModel deep;
  deep.options["transformer-ffn-depth"] = "3";
  deep.options["transformer-no-projection"] = "true";
  deep.options["output-omit-bias"] = "true";
  deep.remove("decoder_ff_logit_out_b");
  for (const std::string name : {"encoder_l1_self", "decoder_l1_self", "decoder_l1_context"}) {
    deep.arrays.erase(name + "_Wo");
    deep.arrays.erase(name + "_bo");
  }
  for (const std::string name : {"encoder_l1_ffn", "decoder_l1_ffn"}) {
    deep.add_linear(name, "2", MarianModel::kInner, MarianModel::kInner);
    deep.add_linear(name, "3", MarianModel::kInner, kMarianWidth);
  }
  expect_translates(deep, "\"feed_forward_depth\": 3");
}

TEST_F(ImportMarian, RefusesWhatItCannotRead) {
  const auto with = [](const std::string& option, const std::string& value) {
    MarianModel model;
    model.options[option] = value;
    return model;
  };
  expect_refused(with("type", "multi-s2s"), {"special:model.yml", "'type'", "multi-s2s", "transformer"});
  expect_refused(with("transformer-postprocess", "hd"), {"'transformer-postprocess'", "hd"});
  expect_refused(with("right-left", "true"), {"'right-left'", "false"});
  expect_refused(with("dim-emb", "[8]"), {"'dim-emb'", "[8]"});
  expect_refused(with("dim-emb", "16"), {"Wemb", "[8, 16]"});
  expect_refused(with("dim-vocabs", "[8]"), {"'dim-vocabs'", "two"});
  expect_refused(with("dim-vocabs", "[9, 9]"), {"vocab.yml", "8", "9"});
  expect_refused(with("dec-depth", "2"), {"decoder_l2_", "decoder.1."});
  expect_refused(with("transformer-tied-layers", "[1, 1]"), {"'transformer-tied-layers'", "1"});
  expect_refused(with("transformer-decoder-autoreg", "rnn"), {"'dec-cell'", "ssru"});
  expect_refused(with("a", "&b [*b, *b]"), {"special:model.yml", "line"});

  MarianModel model;
  model.more_options = "- no\n- map\n";
  expect_refused(model, {"special:model.yml"});
  model = MarianModel();
  model.add("encoder_l1_ffn_W1", {MarianModel::kInner, kMarianWidth});
  expect_refused(model, {"encoder_l1_ffn_W1", "[12, 8]", "[8, 12]"});
  model = MarianModel();
  model.arrays.at("decoder_l1_self_Wo").values[3] = NAN;
  expect_refused(model, {"decoder_l1_self_Wo", "not a number"});
  model = MarianModel();
  model.words[0] = "<s>";
  expect_refused(model, {"vocab.yml", "</s>"});
  model = MarianModel();
  model.words[5] = "cat";
  expect_refused(model, {"vocab.yml", "cat"});
  folder.write("text.npz", "no zip");
  expect_refused(import_path(folder / "text.npz"), {"text.npz"});
}

}  // namespace
}  // namespace gloss
