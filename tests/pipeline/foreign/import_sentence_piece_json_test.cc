// SPDX-License-Identifier: Apache-2.0
// tokenizer.json that was made from a SentencePiece model.
#include <gtest/gtest.h>

#include "tests/pipeline/foreign/import_tokenizer_json.h"
#include "tests/support/hugging_face_relatives.h"
#include "tests/support/hugging_face_t5.h"
#include "tests/support/tokenizer_json.h"
#include "tokenizer/model_writer.h"

namespace gloss {
namespace {

using nlohmann::json;

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
  expect_refused(with([&](json& model) {
                   merges_of(model).push_back({"", "a"});
                 }),
                 {"model.merges", "pieces"});
  const auto add_long = [&](json& model) {
    const std::string text(300, 'a');
    model["vocab"][text] = model["vocab"]["ü"];
    model["vocab"].erase("ü");
    model["vocab"][text.substr(1)] = model["vocab"]["n"];
    model["vocab"].erase("n");
    merges_of(model) = json::array({json::array({"a", text.substr(1)})});
  };
  expect_refused(with(add_long), {"model.merges", "256 bytes"});
  expect_refused(with([&](json& model) { model["fuse_unk"] = false; }), {"fuse_unk", "true"});
  expect_refused(with([&](json& model) { model["unk_token"] = nullptr; }), {"unk_token"});
  expect_refused(with([&](json& model) { model["byte_fallback"] = true; }), {"byte_fallback", "false"});
}

}  // namespace
}  // namespace gloss
