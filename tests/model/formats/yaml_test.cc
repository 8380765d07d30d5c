// SPDX-License-Identifier: Apache-2.0

#include "model/formats/yaml.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/error.h"
#include "tests/support/has.h"
#include "tests/support/shared_data.h"
#include "tests/support/temporary_directory.h"

namespace gloss {
namespace {

using nlohmann::json;

json value(const std::string& text) { return parse_yaml(text, "model.yml"); }

std::string yaml_refusal(const std::string& text) {
  try {
    parse_yaml(text, "model.yml");
    return "";
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()).find("model.yml: line "), 0u) << error.what();
    return error.what();
  }
}

void expect_refused(const std::string& text, const std::string& line, const std::string& why) {
  const std::string message = yaml_refusal(text);
  EXPECT_TRUE(has(message, "line " + line) && has(message, why)) << text << "\n" << message;
}

TEST(Yaml, PlainScalarsHaveTheTypesOfTheCoreSchema) {
  EXPECT_EQ(value("[true, True, FALSE, false, yes, no, on, y]"),
            json({true, true, false, false, "yes", "no", "on", "y"}));
  EXPECT_EQ(value("[null, ~, NULL, , Null, nUll]"),
            json({nullptr, nullptr, nullptr, nullptr, nullptr, "nUll"}));
  EXPECT_EQ(value("[0, -3, +3, 007, 0x1f, 0o17, 18446744073709551615, 1_000]"),
            json({0, -3, 3, 7, 31, 15, 18446744073709551615u, "1_000"}));
  EXPECT_EQ(value("[1.5, -.5, 1e3, 1., +2.5E-1, 123456789012345678901]"),
            json({1.5, -0.5, 1000.0, 1.0, 0.25, 123456789012345678901.0}));
  EXPECT_EQ(value("[1.5.2, 1e, e3, ., -, --1, +-1, 0x, 0xg, inf, nan, 12:30, -0x1, infinity]"),
            json({"1.5.2", "1e", "e3", ".", "-", "--1", "+-1", "0x", "0xg", "inf", "nan", "12:30", "-0x1",
                  "infinity"}));
  EXPECT_EQ(value("-.inf").get<double>(), -HUGE_VAL);
  EXPECT_TRUE(std::isnan(value(".nan").get<double>()));
}

TEST(Yaml, QuotedScalarsAreTexts) {
  EXPECT_EQ(value(R"(["true", '1', "~", "a\"\u00fc\n", 'it''s', ""])"),
            json({"true", "1", "~", "a\"\xC3\xBC\n", "it's", ""}));
  EXPECT_EQ(value("text: |\n  12\n  13\n"), json({{"text", "12\n13\n"}}));
}

TEST(Yaml, KeysAreTexts) {
  const json vocabulary = value(
      "</s>: 0\n<unk>: 1\n\"yes\": 2\n~: 3\n1: 4\ntrue: 5\nnull: 6\n\",\": 7\n\"\\\"\": 8\n\"'\": 9\n1.0: "
      "10\n? a\n: 11\n"
      "Null: 12\n");
  EXPECT_EQ(vocabulary, json({{"</s>", 0},
                              {"<unk>", 1},
                              {"yes", 2},
                              {"~", 3},
                              {"1", 4},
                              {"true", 5},
                              {"null", 6},
                              {",", 7},
                              {"\"", 8},
                              {"'", 9},
                              {"1.0", 10},
                              {"a", 11},
                              {"Null", 12}}));
  EXPECT_EQ(value("\xEF\xBB\xBF\xC3\xBC: 1\n~: 2\n"), json({{"\xC3\xBC", 1}, {"~", 2}}));
  EXPECT_EQ(value("{a: {~: 1, : 2}}"), json({{"a", {{"~", 1}, {"", 2}}}}));
}

TEST(Yaml, SettingsHaveListsAndMaps) {
  EXPECT_EQ(
      value("type: transformer\ndim-vocabs:\n  - 1200\n  - 1200\ninput-types:\n  []\nskip: false\nempty:\n"),
      json({{"type", "transformer"},
            {"dim-vocabs", {1200, 1200}},
            {"input-types", json::array()},
            {"skip", false},
            {"empty", nullptr}}));
  EXPECT_EQ(value(""), json());
  EXPECT_EQ(value("# only a comment\n"), json());
  EXPECT_EQ(value("---\na: 1\n...\n"), json({{"a", 1}}));
}

TEST(Yaml, WhatCouldGrowOrConfuseIsRefused) {
  expect_refused("a: 1\nb: 2\na: 3\n", "3", "'a'");
  expect_refused("\"~\": 1\n~: 2\n", "2", "'~'");
  expect_refused("a: &x [1, 2]\nb: *x\n", "1", "anchor");
  expect_refused("a: &x 1", "1", "anchor");
  expect_refused("&x a: 1", "1", "anchor");
  expect_refused("a: *x", "1", "");
  expect_refused("&x [*x]", "1", "anchor");
  expect_refused("a: !!python/object:os.system 1", "1", "tag");
  expect_refused("a: !thing {}", "1", "tag");
  expect_refused("? [a]\n: 1\n", "1", "key");
  expect_refused("? {a: b}\n: 1\n", "1", "key");
  expect_refused("a: 1\n---\nb: 2\n", "2", "document");
  expect_refused(std::string("a: 1\nb\0: 2", 10), "2", "control");
  expect_refused("a: \x04", "1", "control");
  expect_refused("a: [1, 2", "1", "");
  expect_refused("a: b: c", "1", "");
  expect_refused("%YAML 3.0\n---\na\n", "1", "");
}

