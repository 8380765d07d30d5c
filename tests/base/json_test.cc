// SPDX-License-Identifier: Apache-2.0

#include "base/json.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "tests/support/temporary_directory.h"

namespace gloss {
namespace {

/// The message with which a text is refused; empty: it is accepted.
std::string refusal(std::string_view text, const JsonLimits& limits = kSettingsJson) {
  try {
    parse_json(text, "config.json", limits);
    return "";
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()).find("json.exception"), std::string::npos) << error.what();
    EXPECT_EQ(std::string(error.what()).find("config.json"), 0u) << error.what();
    return error.what();
  }
}

void expect_refused(std::string_view text, const std::string& place, const std::string& what) {
  const std::string message = refusal(text);
  EXPECT_NE(message.find(place), std::string::npos) << message;
  EXPECT_NE(message.find(what), std::string::npos) << message;
}

TEST(Json, EveryKindOfValueIsKept) {
  const nlohmann::json value = {{"text", "a\"\n\xC3\xBC"},
                                {"whole", -3},
                                {"large", 18446744073709551615u},
                                {"fraction", 0.25},
                                {"flag", true},
                                {"none", nullptr},
                                {"list", {1, {{"inner", nlohmann::json::array()}}, "x"}},
                                {"empty", nlohmann::json::object()}};
  EXPECT_EQ(parse_json(json_text(value), "text"), value);
  EXPECT_EQ(parse_json(json_line(value), "text"), value);
  EXPECT_EQ(parse_json(" 7 \n", "text"), 7);
}

TEST(Json, AnErrorNamesFileLineAndColumn) {
  expect_refused("{\"a\": 1,\n \"b\": x}", "line 2, column 7", "x");
  expect_refused("{\"a\": }", "config.json: column 7", "}");
  expect_refused("{\"a\": 1e999}", "column", "1e999");
  expect_refused("{\"a\":\n[1, 2", "line 2, column 6", "too early");
  expect_refused("", "column 1", "is empty");
  expect_refused("{\"a\": \"\x1b[31m\"}", "column 8", "'");
  EXPECT_EQ(refusal("{\"a\": \"\x1b[31m\"}").find('\x1b'), std::string::npos);
}

TEST(Json, WhatFollowsTheValueIsRefused) {
  expect_refused("{} {}", "column 4", "{");
  expect_refused(std::string_view("{}\n\0", 4), "line 2, column 1", "NUL");
  EXPECT_EQ(refusal("{}\n\n"), "");
}

TEST(Json, ANameThatOccursTwiceIsRefused) {
  expect_refused("{\"width\": 1,\n\"width\": 2}", "line 2", "'width'");
  EXPECT_EQ(refusal(R"([{"a": 1}, {"a": 1}])"), "");
}

TEST(Json, LimitsBoundWhatIsRead) {
  const JsonLimits limits{.bytes = 60, .values = 6, .string_bytes = 8, .depth = 3};
  EXPECT_EQ(refusal(R"({"a": [1, 2, 3, "12345678"]})", limits), "");
  EXPECT_NE(refusal(R"({"a": [1, 2, 3, "123456789"]})", limits).find("9 bytes"), std::string::npos);
  EXPECT_NE(refusal(R"({"123456789": 1})", limits).find("9 bytes"), std::string::npos);
  EXPECT_NE(refusal("[1, 2, 3, 4, 5, 6]", limits).find("6 values"), std::string::npos);
  EXPECT_EQ(refusal("[[[]]]", limits), "");
  EXPECT_NE(refusal("[[[[]]]]", limits).find("3 levels"), std::string::npos);
  EXPECT_NE(refusal("1" + std::string(60, ' '), limits).find("61 bytes"), std::string::npos);
  EXPECT_NE(refusal(std::string(1'000'000, '[')).find("levels"), std::string::npos);
}

TEST(Json, ManySmallObjectsCostNoMoreThanTheirSize) {
  // A parser that rescans a list whenever an object in it ends would take minutes.
  std::string text = "[{}";
  for (int i = 1; i < 400'000; ++i) text += ",{}";
  EXPECT_EQ(parse_json(text + "]", "text").size(), 400'000u);
}

TEST(Json, AFileThatIsTooLargeIsNotRead) {
  const TemporaryDirectory folder;
  const std::string path = folder.write("config.json", "{}");
  EXPECT_EQ(read_json(path).size(), 0u);
  std::filesystem::resize_file(path, std::uintmax_t{1} << 40);  // takes no space
  EXPECT_THROW(read_json(path), InputError);
}

}  // namespace
}  // namespace gloss
