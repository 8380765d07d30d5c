// SPDX-License-Identifier: Apache-2.0
// Repairs and rules on small texts, and settings.
#include "pipeline/cleaning/cleaner.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/files.h"
#include "base/json.h"
#include "base/text.h"
#include "tests/support/paths.h"
#include "tests/support/temporary_directory.h"

namespace gloss {
namespace {

/// A text after a repair; the same text if it changes nothing.
std::string repaired(const std::string& name, std::string text,
                     const std::vector<std::string>& languages = {}) {
  const Repair& repair = repair_named(name);
  const std::string before = text;
  const bool changed = repair.of_side(text, {.languages = languages}, Side::source);
  EXPECT_EQ(changed, text != before) << name << ": " << before;
  return text;
}

/// The value of a rule for a side or a pair.
double value_of(const std::string& name, const std::string& source, const std::string& target = "") {
  const Rule& rule = rule_named(name);
  PairText pair;
  pair.source.read(source);
  pair.target.read(target);
  return rule.of_side != nullptr ? rule.of_side(pair.source, {}, Side::source) : rule.of_pair(pair, {});
}

/// The rule of the default plan that rejects a pair; "" if it is kept.
std::string reason_of(const std::string& source, const std::string& target,
                      const std::vector<std::string>& languages = {}) {
  const Cleaner cleaner(cleaning_preset_named("default").plan(), languages);
  PairRecord record{source, target};
  const Verdict verdict = cleaner.clean(record, /*one_language=*/false);
  return std::string(cleaner.reason(verdict));
}

TEST(Repairs, DecodeMojibakeThatItsBytesProve) {
  EXPECT_EQ(repaired("mojibake", "GrÃ¼ÃŸe aus KÃ¶ln â€“ bis bald"), "Grüße aus Köln – bis bald");
  EXPECT_EQ(repaired("mojibake", "caf\u00c3\u0083\u00c2\u00a9"), "café");
  EXPECT_EQ(repaired("mojibake", "Ð¿Ñ€Ð¸Ð²ÐµÑ‚"), "привет");
  for (const char* const right :
       {"São Paulo, Ümläüte", "ÉCOLE « À LA CARTE »", "Ångström – naïve", "plain"}) {
    EXPECT_EQ(repaired("mojibake", right), right);
  }
}

TEST(Repairs, DecodeEntitiesAtAllLevelsAndRemoveMarkup) {
  EXPECT_EQ(repaired("entities", "R&amp;amp;D &lt;3 &#x20AC;5 &auml;"), "R&D <3 €5 ä");
  EXPECT_EQ(repaired("entities", "AT&T & Co; &unknown;"), "AT&T & Co; &unknown;");
  EXPECT_EQ(repaired("markup", "the <b class=\"x\">old</b> house<br/>by the<!-- now --> sea"),
            "the old house by the sea");
  EXPECT_EQ(repaired("markup", "an <img src=a.png alt=\"apple\"> a day"), "an apple a day");
  EXPECT_EQ(repaired("markup", "if a < b and c > d"), "if a < b and c > d");
}

TEST(Repairs, RemoveCharactersThatNobodySees) {
  EXPECT_EQ(repaired("control_characters",
                     "ta\x01"
                     "ble\tand\x1f chair"),
            "table and chair");
  EXPECT_EQ(repaired("control_characters", "One.\u2028Two"), "One. Two");
  EXPECT_EQ(repaired("format_characters", "ta\u200bble\u202e \ufeffand\u00ad"), "table and");
  EXPECT_EQ(repaired("format_characters", "می\u200cروم 👩\u200d🚒 ❤\ufe0f"), "می\u200cروم 👩\u200d🚒 ❤\ufe0f");
  EXPECT_EQ(repaired("unicode", "cafe\u0301 ｆｕｌｌ ﬁn！"), "café full fin!");
  EXPECT_EQ(repaired("unicode", "你好！ＡＢ"), "你好！AB");
  EXPECT_EQ(repaired("spaces", " \u00a0two\u3000 words\u2009"), "two words");
}

TEST(Repairs, JoinTokensAndDivideSentences) {
  EXPECT_EQ(repaired("tokenisation", "a well @-@ known \" fact \" ( it 's true ) , is n't it ?"),
            "a well-known \"fact\" (it's true), isn't it?");
  EXPECT_EQ(repaired("tokenisation", "Plain text, as it is."), "Plain text, as it is.");
  EXPECT_EQ(repaired("glued_sentences", "We went home.They stayed, at www.example.Com and e.g.Paris."),
            "We went home. They stayed, at www.example.Com and e.g.Paris.");
}

TEST(Repairs, EndSidesInTheSameWay) {
  const Repair& repair = repair_named("final_punctuation");
  const auto ends = [&](std::string source, std::string target) {
    repair.of_pair(source, target, {});
    return source + "|" + target;
  };
  EXPECT_EQ(ends("We go home.", "Nous rentrons"), "We go home.|Nous rentrons.");
  EXPECT_EQ(ends("We go home", "我们回家。"), "We go home.|我们回家。");
  EXPECT_EQ(ends("We go home after a very long and rainy day.", "Nous ren"),
            "We go home after a very long and rainy day.|Nous ren");
}

TEST(Rules, MeasureSides) {
  EXPECT_EQ(value_of("visible_characters", " \u200b\ufeff\u3000"), 0);
  EXPECT_EQ(value_of("mixed_scripts", "а plаin wоrd"), 2) << "with Cyrillic а and о";
  EXPECT_EQ(value_of("joined_words", "someWords McDonald iPhone GmbH"), 1);
  EXPECT_EQ(value_of("repeated_words", "he had had it"), 1);
  EXPECT_EQ(value_of("repeated_words", "to the shop to the shop again"), 3);
  EXPECT_EQ(value_of("character_run", "wooooow..."), 5);
  EXPECT_EQ(value_of("urls", "see https://a.example/x (b.example.org/y), not e.g. this.Or that"), 2);
  EXPECT_GT(value_of("code", "for (i = 0; i < n; ++i) { run(i); }"), 1);
  EXPECT_LE(value_of("code", "He said: the cat(s) sat; 3 + 4 = 7 (see p. 5)."), 1);
  EXPECT_EQ(value_of("question_marks", "M?nner ? who? Really?"), 2);
}

TEST(Rules, MeasurePairs) {
  EXPECT_EQ(value_of("number_difference", "in 1,234.5 years", "in 1.234,5 Jahren"), 0);
  EXPECT_EQ(value_of("number_difference", "12,000 people", "12 000 Menschen"), 0);
  EXPECT_EQ(value_of("number_difference", "at 17", "um ١٧"), 0);
  EXPECT_EQ(value_of("number_difference", "2 men", "zwei Männer"), 0);
  EXPECT_EQ(value_of("number_difference", "1980 and 17", "1982 und 17"), 2);
  EXPECT_EQ(value_of("url_difference", "http://a.example/", "http://a.example/."), 0);
  EXPECT_EQ(value_of("url_difference", "http://a.example/", "http://a.example"), 2);
  EXPECT_EQ(value_of("copied_words", "the old house by the sea", "The old house by a sea!"), 5.0 / 6);
  EXPECT_EQ(
      value_of("extra_sentences", "Here is one sentence. And another one is here.", "Nur einer ist hier."),
      1);
}

TEST(DefaultPlan, KeepsOrdinaryPairsAndNamesWhatIsWrong) {
  EXPECT_EQ(reason_of("The tower was built in 1889.", "Der Turm wurde 1889 erbaut."), "");
  EXPECT_EQ(reason_of("Good morning!", "Guten Morgen!"), "");
  EXPECT_EQ(reason_of("IBM", "IBM"), "");
  EXPECT_EQ(reason_of("The tower was built in 1889.", "Der Turm wurde 1899 erbaut."), "number_difference");
  EXPECT_EQ(reason_of("The tower was built in 1889.", ""), "visible_characters");
  EXPECT_EQ(reason_of("The tower w\xe4s built.", "Der Turm wurde erbaut."), "replacement_characters");
  EXPECT_EQ(reason_of("All rights reserved.", "Alle Rechte vorbehalten."), "boilerplate");
  EXPECT_EQ(reason_of("The tower is old.", "The tower is old."), "copied_words");
}

TEST(DefaultPlan, SwapsSidesAndFindsOtherLanguages) {
  const Cleaner cleaner(cleaning_preset_named("default").plan(), {"en", "de"});
  const std::string english = "The children are playing in the garden behind the house.",
                    german = "Die Kinder spielen im Garten hinter dem Haus.";
  PairRecord record{german, english};
  EXPECT_EQ(cleaner.clean(record, false).check, Verdict::kKept);
  EXPECT_EQ(record.source, english);
  EXPECT_EQ(record.target, german);
  EXPECT_EQ(reason_of(english, "Les enfants jouent dans le jardin derrière la maison.", {"en", "de"}),
            "wrong_language");
}

TEST(Cleaner, SaysWhatNeedsLanguages) {
  const Cleaner cleaner(cleaning_preset_named("default").plan(), {});
  EXPECT_EQ(cleaner.left_out(), (std::vector<std::string>{"swapped_sides", "wrong_language"}));
}

TEST(Cleaner, CountsBrokenAndCutRecords) {
  const Cleaner cleaner(cleaning_preset_named("default").plan(), {});
  PairRecord broken{.source = "a", .target = "", .broken = "found 1 column"},
      cut{.source = "a", .target = "b", .cut = true};
  EXPECT_EQ(cleaner.reason(cleaner.clean(broken, false)), "broken");
  EXPECT_EQ(cleaner.reason(cleaner.clean(cut, false)), "too_long");
}

TEST(Cleaner, TakesBoundedTimeForHostileLines) {
  const std::string line(1 << 18, 'x');
  std::string words, marks;
  for (int i = 0; i < 50'000; ++i) words += "ab ";
  for (int i = 0; i < 50'000; ++i) marks += "<a &#1 (";
  for (const CleaningPreset& preset : cleaning_presets()) {
    const Cleaner cleaner(preset.plan(), {"en", "de"});
    for (const std::string& source : {line, words, marks}) {
      PairRecord record{source, source};
      cleaner.clean(record, false, /*all_values=*/true);
    }
  }
}

TEST(Cleaner, KeepsEveryInvariantForAllPairsOfStrangeTexts) {
  const std::vector<std::string> texts{
      "",   " ",    "\xff\xfe", "?",   "<",  "&",   "&#", "&#x110000;", "<!--", "a\u0301", "\u200b", "1 2 3",
      "\"", "\" .", " . ",      "...", "。", "A.B", "…",  "\U0001F600", "{",    "://",     "@",      "é»"};
  for (const CleaningPreset& preset : cleaning_presets()) {
    const Cleaner cleaner(preset.plan(), {"en", "fr"});
    for (const std::string& source : texts) {
      for (const std::string& target : texts) {
        PairRecord record{source, target};
        const Verdict verdict = cleaner.clean(record, false, true);
        EXPECT_EQ(verdict.values.size(), cleaner.value_names(false).size());
      }
    }
  }
}

TEST(CleaningPlans, AreTheSameAfterWritingAndReading) {
  const TemporaryDirectory folder;
  for (const CleaningPreset& preset : cleaning_presets()) {
    const nlohmann::json settings = json_of(preset.plan());
    write_json(folder / "plan", settings);
    EXPECT_EQ(json_of(read_plan(folder / "plan")), settings) << preset.name;
  }
}

TEST(CleaningPlans, RefuseUnknownNamesWithFileAndSuggestion) {
  const TemporaryDirectory folder;
  const auto refusal = [&](const std::string& text) -> std::string {
    try {
      read_plan(folder.write("plan", text));
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  for (const auto& [text, part] : std::vector<std::pair<std::string, std::string>>{
           {R"({"rules": [{"rule": "wrds"}]})", "'words'"},
           {R"({"repairs": ["spces"]})", "'spaces'"},
           {R"({"repairs": ["spaces", "spaces"]})", "'spaces'"},
           {R"({"rules": [{"rule": "words", "least": 1}]})", "least"},
           {R"({"rules": [{"rule": "pattern"}]})", "text"},
           {R"({"filters": []})", "filters"},
           {"[]", "object"}}) {
    const std::string message = refusal(text);
    EXPECT_NE(message.find(part), std::string::npos) << message;
    EXPECT_NE(message.find("plan"), std::string::npos) << message;
  }
}

TEST(Tables, HaveDifferentNamesAndBounds) {
  std::set<std::string_view> names;
  for (const Rule* const rule : rules()) {
    EXPECT_TRUE(names.insert(rule->name).second) << rule->name;
    EXPECT_NE(rule->of_side == nullptr, rule->of_pair == nullptr) << rule->name;
    EXPECT_NE(rule->bounds.text(), "") << rule->name;
  }
  for (const Repair& repair : repairs())
    EXPECT_NE(repair.of_side == nullptr, repair.of_pair == nullptr) << repair.name;
}

// Rows are written as docs/cleaning.md has to have them.
TEST(Tables, AreInTheDocumentation) {
  const std::string page = read_file(std::string(kSourceFolder) + "/docs/cleaning.md");
  const auto expect_row = [&](const std::string& row) {
    EXPECT_NE(page.find("\n" + row + "\n"), std::string::npos) << row;
  };
  const auto text = [](std::string_view cell) {
    std::string escaped;
    for (const char c : cell) escaped += c == '|' ? std::string("\\|") : std::string(1, c);
    return escaped;
  };
  for (const Rule* const rule : rules()) {
    expect_row(concat("| `", rule->name, "` | ", rule->of_side == nullptr ? "pair" : "side", " | ",
                      text(rule->meaning), " | ", rule->bounds.text(), " | ", rule->anchor, " |"));
  }
  for (const Repair& repair : repairs()) {
    expect_row(concat("| `", repair.name, "` | ", text(repair.meaning), " | ", repair.anchor, " |"));
  }
  for (const CleaningPreset& preset : cleaning_presets()) {
    std::vector<std::string> repairs_of, rules_of;
    const CleaningPlan plan = preset.plan();
    for (const Repair* const repair : plan.repairs) repairs_of.push_back(concat("`", repair->name, "`"));
    for (const Check& check : plan.checks) {
      const bool own = check.bounds.text() == check.rule->bounds.text();
      rules_of.push_back(concat("`", check.rule->name, "`", own ? "" : " ", own ? "" : check.bounds.text()));
    }
    expect_row(concat("| `", preset.name, "` | ", preset.meaning, " | ", join(repairs_of, ", "), " | ",
                      join(rules_of, ", "), " |"));
  }
}

}  // namespace
}  // namespace gloss
