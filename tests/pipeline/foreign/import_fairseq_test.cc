// SPDX-License-Identifier: Apache-2.0
// gloss import of checkpoints of fairseq, through the real binary.
#include <gtest/gtest.h>

#include <map>

#include "base/files.h"
#include "base/random.h"
#include "base/text.h"
#include "model/formats/safetensors.h"
#include "model/model_directory.h"
#include "tests/support/foreign_bytes.h"
#include "tests/support/has.h"
#include "tests/support/pickle_bytes.h"
#include "tests/support/run_program.h"
#include "tests/support/shared_data.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/untrained_program.h"

namespace gloss {
namespace {

using namespace pickled;

const std::string kYes = "\x88";
constexpr int kFairseqWidth = 8, kFairseqInner = 12, kWords = 3, kPieces = 4 + kWords;

/// A tiny checkpoint with random weights and its dictionaries.
struct FairseqModel {
  std::map<std::string, std::string> settings;  // pickled
  std::map<std::string, std::vector<int>> shapes;
  std::string dictionary = "the 30\ncat 20\nsat 10\n";

  FairseqModel() {
    for (const std::string side : {"encoder", "decoder"}) {
      settings[side + "_layers"] = number(1);
      settings[side + "_embed_dim"] = number(kFairseqWidth);
      settings[side + "_attention_heads"] = number(2);
      settings[side + "_ffn_embed_dim"] = number(kFairseqInner);
      const std::string layer = side + ".layers.0.";
      shapes[side + ".embed_tokens.weight"] = {kPieces, kFairseqWidth};
      add_attention(layer + "self_attn");
      if (side == "decoder") add_attention(layer + "encoder_attn");
      add_linear(layer + "fc1", kFairseqInner, kFairseqWidth);
      add_linear(layer + "fc2", kFairseqWidth, kFairseqInner);
      add_norm(layer + "final_layer_norm");
      shapes[side + ".embed_positions._float_tensor"] = {1};
    }
    shapes["decoder.output_projection.weight"] = {kPieces, kFairseqWidth};
    settings["source_lang"] = text("de");
    settings["target_lang"] = text("en");
    settings["max_source_positions"] = settings["max_target_positions"] = number(20);
    settings["optimizer"] = text("adam");
  }
  void add_linear(const std::string& name, int out, int in) {
    shapes[name + ".weight"] = {out, in};
    shapes[name + ".bias"] = {out};
  }
  void add_norm(const std::string& name) {
    shapes[name + ".weight"] = shapes[name + ".bias"] = {kFairseqWidth};
  }
  void add_attention(const std::string& name) {
    for (const std::string part : {"q", "k", "v", "out"})
      add_linear(concat(name, ".", part, "_proj"), kFairseqWidth, kFairseqWidth);
    add_norm(name + "_layer_norm");
  }
  void write(const std::string& directory) const {
    std::filesystem::create_directories(directory);
    Random random(5);
    std::vector<std::pair<std::string, std::string>> tensors, storages;
    for (const auto& [name, shape] : shapes) {
      int count = 1;
      std::vector<std::int64_t> sizes(shape.begin(), shape.end()), strides(shape.size(), 1);
      for (const int size : shape) count *= size;
      if (shape.size() == 2) strides[0] = shape[1];
      std::vector<float> values(static_cast<std::size_t>(count));
      for (float& value : values) value = static_cast<float>(random.normal() / 2);
      const std::string key = std::to_string(storages.size());
      storages.emplace_back(key, little_endian(values));
      tensors.emplace_back(name, tensor(storage(key, count), 0, sizes, strides));
    }
    const std::vector<std::pair<std::string, std::string>> arguments(settings.begin(), settings.end());
    const std::string object =
        dict({{"args", global("argparse", "Namespace") + ")\x81" + dict(arguments) + "b"},
              {"model", dict(tensors)}});
    write_file(directory + "/checkpoint_best.pt", torch_archive(object, storages));
    for (const std::string language : {"de", "en"})
      write_file(concat(directory, "/dict.", language, ".txt"), dictionary);
  }
};

struct ImportFairseq : testing::Test {
  static ProgramResult gloss(std::vector<std::string> words, const std::string& input = "") {
    words.insert(words.begin(), kGlossBinary);
    return run_program(words, input);
  }
  ProgramResult import_from(const FairseqModel& model) const {
    model.write(foreign);
    return gloss({"import", foreign, "--output", own, "--overwrite"});
  }
  void expect_refused(const FairseqModel& model, const std::string& name, const std::string& figure) const {
    const ProgramResult result = import_from(model);
    EXPECT_EQ(result.status, 3) << result.errors;
    EXPECT_TRUE(has(result.errors, name)) << result.errors;
    EXPECT_TRUE(has(result.errors, figure)) << result.errors;
  }

