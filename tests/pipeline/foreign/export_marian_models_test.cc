// SPDX-License-Identifier: Apache-2.0
// gloss export --format marian of models that were imported, trained or fine-tuned, through the real binary.
#include <gtest/gtest.h>

#include "tests/pipeline/foreign/export_marian.h"
#include "tests/support/marian_recurrent.h"
#include "tests/support/shared_data.h"

namespace gloss {
namespace {

TEST_F(ExportMarian, ImportedModelsAreWrittenAsTheyWere) {
  const std::string original = folder / "original";
  MarianModel model;
  model.write(original);
  ASSERT_EQ(gloss({"import", original, "-o", native}).status, 0);
  expect_back();
  const StoredArrays before = read_npz(original + "/model.npz"), after = read_npz(foreign + "/model.npz");
  ASSERT_EQ(before.all().size(), after.all().size());
  for (const auto& [name, array] : before.all()) {
    if (name.starts_with("special:")) continue;
    const StoredArray& other = after.at(name);
    EXPECT_EQ(array.shape(), other.shape()) << name;
    std::vector<float> ours(array.count()), theirs(other.count());
    array.read(ours);
    other.read(theirs);
    EXPECT_EQ(ours, theirs) << name;
  }
  const nlohmann::json decoder = read_yaml(foreign + "/model.npz.decoder.yml");
  EXPECT_EQ(decoder["beam-size"], 4);
  EXPECT_EQ(decoder["normalize"], 0);
  EXPECT_EQ(decoder["vocabs"], nlohmann::json({"vocab.yml", "vocab.yml"}));
  EXPECT_FALSE(decoder.contains("allow-unk"));
  EXPECT_EQ(read_yaml(foreign + "/vocab.yml"), read_yaml(original + "/vocab.yml"));
}

TEST_F(ExportMarian, ModelsTrainedForItAreKept) {
  std::string english, german;
  for (int i = 0; i < 60; ++i) {
    english += concat("the dog sees house number ", i, "\n");
    german += concat("der Hund sieht Haus Nummer ", i, "\n");
  }
  const std::string source = folder.write("train.en", english), target = folder.write("train.de", german),
                    vocabulary = folder / "joint.spm", run = folder / "run";
  const ProgramResult learned =
      gloss({"vocab", "--input", source, target, "--size", "60", "--no-begin-piece", "-o", vocabulary});
  ASSERT_EQ(learned.status, 0) << learned.errors;
  for (const std::string updates : {"2", "3"}) {  // the second continues the first
    std::vector<std::string> words{"train", "--quiet", "--source", source, "--target", target};
    for (const std::string& word : std::vector<std::string>{"--tokenizer",
                                                            vocabulary,
                                                            "--output",
                                                            run,
                                                            "--max-updates",
                                                            updates,
                                                            "--width",
                                                            "16",
                                                            "--heads",
                                                            "2",
                                                            "--feed-forward-width",
                                                            "32",
                                                            "--encoder-layers",
                                                            "1",
                                                            "--decoder-layers",
                                                            "1",
                                                            "--norm-epsilon",
                                                            "1e-6",
                                                            "--normalization",
                                                            "none",
                                                            "--norm",
                                                            "post",
                                                            "--norm-type",
                                                            "layer",
                                                            "--encoder-mixers",
                                                            "attention",
                                                            "--schedule",
                                                            "inverse_sqrt"})
      words.push_back(word);
    const ProgramResult trained = gloss(words);
    ASSERT_EQ(trained.status, 0) << trained.errors;
  }
  native = run + "/best";
  expect_back();
  expect_same_translations();
  EXPECT_EQ(read_file(foreign + "/vocab.spm"), read_file(vocabulary));
}

TEST_F(ExportMarian, ImportedModelsCanBeFineTunedTwice) {
  const std::string original = folder / "original", run = folder / "run",
                    text = folder.write("text", "the cat\na mat\n");
  MarianModel().write(original);
  for (const std::string updates : {"1", "2"}) {
    const ProgramResult tuned = gloss({"finetune", "--quiet", "-m", original, "--source", text, "--target",
                                       text, "--output", run, "--max-updates", updates});
    ASSERT_EQ(tuned.status, 0) << tuned.errors;
  }
  native = run + "/best";
  expect_back();
}

TEST_F(ExportMarian, KeepsRecurrentNetworks) {
  using Kind = MarianRecurrent::Kind;
  for (const Kind& kind :
       {Kind{}, Kind{.norm = true}, Kind{.cell = "lstm"}, Kind{.cell = "lstm", .norm = true},
        Kind{.encoder = "alternating",
        .encoder_depth = 2,
        .decoder_depth = 2,
        .encoder_cells = 2,
        .base_cells = 3,
        .high_cells = 2,
        .norm = true,
        .skip = true},
        Kind{.encoder = "bi-unidirectional", .encoder_depth = 2}, Kind{.type = "amun"},
        Kind{.type = "nematus", .cell = "gru-nematus", .encoder_cells = 2, .base_cells = 4, .norm = true}}) {
    SCOPED_TRACE(kind.type + " " + kind.cell + " " + kind.encoder);
    const std::string original = folder / "original";
    std::filesystem::remove_all(original);
    MarianRecurrent(kind).named().write(original);
    const ProgramResult read = gloss({"import", original, "-o", native, "--overwrite"});
    ASSERT_EQ(read.status, 0) << read.errors;
    expect_back();
    EXPECT_EQ(options()["type"], kind.type == "amun" ? "s2s" : kind.type);
    std::filesystem::remove_all(foreign);
  }
}

TEST_F(ExportMarian, RefusesRecurrentNetworksWithOtherBiases) {
  const std::string original = folder / "original", run = folder / "run",
                    text = folder.write("text", "the cat\na mat\n");
  MarianRecurrent({}).named().write(original);
  ASSERT_EQ(gloss({"finetune", "--quiet", "-m", original, "--source", text, "--target", text, "--output", run,
                   "--max-updates", "1"})
                .status,
            0);
  native = run;
  const ProgramResult result = export_model();
  EXPECT_EQ(result.status, 2) << result.errors;
  EXPECT_TRUE(has(result.errors, ".bias")) << result.errors;
  EXPECT_TRUE(has(result.errors, "numbers other than 0")) << result.errors;
  NetworkSettings network = settings();
  network.architecture = "recurrent";
  native = folder / "native";
  expect_refused(network, "query", "between");
}

TEST_F(ExportMarian, RecordedModelsKeepEverything) {
  GLOSS_NEED_SHARED_DATA(path, "interchange/marian");
  for (const std::string name : {"aan", "amun", "lm-transformer", "nematus", "opus-spm-yml", "s2s-gru",
                                 "s2s-lstm", "student-ssru", "transformer-post", "transformer-pre",
                                 "transformer-rms", "transformer-tied-noproj", "transformer-yml"}) {
    SCOPED_TRACE(name);
    const std::string weights = concat(*path, "/", name, "/model.npz");
    ASSERT_EQ(gloss({"import", weights, "-o", native, "--overwrite"}).status, 0);
    expect_back();
    nlohmann::json config = read_model_config(native), config_back = read_model_config(back);
    for (nlohmann::json* const one : {&config, &config_back}) one->erase("imported");  // amun becomes s2s
    EXPECT_EQ(config, config_back);
    const StoredArrays before = read_npz(weights), after = read_npz(foreign + "/model.npz");
    for (const auto& [array, numbers] : after.all()) {
      if (array.starts_with("special:")) continue;
      const StoredArray* const original = before.find(array);
      if (name == "amun") continue;  // becomes one of the type s2s, which has other names
      ASSERT_NE(original, nullptr) << array;
      EXPECT_EQ(numbers.shape(), original->shape()) << array;
    }
    const bool dummy = name == "amun" || name == "nematus";  // decoder_c_tt, which has no numbers
    EXPECT_EQ(after.all().size(), before.all().size() - (dummy ? 1 : 0));
    std::filesystem::remove_all(foreign);
  }
}

}  // namespace
}  // namespace gloss
