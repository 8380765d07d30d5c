// SPDX-License-Identifier: Apache-2.0
// gloss export --format marian through the real binary.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/files.h"
#include "model/formats/npz.h"
#include "model/formats/yaml.h"
#include "tests/support/has.h"
#include "tests/support/marian_recurrent.h"
#include "tests/support/run_program.h"
#include "tests/support/shared_data.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/untrained_model.h"
#include "tests/support/untrained_program.h"

namespace gloss {
namespace {

/// A vocabulary without a begin piece, as Marian's are.
Subwords vocabulary_of_marian(int size) {
  Listener silent;
  SubwordSettings settings;
  settings.size = size;
  settings.begin_piece = false;
  int line = 0;
  const auto next = [&](std::string& text) {
    text = "the small dog sees a big house and walks home number " + std::to_string(line);
    return line++ < 100;
  };
  return learn_subwords(next, settings, 1, silent);
}

struct ExportMarian : testing::Test {
  static ProgramResult gloss(std::vector<std::string> words, const std::string& input = "") {
    words.insert(words.begin(), kGlossBinary);
    return run_program(words, input);
  }
  ProgramResult export_model() const {
    return gloss({"export", "-m", native, "--format", "marian", "-o", foreign, "--overwrite"});
  }
  NetworkSettings settings() const {
    NetworkSettings network = small_network(pieces, pieces, 1024);
    set_vocabulary(network, {pieces.size(), pieces.size(), pieces.begin_id(), pieces.end_id()});
    network.own<TransformerSettings>().norm_epsilon = 1e-6;
    network.sizes.tied_embeddings = TiedEmbeddings::all;
    return network;
  }
  void write_native(const NetworkSettings& network) const {
    std::filesystem::remove_all(native);
    std::filesystem::create_directory(native);
    write_random_model(native, network, pieces, pieces, 3);
  }
  /// Expects that the model has the same settings, weights and tokenizers after export and import.
  void expect_back() const {
    const ProgramResult written = export_model();
    ASSERT_EQ(written.status, 0) << written.errors;
    const ProgramResult read = gloss({"import", foreign, "-o", back, "--overwrite"});
    ASSERT_EQ(read.status, 0) << read.errors;
    EXPECT_FALSE(has(read.errors, "not used")) << read.errors;
    EXPECT_EQ(read_file(native + "/model.safetensors"), read_file(back + "/model.safetensors"));
    nlohmann::json before = read_model_config(native)["network"], after = read_model_config(back)["network"];
    for (const std::string training :
         {"dropout", "embedding_dropout", "attention_dropout", "activation_dropout"}) {
      before.erase(training);
      after.erase(training);
    }
    EXPECT_EQ(before, after);
    const TokenizerPaths ours = tokenizer_paths(native), theirs = tokenizer_paths(back);
    EXPECT_EQ(read_file(ours.source), read_file(theirs.source));
    EXPECT_EQ(read_file(ours.target), read_file(theirs.target));
  }
  void expect_kept(const NetworkSettings& network) const {
    write_native(network);
    expect_back();
  }
  void expect_same_translations() const {
    const auto translate = [&](const std::string& model) {
      return gloss({"translate", "-m", model, "--max-length", "10", "--n-best", "2"},
                   "the small dog\na big house\n\nwalks home\n");
    };
    const ProgramResult before = translate(native), after = translate(back);
    EXPECT_EQ(before.status, 0) << before.errors;
    EXPECT_GT(before.output.size(), 20u);
    EXPECT_EQ(before.output, after.output) << after.errors;
  }
  /// Expects that a model is refused with a message that names a setting and its value.
  void expect_refused(const NetworkSettings& network, const std::string& setting,
                      const std::string& value) const {
    write_native(network);
    const ProgramResult result = export_model();
    EXPECT_EQ(result.status, 2) << setting << result.errors;
    EXPECT_TRUE(has(result.errors, setting)) << result.errors;
    EXPECT_TRUE(has(result.errors, value)) << result.errors;
    EXPECT_FALSE(std::filesystem::exists(foreign)) << setting;
  }
  nlohmann::json options() const {
    const std::string text = read_npz(foreign + "/model.npz").at("special:model.yml").bytes(1 << 16);
    return parse_yaml(text.substr(0, text.find('\0')), "special:model.yml");
  }