  TemporaryDirectory folder;
  std::string foreign = folder / "foreign", own = folder / "own";
};

TEST_F(ImportFairseq, MakesAnOrdinaryModel) {
  FairseqModel model;
  const ProgramResult result = import_from(model);
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_FALSE(has(result.errors, "not used")) << result.errors;
  const nlohmann::json network = read_model_config(own)["network"];
  EXPECT_EQ(network["begin_token"], 2);
  EXPECT_EQ(network["tied_embeddings"], "none");
  const SafetensorsFile file(own + "/model.safetensors");
  const auto* const positions = static_cast<const float*>(file.arrays().at("encoder.positions").data);
  EXPECT_FLOAT_EQ(positions[0], std::sin(2.0F));  // the first position is 2
  EXPECT_EQ(gloss({"encode", "-t", own + "/tokenizer.model", "--output-type", "id"}, "the sat dog\n").output,
            "4 6 3\n");
  EXPECT_EQ(
      gloss({"translate", "-m", foreign + "/checkpoint_best.pt", "--max-length", "5"}, "the cat\n").status,
      0);
  for (const std::string name : {"share_all_embeddings", "share_decoder_input_output_embed"})
    model.settings[name] = kYes;
  EXPECT_EQ(import_from(model).status, 3);  // the embeddings differ
  for (const std::string copy : {"decoder.embed_tokens.weight", "decoder.output_projection.weight"})
    model.shapes.erase(copy);
  ASSERT_EQ(import_from(model).status, 0);
  EXPECT_EQ(read_model_config(own)["network"]["tied_embeddings"], "all");
}

TEST_F(ImportFairseq, RefusesWhatItCannotRead) {
  const auto with = [](const std::string& setting, const std::string& value) {
    FairseqModel model;
    model.settings[setting] = value;
    return model;
  };
  expect_refused(with("decoder_embed_dim", number(16)), "'decoder_embed_dim' is 16", "8");
  expect_refused(with("no_cross_attention", kYes), "'no_cross_attention'", "false");
  expect_refused(with("adaptive_softmax_cutoff", text("8")), "'adaptive_softmax_cutoff'", "none");
  expect_refused(with("task", text("denoising")), "'task'", "translation");
  for (const std::string flag : {"scale_attn", "scale_fc", "scale_heads", "prepend_bos", "decoder_langtok"})
    expect_refused(with(flag, kYes), "'" + flag + "'", "false");
  expect_refused(with("encoder_langtok", text("src")), "'encoder_langtok'", "none");
  expect_refused(with("encoder_layers", number(2)), "encoder.layers.1.", "encoder.1.");
  expect_refused(with("source_lang", text("fr")), "dict.fr.txt", "missing");
  expect_refused(with("source_lang", text("../de")), "'source_lang'", "dict.");
  FairseqModel model;
  model.dictionary = "the\n";
  expect_refused(model, "dict.de.txt, line 1", "'the'");
  model.dictionary = "the 3\nthe 2\ncat 1\n";
  expect_refused(model, "dict.de.txt", "'the'");
  model.dictionary = "the 3\n";
  expect_refused(model, "dict.de.txt has 5 pieces", "checkpoint_best.pt has embeddings of 7");
}

TEST_F(ImportFairseq, ScoresAndTranslatesAsFairseqDid) {
  GLOSS_NEED_SHARED_DATA(recorded, "interchange/fairseq");
  const ProgramResult result = gloss({"import", *recorded, "-o", own});
  ASSERT_EQ(result.status, 0) << result.errors;
  const ProgramResult scores =
      gloss({"score", "-m", own, "--source", *recorded + "/test.first100.sym", "--target",
             *recorded + "/test.first100.math", "--precision", "f32", "--format", "json"});
  ASSERT_EQ(scores.status, 0) << scores.errors;
  const std::vector<nlohmann::json> found = json_lines(scores.output);
  const std::vector<std::string> expected =
      split(read_file(*recorded + "/test.first100.target_logprob.tsv"), '\n');
  ASSERT_EQ(found.size(), 100u);
  for (std::size_t i = 0; i < found.size(); ++i) {
    double sum = 0;
    ASSERT_TRUE(parse_number(split(expected[i], '\t')[0], sum));
    EXPECT_NEAR(found[i]["log_probability"].get<double>(), sum, 1e-4 * -sum) << "line " << i + 1;
  }
  std::string sources;
  const std::vector<std::string> lines = split(read_file(*recorded + "/test.first100.sym"), '\n');
  for (std::size_t i = 0; i < 20; ++i) sources += lines[i] + "\n";
  const ProgramResult translations = gloss({"translate", "-m", own, "--beam-size", "1", "--precision", "f32",
                                            "--max-length", "200", "--max-length-factor", "1000"},
                                           sources);
  EXPECT_EQ(translations.output, read_file(*recorded + "/test.first20.greedy_max200.math"));
}

}  // namespace
}  // namespace gloss
