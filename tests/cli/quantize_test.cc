// SPDX-License-Identifier: Apache-2.0
// gloss quantize, and translation with fewer bits, through the real binary.
#include <gtest/gtest.h>

#include <filesystem>
#include <limits>
#include <map>

#include "base/files.h"
#include "model/tensor/can_multiply.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/untrained_model.h"

namespace gloss {
namespace {

struct Quantize : testing::Test {
  Quantize() {
    const Subwords words = small_vocabulary(60);
    std::filesystem::create_directory(folder / "model");
    write_untrained_model(folder / "model", words, words);
    for (int i = 0; i < 40; ++i) text += "the small dog walks home number " + std::to_string(i) + "\n";
  }
  ProgramResult gloss(std::vector<std::string> words, const std::string& input = "") {
    words.insert(words.begin(), kGlossBinary);
    return run_program(words, input);
  }
  std::string translated(const std::string& model, std::vector<std::string> options) {
    options.insert(options.begin(), {"translate", "--quiet", "-m", folder / model});
    const ProgramResult result = gloss(options, text);
    EXPECT_EQ(result.status, 0) << result.errors;
    return result.output;
  }
  TemporaryDirectory folder;
  std::string text;
};

TEST_F(Quantize, AStoredModelTranslatesLikeOneRoundedWhenLoaded) {
  for (const DType number : {DType::bf16, DType::int8}) {
    const std::string type = name_of(number);
    const ProgramResult made =
        gloss({"quantize", "-m", folder / "model", "-o", folder / type, "--type", type});
    ASSERT_EQ(made.status, 0) << made.errors;
    EXPECT_NE(made.errors.find("weights of"), std::string::npos) << made.errors;
    EXPECT_LT(std::filesystem::file_size(folder / (type + "/model.safetensors")),
              std::filesystem::file_size(folder / "model/model.safetensors"));
    const ProgramResult info = gloss({"info", "-m", folder / type});
    EXPECT_EQ(info.status, 0) << info.errors;
    EXPECT_NE(info.output.find(type), std::string::npos) << info.output;
    const std::string scored = translated(type, {"--scores"});
    if (can_multiply(number)) {
      EXPECT_EQ(scored, translated("model", {"--scores", "--precision", type}));
    }
    EXPECT_NE(scored, translated("model", {"--scores"})) << "it is rounded";
  }
}

TEST_F(Quantize, TheOutputDoesNotDependOnBatchesAndThreads) {
  for (const DType type : {DType::f32, DType::bf16, DType::int8}) {
    if (!can_multiply(type)) continue;
    const std::string precision = name_of(type);
    const std::string expected = translated("model", {"--scores", "--precision", precision});
    for (const std::string size : {"1", "3", "40"}) {
      for (const std::string threads : {"1", "4"}) {
        EXPECT_EQ(
            translated("model", {"--scores", "--precision", precision, "--batch-size", size, "-j", threads}),
            expected)
            << precision << ", batches of " << size << ", " << threads << " threads";
      }
    }
  }
}

TEST_F(Quantize, FourBitsAreComputedInEightOrMore) {
  const ProgramResult made =
      gloss({"quantize", "-m", folder / "model", "-o", folder / "int4", "--type", "int4"});
  ASSERT_EQ(made.status, 0) << made.errors;
  ASSERT_EQ(gloss({"quantize", "-m", folder / "model", "-o", folder / "int8"}).status, 0);
  EXPECT_LT(std::filesystem::file_size(folder / "int4/model.safetensors"),
            std::filesystem::file_size(folder / "int8/model.safetensors"));
  const ProgramResult info = gloss({"info", "-m", folder / "int4"});
  EXPECT_NE(info.output.find("int4"), std::string::npos) << info.output;
  const std::string expected = translated("int4", {"--scores"}),
                    wide = translated("int4", {"--scores", "--precision", "f32"});
  EXPECT_NE(wide, translated("model", {"--scores"})) << "it is rounded";
  EXPECT_EQ(expected, translated("int4", {"--scores", "--precision", "int8"}));
  for (const std::string size : {"1", "3", "40"}) {
    for (const std::string threads : {"1", "4"}) {
      EXPECT_EQ(translated("int4", {"--scores", "--batch-size", size, "-j", threads}), expected)
          << "batches of " << size << ", " << threads << " threads";
    }
  }
  // Widened once and for all, it is the same model.
  const ProgramResult mean = gloss({"average", folder / "int4", "-o", folder / "wide"});
  ASSERT_EQ(mean.status, 0) << mean.errors;
  EXPECT_NE(mean.errors.find("int4"), std::string::npos) << mean.errors;
  EXPECT_EQ(translated("wide", {"--scores"}), wide);
  const ProgramResult exported =
      gloss({"export", "-m", folder / "int4", "--format", "ctranslate2", "-o", folder / "ct2"});
  ASSERT_EQ(exported.status, 0) << exported.errors;
  EXPECT_EQ(translated("ct2", {"--scores"}), wide);
}

TEST_F(Quantize, DamagedFourBitWeightsAreNamed) {
  ASSERT_EQ(gloss({"quantize", "-m", folder / "model", "-o", folder / "small", "--type", "int4"}).status, 0);
  const std::string path = folder / "small/model.safetensors", whole = read_file(path);
  std::string config = read_file(folder / "small/config.json");
  config.replace(config.find("\"sums\""), 6, "\"old\" ");  // the sums would refuse every change
  write_file(folder / "small/config.json", config);
  const auto refused = [&](const std::string& from, const std::string& to) {
    std::string bytes = whole;
    const std::size_t at = bytes.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    write_file(path, bytes.replace(at, to.size(), to));
    const ProgramResult result = gloss({"translate", "-m", folder / "small"}, "x\n");
    EXPECT_EQ(result.status, 3);
    return result.errors;
  };
  EXPECT_NE(refused("U8", "I8").find("has shape"), std::string::npos) << "twice as many columns as bytes";
  const std::string scales = refused("weight.scales", "weight.scalez");
  EXPECT_NE(scales.find("unknown tensor"), std::string::npos) << scales;
}

TEST_F(Quantize, NamesMistakes) {
  EXPECT_EQ(gloss({"quantize", "-o", folder / "small"}).status, 2);
  EXPECT_EQ(gloss({"quantize", "-m", folder / "model"}).status, 2);
  const std::string file = folder.write("file", "x");
  const ProgramResult to_file = gloss({"quantize", "-m", folder / "model", "-o", file});
  EXPECT_EQ(to_file.status, 1);  // output that cannot be written
  EXPECT_NE(to_file.errors.find(file), std::string::npos) << to_file.errors;
  EXPECT_EQ(gloss({"quantize", "-m", folder / "none", "-o", folder / "small"}).status, 3);
  const ProgramResult same = gloss({"quantize", "-m", folder / "model", "-o", folder / "model"});
  EXPECT_EQ(same.status, 2);
  EXPECT_NE(same.errors.find("--output"), std::string::npos) << same.errors;
  const ProgramResult type =
      gloss({"quantize", "-m", folder / "model", "-o", folder / "small", "--type", "int3"});
  EXPECT_EQ(type.status, 2);
  EXPECT_NE(type.errors.find("int8"), std::string::npos) << type.errors;
}

TEST_F(Quantize, RefusesTheDirectoryOfATraining) {
  for (const std::string name : {"best", "checkpoint-000020"}) {
    std::filesystem::create_directories(folder / ("run/" + name));
    std::filesystem::copy(folder / "model", folder / ("run/" + name));
  }
  write_file(folder / "run/best/training.json", "{}");
  for (const std::string output : {"run", "run/best"}) {
    const ProgramResult result = gloss({"quantize", "-m", folder / "model", "-o", folder / output});
    EXPECT_EQ(result.status, 2);
    EXPECT_NE(result.errors.find("belongs to a training"), std::string::npos) << result.errors;
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "run/config.json"));
}

TEST_F(Quantize, SaysIfAModelIsQuantisedAlready) {
  const auto quantised = [&](const std::string& from, const std::string& to, const std::string& type) {
    const ProgramResult made = gloss({"quantize", "-m", folder / from, "-o", folder / to, "--type", type});
    EXPECT_EQ(made.status, 0) << made.errors;
    return made.errors;
  };
  EXPECT_EQ(quantised("model", "int8", "int8").find("already"), std::string::npos);
  const std::string again = quantised("int8", "again", "int8"), wider = quantised("int8", "wider", "bf16");
  EXPECT_NE(again.find(folder / "int8 is already stored in int8"), std::string::npos) << again;
  EXPECT_EQ(read_file(folder / "again/model.safetensors"), read_file(folder / "int8/model.safetensors"));
  EXPECT_NE(wider.find(folder / "int8 is stored in int8:"), std::string::npos) << wider;
  const std::string twice = quantised("int8", "twice", "int4"), wide = quantised("twice", "wide", "int8");
  EXPECT_NE(twice.find("rounded a second time"), std::string::npos) << twice;
  EXPECT_NE(wide.find("does not bring back"), std::string::npos) << wide;
}

TEST_F(Quantize, AFailureKeepsTheOldModel) {
  const Subwords others = small_vocabulary(50);
  std::filesystem::create_directory(folder / "small");
  write_untrained_model(folder / "small", others, small_vocabulary(45));
  const auto content = [&] {
    std::map<std::string, std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder / "small")) {
      if (entry.is_regular_file()) files[entry.path().filename()] = read_file(entry.path());
    }
    return files;
  };
  const auto before = content();
  const std::vector<std::string> quantize{kGlossBinary, "quantize",       "-m",         folder / "model",
                                          "-o",         folder / "small", "--overwrite"};
  std::vector<std::string> limited{"/bin/sh", "-c", "ulimit -f 16; exec \"$0\" \"$@\""};  // as on a full disk
  limited.insert(limited.end(), quantize.begin(), quantize.end());
  const ProgramResult failed = run_program(limited);
  EXPECT_EQ(failed.status, 1);
  EXPECT_NE(failed.errors.find("model.safetensors"), std::string::npos) << failed.errors;
  EXPECT_EQ(content(), before);
  EXPECT_EQ(run_program(quantize).status, 0);
  EXPECT_EQ(content().size(), 3u) << "the old tokenizers are removed";
}

