// SPDX-License-Identifier: Apache-2.0

#include "base/fields.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json.h"
#include "base/random.h"
#include "base/text.h"

namespace gloss {
namespace {

enum class Colour { red, green };

struct Settings {
  bool loud = false;
  int count = 3;
  std::int64_t large = 5'000'000'000;
  double rate = 0.1;
  std::string name = "x";
  std::vector<std::string> words{"a", "b"};
  Colour colour = Colour::green;
};

Fields fields_of(Settings& s) {
  return {{"loud", &s.loud, ""},
          {"count", &s.count, "", {1, 10}},
          {"large", &s.large, ""},
          {"rate", &s.rate, "", {0, 1}},
          {"name", &s.name, ""},
          {"words", &s.words, ""},
          {"colour", choice(s.colour, {"red", "green"}), ""}};
}

TEST(Fields, GoToJsonAndBack) {
  Settings from;
  from.loud = true;
  from.rate = 1.0 / 3;
  from.colour = Colour::red;
  const nlohmann::json object = fields_to_json(fields_of(from));
  Settings to;
  fields_from_json(fields_of(to), nlohmann::json::parse(object.dump()), "here");
  EXPECT_TRUE(to.loud);
  EXPECT_EQ(to.rate, from.rate);
  EXPECT_EQ(to.large, from.large);
  EXPECT_EQ(to.words, from.words);
  EXPECT_EQ(to.colour, Colour::red);
}

TEST(Fields, WrongJsonNamesTheMember) {
  Settings settings;
  const nlohmann::json good = fields_to_json(fields_of(settings));
  for (const auto& [name, value] :
       std::vector<std::pair<std::string, nlohmann::json>>{{"loud", 1},
                                                           {"count", 11},
                                                           {"count", 2.5},
                                                           {"count", "3"},
                                                           {"large", 18446744073709551615ULL},
                                                           {"rate", 2},
                                                           {"name", 7},
                                                           {"words", "a"},
                                                           {"words", {1}},
                                                           {"colour", "blue"}}) {
    nlohmann::json wrong = good;
    wrong[name] = value;
    try {
      fields_from_json(fields_of(settings), wrong, "here");
      ADD_FAILURE() << name << " = " << value << " was accepted";
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(name), std::string::npos) << error.what();
    }
  }
  nlohmann::json less = good;
  less.erase("rate");
  EXPECT_THROW(fields_from_json(fields_of(settings), less, "here"), InputError);
  Fields fields = fields_of(settings);
  add_traits(fields, kOptional, settings.rate);
  EXPECT_NO_THROW(fields_from_json(fields, less, "here"));
}

TEST(Fields, TextOutsideTheRangeIsAnErrorWithTheRange) {
  Settings settings;
  const Fields fields = fields_of(settings);
  try {
    set_field(fields[1], "eleven", "--count");
    ADD_FAILURE() << "accepted";
  } catch (const UsageError& error) {
    const std::string message = error.what();
    for (const char* part : {"--count", "'eleven'", "1 to 10"}) {
      EXPECT_NE(message.find(part), std::string::npos) << message;
    }
  }
  EXPECT_THROW(set_field(fields[1], "11", "--count"), UsageError);
  EXPECT_THROW(set_field(fields[3], "nan", "--rate"), UsageError);
  EXPECT_THROW(set_field(fields[3], "0.5x", "--rate"), UsageError);
  EXPECT_THROW(set_field(fields[6], "blue", "--colour"), UsageError);
  set_field(fields[6], "red", "--colour");
  EXPECT_EQ(field_text(fields[6]), "red");
}

TEST(Fields, AreFoundByTheirMembers) {
  Settings settings;
  Fields fields = fields_of(settings);
  EXPECT_EQ(field_of(fields, settings.colour).name, "colour");
  EXPECT_THROW(field_of(fields, fields), BrokenPromise);
  EXPECT_TRUE(refers_to(fields[3], settings.name, settings.rate));
  EXPECT_FALSE(refers_to(fields[3], settings.name));
  add_traits(fields, kTwoSided | kOptional, settings.loud, settings.colour);
  EXPECT_TRUE(fields[0].has(kTwoSided));
  EXPECT_FALSE(fields[0].has(kFreeOnResume));
  leave_out(fields, settings.loud, settings.name);
  EXPECT_EQ(fields.size(), 5u);
  leave_out_traits(fields, kOptional);
  EXPECT_EQ(fields.size(), 4u);
}

TEST(Fields, CopyTheValuesThatWereGiven) {
  Settings from, to;
  from.rate = 1.0 / 3;
  from.words = {"c d"};
  from.colour = Colour::red;
  from.count = 7;
  const Given given = [&](const void* member) { return member != &from.count; };
  copy_given(fields_of(from), fields_of(to), given);
  EXPECT_EQ(to.rate, from.rate);
  EXPECT_EQ(to.words, from.words);
  EXPECT_EQ(to.colour, Colour::red);
  EXPECT_EQ(to.count, 3);
  EXPECT_FALSE(same_value(fields_of(from)[1], fields_of(to)[1]));
  EXPECT_TRUE(same_value(fields_of(from)[6], fields_of(to)[6]));
  EXPECT_EQ(given_names(fields_of(from), given).size(), 6u);
}

TEST(Text, NumbersAreShortAndPlain) {
  EXPECT_EQ(concat(1e6, ' ', 0.0005, ' ', 0.1, ' ', 0.0, ' ', -2.5, ' ', 1e-9, ' ', 1e300),
            "1000000 0.0005 0.1 0 -2.5 1e-09 1e+300");
}

TEST(Text, NearestFindsTheIntendedWord) {
  const std::vector<std::string> known = {"translate", "train", "evaluate", "--beam-size"};
  EXPECT_EQ(nearest("trian", known), "train");
  EXPECT_EQ(nearest("transalte", known), "translate");
  EXPECT_EQ(nearest("--beam_size", known), "--beam-size");
  EXPECT_EQ(nearest("--beam", {"--ban", "--beam-size"}), "--beam-size") << "a prefix is preferred to a typo";
  EXPECT_EQ(nearest("--b", {"--ban", "--beam-size"}), "--ban");
  EXPECT_EQ(nearest("zebra", known), "");
}

TEST(Random, IsAFunctionOfSeedAndPosition) {
  Random a(5);
  for (int i = 0; i < 10; ++i) a.bits();
  Random b(5, a.drawn());
  EXPECT_EQ(a.bits(), b.bits());
  EXPECT_NE(Random(5).derive(1).bits(), Random(5).derive(2).bits());
  double sum = 0, squares = 0;
  for (int i = 0; i < 20000; ++i) {
    const double x = a.normal();
    sum += x;
    squares += x * x;
    EXPECT_LT(a.below(7), 7u);
  }
  EXPECT_NEAR(sum / 20000, 0, 0.03);
  EXPECT_NEAR(squares / 20000, 1, 0.04);
}

}  // namespace
}  // namespace gloss
