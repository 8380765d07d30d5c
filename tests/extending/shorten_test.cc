// SPDX-License-Identifier: Apache-2.0
// The examples of a setting and of a command.
#include "tests/extending/shorten.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "base/error.h"
#include "cli/help/help_text.h"
#include "cli/options/options.h"
#include "cli/table/command_description.h"
#include "tests/support/temporary_directory.h"

namespace gloss {
namespace {

constexpr Command kShorten{"shorten", "Text", "keep the first words of each line", declare_shorten};

/// The exit status of shorten with these words.
int run_shorten(const std::vector<std::string>& words) {
  Options options(kShorten, words);
  EXPECT_FALSE(options.parse());
  return options.run();
}

/// What shorten writes for `text`.
std::string shortened_text(const std::string& text, std::vector<std::string> options) {
  const TemporaryDirectory folder;
  for (const std::string& word : {folder.write("in", text), std::string("-o"), folder / "out"}) {
    options.push_back(word);
  }
  EXPECT_EQ(run_shorten(options), 0);
  return folder.read("out");
}

TEST(Extending, ASettingIsAMemberOfConfigJson) {
  ShortenSettings settings;
  const nlohmann::json stored = fields_to_json(fields_of(settings));
  EXPECT_EQ(stored, nlohmann::json({{"max_words", 20}, {"mark", false}}));

  ShortenSettings read;
  fields_from_json(fields_of(read), {{"max_words", 7}, {"mark", true}}, "config.json");
  EXPECT_EQ(read.max_words, 7);
  EXPECT_TRUE(read.mark);
}

TEST(Extending, ASettingOutOfItsRangeIsRefusedByName) {
  ShortenSettings settings;
  Fields fields = fields_of(settings);
  try {
    set_field(field_of(fields, settings.max_words), "0", "--max-words");
    ADD_FAILURE() << "0 words were accepted";
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("--max-words"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("1000"), std::string::npos) << error.what();
  }
  EXPECT_THROW(fields_from_json(fields, {{"max_words", 0}, {"mark", true}}, "config.json"), InputError);
  EXPECT_EQ(settings.max_words, 20);
}

TEST(Extending, ACommandFiltersLines) {
  EXPECT_EQ(shortened_text("a b c d\n\na b\n", {"--max-words", "2"}), "a b\n\na b\n");
  EXPECT_EQ(shortened_text("a b c\n", {"--max-words=2", "--mark"}), "a b ...\n");
  EXPECT_EQ(shortened_text("a \xff\n", {}), "a \xef\xbf\xbd\n");
}

TEST(Extending, ACommandHasHelpFromItsFields) {
  const std::vector<std::string> words{"--help"};
  const std::optional<HelpRequest> help = Options(kShorten, words).parse();
  ASSERT_TRUE(help);
  const std::string text = help_text(help->command, help->topic);
  for (const char* part : {"shorten", "--max-words", "number of words kept per line", "20"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
  }
  EXPECT_LE(std::ranges::count(text, '\n'), 25);
  EXPECT_THROW(run_shorten({"--max-words", "0"}), UsageError);
  EXPECT_THROW(run_shorten({"--max-wrods", "9"}), UsageError);
}

}  // namespace
}  // namespace gloss