TEST_F(Quantize, RefusesWeightsThatAreNotFinite) {
  const std::string path = folder / "model/model.safetensors";
  std::string bytes = read_file(path);
  const float broken = std::numeric_limits<float>::quiet_NaN();
  bytes.replace(bytes.size() - sizeof broken, sizeof broken, reinterpret_cast<const char*>(&broken),
                sizeof broken);
  write_file(path, bytes);
  for (const std::string command : {"quantize", "average"}) {
    const ProgramResult result = command == "quantize"
                                     ? gloss({command, "-m", folder / "model", "-o", folder / "made"})
                                     : gloss({command, folder / "model", "-o", folder / "made"});
    EXPECT_EQ(result.status, 3);
    EXPECT_NE(result.errors.find("decoder.0.feed_forward.outer.bias"), std::string::npos) << result.errors;
    EXPECT_FALSE(std::filesystem::exists(folder / "made"));
  }
  const ProgramResult score =
      gloss({"score", "-m", folder / "model", "--tsv", "-"}, "the small dog\tthe small dog\n");
  EXPECT_EQ(score.status, 3);
  EXPECT_NE(score.errors.find("decoder.0.feed_forward.outer.bias"), std::string::npos) << score.errors;
  EXPECT_EQ(score.output, "");
}

TEST_F(Quantize, DamagedScalesAreNamed) {
  ASSERT_EQ(gloss({"quantize", "-m", folder / "model", "-o", folder / "small"}).status, 0);
  const std::string path = folder / "small/model.safetensors";
  std::string bytes = read_file(path);
  const std::size_t at = bytes.find("weight.scales");
  ASSERT_NE(at, std::string::npos);
  bytes.replace(at, 13, "weight.scalez");
  write_file(path, bytes);
  const ProgramResult result = gloss({"translate", "-m", folder / "small"}, "x\n");
  EXPECT_EQ(result.status, 3);
  EXPECT_NE(result.errors.find("unknown tensor"), std::string::npos) << result.errors;
}

}  // namespace
}  // namespace gloss
