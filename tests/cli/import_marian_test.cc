// SPDX-License-Identifier: Apache-2.0
// gloss import of models of Marian through the real binary.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/json.h"
#include "model/formats/safetensors.h"
#include "tests/support/has.h"
#include "tests/support/marian_model.h"
#include "tests/support/run_program.h"
#include "tests/support/shared_data.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/untrained_program.h"

namespace gloss {
namespace {

constexpr int kWidth = MarianModel::kWidth;

struct ImportMarian : testing::Test {
  ProgramResult gloss(std::vector<std::string> words, const std::string& input = "") const {
    words.insert(words.begin(), kGlossBinary);
    return run_program(words, input);
  }
  ProgramResult import_path(const std::string& path) const {
    return gloss({"import", path, "--output", own, "--overwrite"});
  }
  ProgramResult import_from(const MarianModel& model) const {
    std::filesystem::remove_all(foreign);
    model.write(foreign);
    return import_path(foreign);
  }
  std::string translations(std::vector<std::string> more = {}) const {
    std::vector<std::string> words{"translate", "-m",          own, "--max-length",     "9", "--n-best",
                                   "3",         "--beam-size", "4", "--length-penalty", "1"};
    words.insert(words.end(), more.begin(), more.end());
    const ProgramResult result = gloss(words, "the cat sat\non the mat\n\na cat\n");
    EXPECT_EQ(result.status, 0) << result.errors;
    return result.output;
  }
  void expect_refused(const ProgramResult& result, const std::vector<std::string>& names) const {
    EXPECT_EQ(result.status, 3) << result.errors;
    for (const std::string& name : names) EXPECT_TRUE(has(result.errors, name)) << name << result.errors;
  }
  void expect_refused(const MarianModel& model, const std::vector<std::string>& names) const {
    expect_refused(import_from(model), names);
    EXPECT_FALSE(std::filesystem::exists(own + "/config.json"));
  }
  /// One number of a weight in the model directory.
  float weight(const std::string& name, std::int64_t row, std::int64_t column) const {
    const SafetensorsFile file(own + "/model.safetensors");
    const NamedArray& array = file.arrays().at(name);
    return static_cast<const float*>(array.data)[row * array.shape.columns() + column];
  }

