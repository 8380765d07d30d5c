// SPDX-License-Identifier: Apache-2.0
// Directories of transformers with tokenizer.json instead of older files.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/base64.h"
#include "tests/support/has.h"
#include "tests/support/hugging_face_encoders.h"
#include "tests/support/hugging_face_relatives.h"
#include "tests/support/hugging_face_t5.h"
#include "tests/support/run_program.h"
#include "tests/support/shared_data.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/tokenizer_json.h"
#include "tests/support/untrained_program.h"
#include "tokenizer/model_writer.h"

namespace gloss {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

struct ImportTokenizerJson : testing::Test {
  ProgramResult import_path(const std::string& path, const std::string& to) const {
    return run_program({kGlossBinary, "import", path, "--output", to, "--overwrite"});
  }
  ProgramResult import_from(const HuggingFaceDirectory& model, const std::string& to) const {
    fs::remove_all(folder / "foreign");
    model.write(folder / "foreign");
    return import_path(folder / "foreign", to);
  }
  std::string tokenizer(const std::string& model) const { return read_file(model + "/tokenizer.model"); }
  std::string ids(const std::string& model, const std::string& text) const {
    const ProgramResult result =
        run_program({kGlossBinary, "encode", "-t", model + "/tokenizer.model", "--output-type", "id"}, text);
    EXPECT_EQ(result.status, 0) << result.errors;
    return result.output;
  }
  void expect_refused(const HuggingFaceDirectory& model, const std::vector<std::string>& names) const {
    const ProgramResult result = import_from(model, own);
    EXPECT_EQ(result.status, 3) << result.errors;
    for (const std::string& name : names) EXPECT_TRUE(has(result.errors, name)) << name << result.errors;
  }
  /// A copy of a recorded directory without these files, with a tokenizer.json.
  std::string copy_of(const std::string& path, const std::vector<std::string>& without,
                      const json& file) const {
    const std::string to = folder / "copy";
    fs::remove_all(to);
    fs::create_directories(to);
    for (const fs::directory_entry& entry : fs::directory_iterator(path)) {
      const std::string name = entry.path().filename();
      const bool left_out = std::ranges::count(without, name) > 0;
      if (!left_out) fs::create_symlink(entry.path(), to + "/" + name);
    }
    folder.write("copy/tokenizer.json", file.dump());
    return to;
  }
  static std::string texts_of(const std::string& path) {
    std::string texts;
    const json tokens = read_json(path + "/tokens.json");
    for (const json& entry : tokens.at("sentences")) {
      std::string text = entry.at("text");
      if (text.find('\n') == std::string::npos) texts += text + "\n";
    }
    return texts;
  }

