// SPDX-License-Identifier: Apache-2.0
// Outputs that are parts of inputs which no option names: files of models and trainings, and files that
// lists, values and models refer to. Each is refused, and nothing changes.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "base/files.h"
#include "tests/support/marian_model.h"
#include "tests/support/untrained_program.h"

namespace gloss {
namespace {

namespace fs = std::filesystem;

class OutputInInput : public UntrainedModels {
 protected:
  OutputInInput() {
    fs::copy(*folder / "a", model);
    fs::create_directory(run);
    fs::copy(model, run + "/checkpoint-000010");
    fs::create_directory_symlink("checkpoint-000010", run + "/best");
    files.write("run/train.log.jsonl",
                "{\"cross_entropy\":3,\"epoch\":1,\"event\":\"report\",\"update\":1}\n");
  }

  /// The contents of all files, by their paths.
  std::map<std::string, std::string> contents() const {
    std::map<std::string, std::string> all;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(files.path())) {
      if (entry.is_regular_file()) all[entry.path()] = read_file(entry.path());
    }
    return all;
  }
  /// Expects that a command is refused with a message that names `output`, and that all files stay.
  void expect_refused(std::vector<std::string> words, const std::string& output) const {
    const std::map<std::string, std::string> before = contents();
    words.insert(words.begin(), kGlossBinary);
    const ProgramResult result = run_program(words, "");
    expect_failure(result, 2, output);
    EXPECT_EQ(result.output, "");
    EXPECT_TRUE(contents() == before) << join(words, " ");
  }