TEST(Yaml, DepthHasALimit) {
  EXPECT_EQ(yaml_refusal(std::string(32, '[') + std::string(32, ']')), "");
  expect_refused(std::string(33, '[') + std::string(33, ']'), "1", "32");
  expect_refused(std::string(200'000, '['), "1", "");
  expect_refused(std::string(10'000, '{'), "1", "");
  std::string nested;
  for (std::size_t i = 0; i < 40; ++i) nested += std::string(i, ' ') + "a:\n";
  expect_refused(nested, "33", "32");
}

TEST(Yaml, LargeVocabulariesAreRead) {
  std::string text;
  for (int i = 0; i < 20'000; ++i)
    text += concat(i % 2 == 0 ? "" : "\"", "word", i, i % 2 == 0 ? "" : "\"", ": ", i, "\n");
  const json vocabulary = value(text);
  EXPECT_EQ(vocabulary.size(), 20'000u);
  EXPECT_EQ(vocabulary["word19999"], 19'999);
}

TEST(Yaml, MoreThanAVocabularyIsRefusedBeforeItTakesMemory) {
  constexpr std::size_t kMarks = 2'000'000;
  const auto why = [](const std::string& text) -> std::string {
    try {
      parse_yaml(text, "model.yml");
      return "";
    } catch (const InputError& error) {
      return error.what();
    }
  };
  for (const std::string part : {"a,", "- a\n", "{},", "? \n", "a: "}) {
    std::string text = "[";
    while (text.size() <= kMarks * part.size()) text += part;
    EXPECT_TRUE(has(why(text), "model.yml has ") && has(why(text), "at most 2000000")) << part;
  }
  EXPECT_TRUE(has(why(std::string((32 << 20) + 1, 'a')), "33554432"));
  const TemporaryDirectory folder;
  const std::string path = folder.write("vocab.yml", "");
  std::filesystem::resize_file(path, std::uintmax_t{1} << 40);
  try {
    read_yaml(path);
    ADD_FAILURE() << "a terabyte";
  } catch (const InputError& error) {
    EXPECT_TRUE(has(error.what(), "vocab.yml has 1099511627776 bytes")) << error.what();
  }
}

TEST(Yaml, EveryCutOfATextIsReadOrRefused) {
  const std::string text = "a: [1, \"x\\u00fc\", {b: 'c'}]\nd:\n  - |\n    e\n  - ~\n\"f\": !!int 3\n";
  for (std::size_t size = 0; size < text.size(); ++size) yaml_refusal(text.substr(0, size));
  for (std::size_t i = 0; i < text.size(); ++i) {
    for (const char other : std::string("[]{}:,-?!&*|>'\"%@`#~ \n\t\\\xff")) {
      std::string changed = text;
      changed[i] = other;
      yaml_refusal(changed);
    }
  }
}

TEST(Yaml, WrittenValuesAreReadAgain) {
  json words = json::object();
  int id = 0;
  for (const std::string word : {"</s>",
                                 "<unk>",
                                 "yes",
                                 "No",
                                 "n",
                                 "~",
                                 "null",
                                 "true",
                                 "1",
                                 "-1",
                                 "1.5e3",
                                 "0x1f",
                                 ".inf",
                                 ",",
                                 "\"",
                                 "'",
                                 "#",
                                 "# a",
                                 "a: b",
                                 "- a",
                                 "-",
                                 "?",
                                 "!",
                                 "&a",
                                 "*a",
                                 "[",
                                 "{",
                                 "|",
                                 ">",
                                 "%",
                                 "@",
                                 "`",
                                 "\\",
                                 " ",
                                 "",
                                 "\t",
                                 "\xE2\x96\x81the",
                                 "\xC3\xBC",
                                 "\xEF\xBB\xBF",
                                 "\xC2\x85",
                                 "\xE2\x80\xA8",
                                 "\xF0\x9F\x98\x80",
                                 "<<",
                                 "=",
                                 "a\nb",
                                 "dim-emb",
                                 "Wort"}) {
    words[word] = id++;
  }
  const json all{{"words", words},
                 {"texts", {"", "n", "da", "yes", "1", "a: b", "\"\\\n"}},
                 {"numbers", {0, -3, 1.5, 1e-9, 18446744073709551615U}},
                 {"empty", json::array()},
                 {"nothing", nullptr},
                 {"flags", {true, false}}};
  EXPECT_EQ(value(yaml_text(all)), all);
  EXPECT_EQ(yaml_text(words), yaml_text(words));
}

TEST(Yaml, WrittenTextsAreTakenForTextsByEveryReader) {
  const json options{{"dim-emb", 64}, {"type", "transformer"}, {"n", "n"}, {"skip", false}, {"list", {1, 2}}};
  EXPECT_EQ(yaml_text(options),
            "dim-emb: 64\nlist:\n  - 1\n  - 2\n\"n\": \"n\"\nskip: false\ntype: transformer\n");
  EXPECT_EQ(yaml_text(json{{"Off", 1}, {"1", 2}}), "\"1\": 2\n\"Off\": 1\n");
}

TEST(Yaml, VocabulariesOfMarianAreRead) {
  GLOSS_NEED_SHARED_DATA(folder, "interchange/marian");
  const json vocabulary = read_yaml(*folder + "/transformer-yml/source.yml");
  std::vector<bool> seen(vocabulary.size());
  for (const auto& [word, id] : vocabulary.items()) seen.at(id.get<std::size_t>()) = true;
  EXPECT_EQ(std::count(seen.begin(), seen.end(), false), 0);
  EXPECT_EQ(vocabulary["</s>"], 0);
  EXPECT_EQ(read_yaml(*folder + "/transformer-post/model.npz.decoder.yml")["beam-size"], 12);
}

}  // namespace
}  // namespace gloss