  TemporaryDirectory folder;
  std::string old = folder / "old", own = folder / "own";
};

TEST_F(ImportTokenizerJson, BytePairs) {
  HuggingFaceGpt2 model;
  ASSERT_EQ(import_from(model, old).status, 0);
  const json vocabulary = json::parse(model.files["vocab.json"]);
  const std::string merges = model.files["merges.txt"];
  model.files.clear();
  for (const bool as_lists : {false, true}) {
    json file = TokenizerJsonOf::byte_pairs(vocabulary, merges, as_lists);
    TokenizerJsonOf::add_token(file, 7, "<|endoftext|>");
    model.files["tokenizer.json"] = file.dump();
    const ProgramResult result = import_from(model, own);
    ASSERT_EQ(result.status, 0) << result.errors;
    EXPECT_EQ(tokenizer(own), tokenizer(old));
  }
}

TEST_F(ImportTokenizerJson, WordPieces) {
  HuggingFaceBert model(true);
  ASSERT_EQ(import_from(model, old).status, 0);
  const std::string vocabulary = model.files["vocab.txt"];
  model.files.clear();
  json file = TokenizerJsonOf::word_pieces(vocabulary, true);
  for (const auto& [id, text] :
       std::map<int, std::string>{{0, "[PAD]"}, {1, "[UNK]"}, {2, "[CLS]"}, {3, "[SEP]"}, {4, "[MASK]"}})
    TokenizerJsonOf::add_token(file, id, text);
  model.files["tokenizer.json"] = file.dump();
  const ProgramResult result = import_from(model, own);
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_EQ(tokenizer(own), tokenizer(old));
  file["normalizer"]["lowercase"] = false;
  model.files["tokenizer.json"] = file.dump();
  ASSERT_EQ(import_from(model, own).status, 0);
  EXPECT_NE(ids(own, "The\n"), ids(own, "the\n")) << "cased";
  model.files["tokenizer_config.json"] = R"({"do_lower_case": true})";
  ASSERT_EQ(import_from(model, own).status, 0);
  EXPECT_EQ(ids(own, "The\n"), ids(own, "the\n")) << "the settings override the file";
}

TEST_F(ImportTokenizerJson, Unigram) {
  std::vector<Piece> all{
      {"<unk>", 0, PieceType::unknown}, {"<s>", 0, PieceType::control}, {"</s>", 0, PieceType::control}};
  for (const std::string text : {"▁the", "▁cat", "▁sat", "▁", "at", "a", "t", "h", "e", "c", "s", "m"})
    all.push_back({text, -static_cast<float>(all.size())});
  const std::string pieces = write_sentence_piece_file(all, Segmentation::unigram, {"", true});
  HuggingFaceT5 model;
  model.files["spiece.model"] = pieces;
  ASSERT_EQ(import_from(model, old).status, 0);
  model.files.erase("spiece.model");
  json file = TokenizerJsonOf::unigram(pieces, {}, 0, {}, "<unk>");
  model.files["tokenizer.json"] = file.dump();
  const ProgramResult result = import_from(model, own);
  ASSERT_EQ(result.status, 0) << result.errors;
  const std::string text = "the cat sat on a mat\na  mat \nzzz the\n";
  EXPECT_EQ(ids(own, text), ids(old, text));
  const std::string glued = "cat</s>cat\n";
  EXPECT_EQ(ids(own, glued), ids(old, glued));
  file["pre_tokenizer"]["prepend_scheme"] = "first";  // T5 with "legacy": false
  model.files["tokenizer.json"] = file.dump();
  ASSERT_EQ(import_from(model, own).status, 0);
  EXPECT_EQ(ids(own, text), ids(old, text));
  EXPECT_NE(ids(own, glued), ids(old, glued));
}

HuggingFaceNllb nllb() {
  HuggingFaceNllb model;
  model.files["special_tokens_map.json"] = model.special_tokens.dump();
  return model;
}

/// The same with a tokenizer.json instead of its SentencePiece model.
HuggingFaceNllb nllb_with(const json& file) {
  HuggingFaceNllb model = nllb();
  model.files.erase("sentencepiece.bpe.model");
  model.files["tokenizer.json"] = file.dump();
  return model;
}

json nllb_tokenizer() {
  return TokenizerJsonOf::merged(nllb().files.at("sentencepiece.bpe.model"),
                                 {"<s>", "<pad>", "</s>", "<unk>"}, 3);
}

TEST_F(ImportTokenizerJson, MergedPieces) {
  const ProgramResult older = import_from(nllb(), old);
  ASSERT_EQ(older.status, 0) << older.errors;
  const ProgramResult result = import_from(nllb_with(nllb_tokenizer()), own);
  ASSERT_EQ(result.status, 0) << result.errors;
  const std::string text = "the cat sat on the mat\n  a  mat zz q\nhe sent\ndeu_Latn</s>\n";
  EXPECT_EQ(ids(own, text), ids(old, text));
}

TEST_F(ImportTokenizerJson, MergesThatAreNotThoseOfASentencePieceModelAreErrors) {
  const auto with = [&](const auto& change) {
    json file = nllb_tokenizer();
    change(file["model"]);
    return nllb_with(file);
  };
  const auto merges_of = [](json& model) -> json& { return model["merges"]; };
  const json all = nllb_tokenizer()["model"]["merges"];
  ASSERT_EQ(import_from(with([](json&) {}), old).status, 0);
  const ProgramResult fewer = import_from(with([&](json& model) { merges_of(model).erase(0); }), own);
  EXPECT_EQ(fewer.status, 0) << "a piece that is never found" << fewer.errors;
  EXPECT_NE(ids(own, "cat\n"), ids(old, "cat\n"));
  const auto add_way = [](json& model) {  // to merge to "▁the", for which there is no merge
    model["vocab"]["▁th"] = model["vocab"]["ü"];
    model["vocab"].erase("ü");
  };
  expect_refused(with(add_way), {"tokenizer.json", "model.merges", "u2581the", "2 merges"});
  expect_refused(with([&](json& model) { merges_of(model).push_back(all[0]); }),
                 {"model.merges", "together"});
  expect_refused(with([&](json& model) { merges_of(model).push_back("the zebra"); }),
                 {"the zebra", "pieces"});
  expect_refused(with([&](json& model) { model["fuse_unk"] = false; }), {"fuse_unk", "true"});
  expect_refused(with([&](json& model) { model["unk_token"] = nullptr; }), {"unk_token"});
  expect_refused(with([&](json& model) { model["byte_fallback"] = true; }), {"byte_fallback", "false"});
}

TEST_F(ImportTokenizerJson, OlderFilesComeFirst) {
  HuggingFaceGpt2 model;
  model.files["tokenizer.json"] = "{}";
  EXPECT_EQ(import_from(model, own).status, 0);
}

TEST_F(ImportTokenizerJson, OtherTokenizersAreErrors) {
  HuggingFaceGpt2 model;
  const json vocabulary = json::parse(model.files["vocab.json"]);
  const std::string merges = model.files["merges.txt"];
  model.files.clear();
  const json right = TokenizerJsonOf::byte_pairs(vocabulary, merges);
  const auto with = [&](const std::string& part, const json& value) {
    json file = right;
    file[json::json_pointer(part)] = value;
    HuggingFaceGpt2 changed = model;
    changed.files["tokenizer.json"] = file.dump();
    return changed;
  };
  expect_refused(with("/model/type", "WordLevel"), {"tokenizer.json", "model.type", "WordLevel"});
  expect_refused(with("/pre_tokenizer", nullptr), {"pre_tokenizer", "ByteLevel"});
  expect_refused(with("/pre_tokenizer/add_prefix_space", true), {"add_prefix_space", "false"});
  expect_refused(with("/pre_tokenizer/use_regex", false), {"use_regex", "true"});
  expect_refused(with("/normalizer", {{"type", "NFC"}}), {"normalizer", "NFC", "null"});
  expect_refused(with("/model/byte_fallback", true), {"byte_fallback", "false"});
  expect_refused(with("/model/merges", {"a b c"}), {"model.merges", "a b c"});
  expect_refused(with("/model/merges", {{"a", 3}}), {"model.merges", "3"});
  expect_refused(with("/model/merges", {"a z"}), {"tokenizer.json", "az"});
  expect_refused(with("/model/vocab", {{"a", 5}}), {"model.vocab", "'a'", "5"});
  expect_refused(with("/added_tokens", {{{"id", 99}}}), {"added_tokens", "99"});
  expect_refused(with("/added_tokens", {{{"id", 0}, {"content", "<new>"}}}), {"tokenizer.json", "<new>"});
  const json metaspace{{"type", "Metaspace"}, {"replacement", "▁"}, {"prepend_scheme", "always"}};
  expect_refused(with("/pre_tokenizer", metaspace), {"tokenizer.json", "model.unk_token"});
  HuggingFaceBert bert(false);
  bert.files.clear();
  bert.files["tokenizer.json"] = right.dump();
  expect_refused(bert, {"tokenizer.json"});
}

TEST_F(ImportTokenizerJson, RecordedIds) {
  GLOSS_NEED_SHARED_DATA(root, "interchange/huggingface");
  for (const std::string name :
       {"gpt2", "bart", "roberta-masked-lm", "bert-masked-lm", "bert-classification"}) {
    SCOPED_TRACE(name);
    const std::string path = *root + "/" + name;
    ASSERT_EQ(import_path(path, old).status, 0);
    json file;
    if (name.starts_with("bert")) {
      file = TokenizerJsonOf::word_pieces(read_file(path + "/vocab.txt"), name == "bert-classification");
    } else {
      file = TokenizerJsonOf::byte_pairs(read_json(path + "/vocab.json"), read_file(path + "/merges.txt"));
    }
    const ProgramResult result =
        import_path(copy_of(path, {"vocab.txt", "vocab.json", "merges.txt"}, file), own);
    ASSERT_EQ(result.status, 0) << result.errors;
    EXPECT_TRUE(tokenizer(own) == tokenizer(old));
  }
  for (const std::string name : {"t5", "t5-v1_1", "mbart50", "nllb"}) {
    SCOPED_TRACE(name);
    const std::string path = *root + "/" + name;
    const bool fairseq = name == "mbart50" || name == "nllb";
    const std::string model = fairseq ? "sentencepiece.bpe.model" : "spiece.model";
    ASSERT_EQ(import_path(path, old).status, 0);
    const std::string bytes = read_file(path + "/" + model);
    const std::vector<std::string> first{"<s>", "<pad>", "</s>", "<unk>"};
    const json file = name == "nllb" ? TokenizerJsonOf::merged(bytes, first, 3)
                      : fairseq      ? TokenizerJsonOf::unigram(bytes, first, 3, {}, "<unk>")
                                     : TokenizerJsonOf::unigram(bytes, {}, 0, {}, "<unk>");
    const ProgramResult result = import_path(copy_of(path, {model}, file), own);
    ASSERT_EQ(result.status, 0) << result.errors;
    const std::string texts = texts_of(path);
    EXPECT_EQ(ids(own, texts), ids(old, texts));
  }
}

TEST(Base64, IsReadOrRefused) {
  for (const std::string text : {"", "a", "ab", "abc", "\xFF\x01\x80z"})
    EXPECT_EQ(from_base64(TokenizerJsonOf::base64(text)), text);
  for (const std::string wrong : {"a", "ab=", "a===", "!!!!", "ab=c"})
    EXPECT_FALSE(from_base64(wrong)) << wrong;
}

}  // namespace
}  // namespace gloss