  TemporaryDirectory files;
  std::string model = files / "model", run = files / "run";
  std::string text = files.write("text", "the cat\n"), pairs = files.write("pairs", "the cat\tthe cat\n");
};

TEST_F(OutputInInput, NothingIsWrittenIntoAModel) {
  const std::vector<std::vector<std::string>> commands{
      {"translate", "-i", text, "-o"},         {"translate", "-i", text, "-o", files / "out", "--report"},
      {"translate", "-i", text, "--log-json"}, {"embed", "-i", text, "-o"},
      {"score", "--tsv", pairs, "-o"},         {"align", "--tsv", pairs, "--html"},
      {"shortlist", "--tsv", pairs, "-o"},     {"info", "--log-json"},
      {"quantize", "--overwrite", "-o"},       {"export", "--format", "ctranslate2", "-o"}};
  fs::create_directory_symlink("model", files / "link");
  for (const std::vector<std::string>& command : commands) {
    for (const std::string output : {"model/model.safetensors", "model/new", "link/config.json"}) {
      std::vector<std::string> words = command;
      words.insert(words.end(), {files / output, "-m", model});
      expect_refused(words, files / output);
    }
  }
  expect_refused({"average", model, "-o", model + "/mean"}, model + "/mean");
  expect_refused({"generate", "-m", *folder / "lm", "-o", *folder / "lm/config.json"}, "lm/config.json");
  // Beside the model, the same names are free, and also a link in the model that leads out of it.
  fs::create_symlink(files / "out", model + "/out");
  std::ofstream(files / "out") << "old\n";
  EXPECT_EQ(run_program({kGlossBinary, "translate", "-m", model, "-i", text, "-o", model + "/out"}).status,
            0);
  EXPECT_NE(files.read("out"), "old\n");
}

TEST_F(OutputInInput, NothingIsWrittenIntoATraining) {
  for (const std::string output : {"run/train.log.jsonl", "run/best/config.json", "run/curves.svg"}) {
    expect_refused({"plot", run, "--format", "svg", "-o", files / output}, files / output);
    expect_refused({"translate", "-m", run, "-i", text, "-o", files / output}, files / output);
    expect_refused({"plot", run, "--format", "text", "--log-json", files / output}, files / output);
  }
  expect_refused({"translate", "-m", run + "/checkpoint-000010", "-i", text, "-o", run + "/best/config.json"},
                 "best/config.json");
  // The model of a training is a part of it.
  for (const char* read : {"/best", "/checkpoint-000010"}) {
    expect_refused({"translate", "-m", run + read, "-i", text, "-o", run + "/new"}, run + "/new");
    expect_refused({"quantize", "-m", run + read, "-o", run + "/int8"}, "such as " + files / "int8");
  }
  expect_refused({"average", run + "/checkpoint-000010", "-o", run + "/mean"}, run + "/mean");
  expect_refused({"average", run + "/best", "--overwrite", "-o", run}, run);
  const ProgramResult beside =
      run_program({kGlossBinary, "translate", "-m", run + "/best", "-i", text, "-o", files / "new"});
  EXPECT_EQ(beside.status, 0) << beside.errors;
  for (const std::string output : {"run", "run/best"}) {
    expect_refused({"plot", run, "--format", "tensorboard", "-o", files / output}, files / output);
    expect_refused({"average", run + "/best", "--overwrite", "-o", files / output}, files / output);
  }
  expect_refused({"finetune", "--from", run, "-o", run + "/more", "--tsv", pairs}, run + "/more");
}

TEST_F(OutputInInput, AModelMayReferToOtherFiles) {
  const std::string vocabulary = files / "vocabulary";
  fs::rename(model + "/tokenizer.model", vocabulary);
  fs::create_symlink(vocabulary, model + "/tokenizer.model");
  expect_refused({"translate", "-m", model, "-i", text, "-o", vocabulary}, vocabulary);
  expect_refused({"translate", "-m", model, "-i", text, "--log-json", vocabulary}, vocabulary);
  expect_refused({"encode", "-t", model + "/tokenizer.model", "-i", text, "-o", vocabulary}, vocabulary);
  // The model that is replaced has a file of the one that is read.
  fs::copy(*folder / "b", files / "other");
  fs::remove(model + "/tokenizer.model");
  fs::create_symlink("../other/tokenizer.model", model + "/tokenizer.model");
  const std::string other = files / "other";
  expect_refused({"quantize", "-m", model, "-o", other, "--overwrite"}, "tokenizer.model");
  expect_refused({"export", "-m", model, "--format", "huggingface", "-o", other, "--overwrite"},
                 "tokenizer.model");
  expect_refused({"average", model, "-o", other, "--overwrite"}, "tokenizer.model");
}

TEST_F(OutputInInput, FilesBesideWeightsOfMarianBelongToThem) {
  MarianModel().write(files / "marian");
  const std::string weights = files / "marian/model.npz";
  std::size_t read = 0;
  for (const std::string& name : names_in(files / "marian")) {
    const std::string output = concat(files / "marian", "/", name), old = read_file(output);
    const ProgramResult result =
        run_program({kGlossBinary, "translate", "-m", weights, "-i", text, "-o", output});
    if (result.status == 0) {  // the file is not read
      files.write("marian/" + name, old);
      continue;
    }
    expect_failure(result, 2, output);
    EXPECT_EQ(read_file(output), old);
    ++read;
  }
  EXPECT_GE(read, 3u) << "weights, settings, vocabulary";
  // What an export or import of gloss would remove there may be what is imported.
  expect_refused({"import", weights, "-o", files / "marian", "--overwrite"}, "model.npz");
}

TEST_F(OutputInInput, AValueMayNameAFile) {
  const std::string vocabulary = files / "vocabulary", list = files / "list";
  fs::copy_file(model + "/tokenizer.model", vocabulary);
  files.write("list", "0 ||| the cat ||| F= 1 ||| -1\n0 ||| a cat ||| F= 1 ||| -2\n");
  expect_refused({"rerank", "--mbr", "bleu", "--tokenize", "spm=" + vocabulary, list, "-o", vocabulary},
                 vocabulary);
  expect_refused({"compare", text, text, pairs, "--tokenize", "spm=" + vocabulary, "--html", vocabulary},
                 vocabulary);
}

TEST_F(OutputInInput, ALogOfEventsIsNotAddedToOtherFiles) {
  for (const std::string& path : {text, run + "/train.log.jsonl", files.write("short", "{")}) {
    expect_refused({"translate", "-m", model, "-i", pairs, "-o", files / "out", "--log-json", path}, path);
  }
  const std::string translate = concat("\"", kGlossBinary, "\" translate -m ", model, " -i ", text, " -q");
  const auto shell = [](const std::string& command) {
    return run_program({"/bin/bash", "-c", command}).status;
  };
  EXPECT_EQ(shell(translate + " --log-json /dev/stderr 2>> " + pairs), 0);
  files.write("log", "");
  for (int i = 0; i < 2; ++i) EXPECT_EQ(shell(translate + " --log-json " + files / "log"), 0);
}

}  // namespace
}  // namespace gloss