  TemporaryDirectory folder;
  std::string foreign = folder / "foreign", own = folder / "own";
};

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
  EXPECT_EQ(weight("decoder.0.self_attention.query_key_value.weight", kWidth + 2, 5),
            foreign_at("decoder_l1_self_Wk", 5, 2));
  EXPECT_EQ(weight("decoder.0.cross_attention.key_value.weight", kWidth + 1, 7),
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
  ssru.add("decoder_l1_rnn_W", {kWidth, kWidth});
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
    deep.add_linear(name, "3", MarianModel::kInner, kWidth);
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
  model.add("encoder_l1_ffn_W1", {MarianModel::kInner, kWidth});
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

std::vector<std::string> lines_of(const std::string& path) { return output_lines(read_file(path)); }

/// A model of Marian with texts and what Marian computed from them.
struct Recorded {
  std::string text = "input.txt", references = "ref.txt", greedy = "greedy.txt";
  /// Texts with as many tokens as the lines have, by which Marian limited the lengths.
  std::string tokens = "input.ids.txt";
  /// Lines whose greedy translations may differ: ties, or outputs of untrained models.
  int may_differ = 0;
  std::string scores = "scores.txt";  ///< empty: not compared
};

struct MarianRecorded : ImportMarian {
  /// Lines of greedy translations; spaces at the end do not count.
  std::vector<std::string> translate(const std::string& text, const std::vector<std::string>& more) const {
    std::vector<std::string> words{"translate", "-m", own, "--beam-size", "1", "--precision", "f32"};
    words.insert(words.end(), more.begin(), more.end());
    const ProgramResult result = gloss(words, text);
    EXPECT_EQ(result.status, 0) << result.errors;
    return without_last_spaces(output_lines(result.output));
  }
  static std::vector<std::string> without_last_spaces(std::vector<std::string> lines) {
    for (std::string& line : lines) line.resize(line.find_last_not_of(' ') + 1);
    return lines;
  }
  /// Marian's limit is three times the source tokens, with the end token.
  std::string limited(const std::string& line, const std::string& tokens,
                      std::vector<std::string> more) const {
    const std::vector<std::string> words = split(tokens, ' ');
    const auto count =
        1 + std::ranges::count_if(words, [](const std::string& word) { return !word.empty(); });
    more.insert(more.end(), {"--max-length", std::to_string(3 * count), "--max-length-factor", "100"});
    return translate(line + "\n", more).at(0);
  }

  void expect_recorded(const Recorded& recorded, const std::string& path, const std::string& model = "",
                       std::vector<std::string> more = {}) const {
    const std::string files = path + "/";
    const ProgramResult result = import_path(path + model);
    ASSERT_EQ(result.status, 0) << result.errors;
    EXPECT_FALSE(has(result.errors, "not used")) << result.errors;
    const std::vector<std::string> lines = lines_of(files + recorded.text),
                                   tokens = lines_of(files + recorded.tokens),
                                   expected = without_last_spaces(lines_of(files + recorded.greedy));
    std::vector<std::string> all = more;
    all.insert(all.end(), {"--max-length-factor", "3"});
    const std::vector<std::string> found = translate(read_file(files + recorded.text), all);
    ASSERT_EQ(found.size(), expected.size());
    int differ = 0;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (found[i] == expected[i]) continue;
      const std::string again = limited(lines[i], tokens[i], more);
      if (again == expected[i] || ++differ <= recorded.may_differ) continue;
      EXPECT_EQ(again, expected[i]) << "line " << i + 1;
    }
    if (recorded.scores.empty()) return;
    expect_scores(files + recorded.text, files + recorded.references, files + recorded.scores);
  }
  /// The log-probabilities of reference translations, or of text if there is no source.
  void expect_scores(const std::string& source, const std::string& target,
                     const std::string& expected) const {
    std::vector<std::string> words{"score", "-m", own, "--precision", "f32", "--format", "json"};
    if (source.empty()) {
      words.insert(words.end(), {"--input", target});
    } else {
      words.insert(words.end(), {"--source", source, "--target", target});
    }
    const ProgramResult result = gloss(words);
    ASSERT_EQ(result.status, 0) << result.errors;
    const std::vector<nlohmann::json> scores = json_lines(result.output);
    const std::vector<std::string> recorded = lines_of(expected);
    ASSERT_EQ(scores.size(), recorded.size());
    double largest = 0;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      if (scores[i]["tokens"] == 0) continue;  // a pair of blank lines
      const double difference = scores[i]["log_probability"].get<double>() - std::stod(recorded[i]);
      largest = std::max(largest, std::abs(difference));
      EXPECT_NEAR(difference, 0, 1e-3) << "line " << i + 1;
    }
    RecordProperty("largest_difference", std::to_string(largest));
  }
};

TEST_F(MarianRecorded, PostNorm) {
  GLOSS_NEED_SHARED_DATA(path, "interchange/marian/transformer-post");
  expect_recorded({}, *path);
}
TEST_F(MarianRecorded, PreNorm) {
  GLOSS_NEED_SHARED_DATA(path, "interchange/marian/transformer-pre");
  expect_recorded({}, *path);
}
TEST_F(MarianRecorded, Words) {
  GLOSS_NEED_SHARED_DATA(path, "interchange/marian/transformer-yml");
  // Marian does not translate a line that begins with the word </s>.
  expect_recorded({.tokens = "input.txt", .may_differ = 1}, *path);
}
TEST_F(MarianRecorded, PackageOfOpus) {
  GLOSS_NEED_SHARED_DATA(path, "interchange/marian/opus-spm-yml");
  expect_recorded(
      {.text = "input.raw.txt", .greedy = "greedy.detok.txt", .tokens = "input.txt", .scores = ""}, *path);
}
TEST_F(MarianRecorded, Ssru) {
  GLOSS_NEED_SHARED_DATA(path, "interchange/marian/student-ssru");
  expect_recorded({}, *path);
  expect_recorded({}, *path, "/model.float32.bin");
}
TEST_F(MarianRecorded, QuantisedToSixteenBits) {
  GLOSS_NEED_SHARED_DATA(path, "interchange/marian/student-ssru");
  expect_recorded({.greedy = "greedy.int16.txt", .scores = ""}, *path, "/model.intgemm16.bin");
}
TEST_F(MarianRecorded, EveryOrderOfEightBits) {
  GLOSS_NEED_SHARED_DATA(path, "interchange/marian/student-ssru");
  std::string first;
  for (const std::string name : {"intgemm8", "intgemm8ssse3", "intgemm8avx2", "intgemm8avx512"}) {
    ASSERT_EQ(import_path(concat(*path, "/model.", name, ".bin")).status, 0);
    const ProgramResult result = gloss({"translate", "-m", own, "--precision", "f32", "--beam-size", "1"},
                                       read_file(*path + "/input.txt"));
    ASSERT_EQ(result.status, 0) << result.errors;
    if (first.empty()) first = result.output;
    EXPECT_EQ(result.output, first) << name;
  }
}
TEST_F(MarianRecorded, AverageAttention) {
  GLOSS_NEED_SHARED_DATA(path, "interchange/marian/aan");
  expect_recorded({}, *path);
}
TEST_F(MarianRecorded, SharedLayersWithoutProjection) {
  GLOSS_NEED_SHARED_DATA(path, "interchange/marian/transformer-tied-noproj");
  expect_recorded({}, *path);
}
TEST_F(MarianRecorded, RmsNorm) {
  GLOSS_NEED_SHARED_DATA(path, "interchange/marian/transformer-rms");
  expect_recorded({}, *path);
}
TEST_F(MarianRecorded, RecurrentNetworks) {
  for (const std::string name : {"s2s-gru", "s2s-lstm", "amun", "nematus"}) {
    GLOSS_NEED_SHARED_DATA(path, "interchange/marian/" + name);
    SCOPED_TRACE(name);
    expect_recorded({}, *path);
  }
}
TEST_F(MarianRecorded, LanguageModel) {
  GLOSS_NEED_SHARED_DATA(path, "interchange/marian/lm-transformer");
  ASSERT_EQ(import_path(*path).status, 0);
  expect_scores("", *path + "/ref.txt", *path + "/scores.txt");
}
TEST_F(MarianRecorded, Shortlists) {
  GLOSS_NEED_SHARED_DATA(path, "interchange/marian/student-ssru");
  const auto expect_equal = [&](const std::string& list, const std::string& greedy,
                                const std::vector<std::string>& options) {
    std::vector<std::string> more{"--shortlist", concat(*path, "/", list)};
    more.insert(more.end(), options.begin(), options.end());
    expect_recorded({.greedy = greedy, .scores = ""}, *path, "", more);
  };
  const std::vector<std::string> fifty{"--shortlist-first", "50", "--shortlist-best", "50"};
  expect_equal("lex.s2t.txt", "greedy.shortlist.txt", fifty);
  expect_equal("lex.50.50.bin", "greedy.shortlist-bin.txt", {});
  expect_equal("lex.s2t.txt", "greedy.shortlist-10-5.txt",
               {"--shortlist-first", "10", "--shortlist-best", "5", "--shortlist-threshold", "0.01"});
}

}  // namespace
}  // namespace gloss