  TemporaryDirectory folder;
  std::string native = folder / "native", foreign = folder / "foreign", back = folder / "back";
  Subwords pieces = vocabulary_of_marian(45);
};

TEST_F(ExportMarian, KeepsEmbeddingsOfEveryKind) {
  for (const TiedEmbeddings tied :
       {TiedEmbeddings::none, TiedEmbeddings::target, TiedEmbeddings::inputs, TiedEmbeddings::all}) {
    NetworkSettings network = settings();
    network.sizes.tied_embeddings = tied;
    network.sizes.output_bias = tied == TiedEmbeddings::target;
    expect_kept(network);
  }
  expect_same_translations();
}

TEST_F(ExportMarian, KeepsTransformersOfEveryKind) {
  NetworkSettings network = settings();
  network.sizes.encoder_layers = 2;
  network.sizes.decoder_layers = 3;
  network.sizes.output_bias = true;
  auto& own = network.own<TransformerSettings>();
  own.decoder_feed_forward_width = 48;
  own.feed_forward_depth = 3;
  own.activation = Activation::gelu_exact;
  own.decoder_layer_weights = {"1", "2", "1"};
  own.embedding_norm = true;
  expect_kept(network);
  own.norm = NormPlacement::pre;
  own.raw_past = true;
  own.attention_projection = false;
  own.activation = Activation::swish;
  expect_kept(network);
  own.norm_type = NormType::rms;
  expect_kept(network);
  expect_same_translations();
  own.embedding_norm = own.raw_past = false;
  own.norm = NormPlacement::steps;
  own.steps_before = "d";
  own.steps_after = "dnar";
  own.steps_top = "ar";
  expect_kept(network);
}

TEST_F(ExportMarian, KeepsDecodersWithoutSelfAttention) {
  NetworkSettings network = settings();
  auto& own = network.own<TransformerSettings>();
  own.decoder_autoregression = Autoregression::ssru;
  expect_kept(network);
  own.norm = NormPlacement::pre;  // nothing to normalise but the input
  expect_kept(network);
  own.norm = NormPlacement::post;
  own.decoder_autoregression = Autoregression::average;
  for (const bool gate : {true, false}) {
    own.average_gate = gate;
    own.average_width = gate ? 32 : 24;
    own.average_depth = gate ? 1 : 2;
    own.average_activation = gate ? Activation::relu : Activation::swish;
    expect_kept(network);
  }
  own.average_depth = 0;
  own.average_gate = true;
  expect_kept(network);
  expect_same_translations();
}

TEST_F(ExportMarian, KeepsLanguageModels) {
  NetworkSettings network = settings();
  network.sizes.encoder_layers = 0;
  network.own<TransformerSettings>().norm = NormPlacement::pre;
  expect_kept(network);
  network.sizes.tied_embeddings = TiedEmbeddings::none;
  expect_kept(network);
  EXPECT_EQ(options()["type"], "lm-transformer");
  EXPECT_EQ(options()["dim-vocabs"], nlohmann::json({45}));
}

TEST_F(ExportMarian, HasWhatItsProgramReads) {
  NetworkSettings network = settings();
  network.sizes.output_bias = true;
  write_native(network);
  const ProgramResult written = export_model();
  ASSERT_EQ(written.status, 0) << written.errors;
  EXPECT_TRUE(has(written.errors, "nfkc")) << written.errors;
  const ForeignArrays arrays = read_npz(foreign + "/model.npz");
  const auto shape = [&](const std::string& name) { return arrays.at(name).shape(); };
  using Sizes = std::vector<std::int64_t>;
  EXPECT_EQ(shape("Wemb"), (Sizes{45, 32}));
  EXPECT_EQ(shape("encoder_l1_ffn_W1"), (Sizes{32, 64}));
  EXPECT_EQ(shape("decoder_l1_context_Wv"), (Sizes{32, 32}));
  EXPECT_EQ(shape("decoder_l1_self_Wo_ln_scale"), (Sizes{1, 32}));
  EXPECT_EQ(shape("decoder_ff_logit_out_b"), (Sizes{1, 45}));
  EXPECT_EQ(shape("special:model.yml").front() % 256, 0);
  const nlohmann::json all = options();
  EXPECT_EQ(all["type"], "transformer");
  EXPECT_EQ(all["dim-vocabs"], nlohmann::json({45, 45}));
  EXPECT_EQ(all["transformer-heads"], 2);
  EXPECT_EQ(all["transformer-postprocess"], "dan");
  EXPECT_EQ(all["transformer-ffn-activation"], "relu");
  EXPECT_EQ(all["tied-embeddings-all"], true);
  EXPECT_EQ(all["output-omit-bias"], false);
  const nlohmann::json decoder = read_yaml(foreign + "/model.npz.decoder.yml");
  EXPECT_EQ(decoder["relative-paths"], true);
  EXPECT_EQ(decoder["models"], nlohmann::json({"model.npz"}));
  EXPECT_EQ(decoder["vocabs"], nlohmann::json({"vocab.spm", "vocab.spm"}));
  EXPECT_EQ(decoder["beam-size"], 5);
  EXPECT_EQ(decoder["normalize"], 1);
  EXPECT_EQ(decoder["allow-unk"], true);
  EXPECT_EQ(folder.read("foreign/vocab.spm"), pieces.bytes());
}

TEST_F(ExportMarian, TheSameModelGivesTheSameBytes) {
  write_native(settings());
  ASSERT_EQ(export_model().status, 0);
  const std::string before = folder.read("foreign/model.npz");
  ASSERT_EQ(export_model().status, 0);
  EXPECT_EQ(folder.read("foreign/model.npz"), before);
}

TEST_F(ExportMarian, StoredInt8BecomesF32) {
  write_native(settings());
  const std::string small = folder / "small";
  ASSERT_EQ(gloss({"quantize", "-m", native, "-o", small}).status, 0);
  ASSERT_EQ(gloss({"export", "-m", small, "--format", "marian", "-o", foreign}).status, 0);
  ASSERT_EQ(gloss({"import", foreign, "-o", back}).status, 0);
  const std::string again = folder / "again";
  ASSERT_EQ(gloss({"quantize", "-m", back, "-o", again}).status, 0);
  EXPECT_EQ(read_file(small + "/model.safetensors"), read_file(again + "/model.safetensors"));
}

TEST_F(ExportMarian, ImportedModelsAreWrittenAsTheyWere) {
  const std::string original = folder / "original";
  MarianModel model;
  model.write(original);
  ASSERT_EQ(gloss({"import", original, "-o", native}).status, 0);
  expect_back();
  const ForeignArrays before = read_npz(original + "/model.npz"), after = read_npz(foreign + "/model.npz");
  ASSERT_EQ(before.all().size(), after.all().size());
  for (const auto& [name, array] : before.all()) {
    if (name.starts_with("special:")) continue;
    const ForeignArray& other = after.at(name);
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

TEST_F(ExportMarian, RefusesWhatItsProgramDoesNotHave) {
  const auto with = [&](auto change) {
    NetworkSettings network = settings();
    change(network, network.own<TransformerSettings>());
    return network;
  };
  using Own = TransformerSettings;
  expect_refused(with([](NetworkSettings&, Own& own) { own.norm_epsilon = 1e-5; }), "norm_epsilon",
                 "0.00001");
  expect_refused(with([](NetworkSettings&, Own& own) { own.norm = NormPlacement::pre; }), "raw_past",
                 "false");
  expect_refused(with([](NetworkSettings&, Own& own) { own.activation = Activation::gelu; }), "activation",
                 "gelu");
  expect_refused(with([](NetworkSettings&, Own& own) { own.positions = Positions::learned; }), "positions",
                 "learned");
  expect_refused(with([](NetworkSettings&, Own& own) { own.positions = Positions::none; }), "positions",
                 "none");
  expect_refused(with([](NetworkSettings&, Own& own) { own.gated_feed_forward = true; }),
                 "gated_feed_forward", "true");
  expect_refused(with([](NetworkSettings& network, Own&) { network.sizes.scale_embeddings = false; }),
                 "scale_embeddings", "false");
  expect_refused(with([](NetworkSettings& network, Own&) { network.begin_token = 2; }), "begin_token", "2");
  expect_refused(with([](NetworkSettings& network, Own&) {
                   network.sizes.decoder_layers = 0;
                   network.begin_token = 0;
                 }),
                 "decoder_layers", "0");
}

TEST_F(ExportMarian, RefusesClassifiers) {
  NetworkSettings network = settings();
  network.sizes.decoder_layers = 0;
  network.classifier.classes = 3;
  network.begin_token = 0;
  expect_refused(network, "classes", "3");
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
    for (const std::string& word : std::vector<std::string>{
             "--tokenizer",      vocabulary, "--output",         run, "--max-updates",        updates,
             "--width",          "16",       "--heads",          "2", "--feed-forward-width", "32",
             "--encoder-layers", "1",        "--decoder-layers", "1", "--norm-epsilon",       "1e-6",
             "--normalization",  "none"})
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
    EXPECT_EQ(read_file(native + "/config.json"), read_file(back + "/config.json"));
    const ForeignArrays before = read_npz(weights), after = read_npz(foreign + "/model.npz");
    for (const auto& [array, numbers] : after.all()) {
      if (array.starts_with("special:")) continue;
      const ForeignArray* const original = before.find(array);
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
