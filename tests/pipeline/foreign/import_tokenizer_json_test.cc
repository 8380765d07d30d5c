// SPDX-License-Identifier: Apache-2.0
// Directories of transformers with tokenizer.json instead of older files.
#include <gtest/gtest.h>

#include "base/base64.h"
#include "tests/pipeline/foreign/import_tokenizer_json.h"
#include "tests/support/hugging_face_encoders.h"
#include "tests/support/shared_data.h"
#include "tests/support/tokenizer_json.h"

namespace gloss {
namespace {

using nlohmann::json;

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
