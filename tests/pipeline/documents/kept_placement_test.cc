// SPDX-License-Identifier: Apache-2.0

#include "pipeline/documents/kept_placement.h"

#include <gtest/gtest.h>

#include <set>

#include "base/error.h"
#include "base/random.h"
#include "base/text.h"
#include "pipeline/documents/marked_text.h"
#include "pipeline/documents/protection.h"
#include "tokenizer/sentences/unicode_words.h"

namespace gloss {
namespace {

/// One token for each word, each target word linked with one source word.
TokenLinks one_to_one(const std::string& source, const std::string& target,
                      const std::vector<std::size_t>& source_of) {
  TokenLinks links;
  for (const ByteRange& word : unicode_words(source)) links.sources.push_back(word.end);
  for (const ByteRange& word : unicode_words(target)) links.targets.push_back(word.end);
  links.weights.resize(links.sources.size() * links.targets.size());
  for (std::size_t t = 0; t < source_of.size(); ++t)
    links.weights.at(t * links.sources.size() + source_of[t]) = 1;
  return links;
}

std::string restored(const std::string& source, const std::string& pattern, const std::string& target,
                     const std::vector<std::size_t>& source_of) {
  const std::vector<KeptText> kept = Protection({pattern}).find(source);
  const TokenLinks links = one_to_one(source, target, source_of);
  return text_with_marks({source, {}, kept}, target, std::span(&links, 1),
                         [](std::string_view text) { return std::string(text); });
}

TEST(RestoredPieces, StayWhereTheTranslationHasThem) {
  EXPECT_EQ(restored("a 12 b", "number", "x 12 y", {0, 1, 2}), "x 12 y");
  EXPECT_EQ(restored("12 and 12", "number", "12 und 12", {0, 1, 2}), "12 und 12");
}

TEST(RestoredPieces, TakeThePlaceOfWordsThatBelongToThem) {
  EXPECT_EQ(restored("a 12 b", "number", "x 13 y", {0, 1, 2}), "x 12 y");
  EXPECT_EQ(restored("see ab12 now", "ab12", "jetzt a b siehe", {2, 1, 1, 0}), "jetzt ab12 siehe");
  EXPECT_EQ(restored("a 12 b 34", "number", "34 x y 12", {3, 0, 2, 1}), "34 x y 12");
}

TEST(RestoredPieces, AreInsertedIfNoWordBelongsToThem) {
  EXPECT_EQ(restored("a 12 b.", "number", "x y.", {0, 2, 3}), "x 12 y.");
  EXPECT_EQ(restored("a b 12.", "number", "x y.", {0, 1, 3}), "x y 12.");
  EXPECT_EQ(restored("12", "number", "", {}), "12");
}

TEST(RestoredPieces, KeepTheSpaceBetweenThem) {
  EXPECT_EQ(restored("a 12 b@c.de d", "12|b@c.de", "x http://y z", {0, 1, 1, 2, 2, 2, 3}), "x 12 b@c.de z");
  EXPECT_EQ(restored("a 12 34.", "number", "x.", {0, 3}), "x 12 34.");
  EXPECT_EQ(restored("12 34 a", "number", "(x)", {2, 2, 2}), "12 34 (x)");
  EXPECT_EQ(restored("12 34", "number", "", {}), "12 34");
  EXPECT_EQ(restored("a {b}{c}", "\\{.\\}", "x", {0}), "x {b}{c}") << "none in the source";
}

TEST(RestoredPieces, ComeOnce) {
  EXPECT_EQ(restored("12 zz q", "12|zz", "x 12 12 y", {0, 0, 2, 2}), "x 12 zz y") << "in place of a copy";
  EXPECT_EQ(restored("12 a b", "number", "12 12 y", {1, 0, 2}), "12 y");
  EXPECT_EQ(restored("a 12 b", "number", "x 12 12 y", {0, 1, 1, 2}), "x 12 y");
  EXPECT_EQ(restored("a 12 b", "number", "x 12 y 120 y12", {0, 1, 2, 2, 2}), "x 12 y 120 y12");
}

TEST(RestoredPieces, StayBesideTheirMarks) {
  const std::string source = "see https://x.org/?a&b now";
  const std::vector<Mark> marks{{MarkKind::open, 4, 1, "<a>", false},
                                {MarkKind::close, 22, 0, "</a>", false}};
  const std::vector<KeptText> kept = Protection({"url"}).find(source);
  ASSERT_EQ(kept.size(), 1u);
  const auto written = [](std::string_view text) {
    return text == "https://x.org/?a&b" ? std::string("URL") : std::string(text);
  };
  const std::string target = "jetzt http siehe";
  TokenLinks links = one_to_one(source, target, {});
  const std::size_t columns = links.sources.size();
  links.weights[columns - 1] = links.weights[columns + 1] = links.weights[2 * columns] = 1;
  EXPECT_EQ(text_with_marks({source, marks, kept}, target, std::span(&links, 1), written),
            "jetzt <a>URL</a> siehe");
}

TEST(RestoredPieces, AreAllThereWhateverTheTranslation) {
  Random random(11);
  const std::vector<std::string> words{"dog", "12", "%s", "a@b.de", ".", "{x}", "34", "犬", ","};
  const Protection protection({"number", "email", "placeholder"});
  const auto text = [&] {
    std::string result;
    for (auto left = 1 + random.below(9); left > 0; --left) {
      result += (result.empty() || random.below(8) == 0 ? "" : " ") + words[random.below(words.size())];
    }
    return result;
  };
  for (int round = 0; round < 10000; ++round) {
    const std::string source = text(), target = text();
    const std::size_t sources = unicode_words(source).size();
    std::vector<std::size_t> source_of(unicode_words(target).size());
    for (std::size_t& word : source_of) word = random.below(sources);
    const std::vector<KeptText> kept = protection.find(source);
    const TokenLinks links = one_to_one(source, target, source_of);
    LinkedWords linked(source, target, std::span(&links, 1));
    std::string result = target;
    const std::vector<KeptText> places = restore_kept(source, kept, linked, result);
    std::multiset<std::string_view> expected, found;
    for (const KeptText& piece : kept) expected.insert(piece.place.of(source));
    std::size_t at = 0, most = target.size();
    for (const KeptText& piece : places) {
      EXPECT_LE(at, piece.place.begin);
      at = piece.place.end;
      found.insert(piece.place.of(result));
      most += piece.place.size() + 2;  // with spaces
    }
    EXPECT_LE(result.size(), most) << source << "\n" << target << "\n" << result;
    EXPECT_EQ(found, expected) << source << "\n" << target << "\n" << result;
    for (std::size_t i = 0; i < linked.targets().size(); ++i) {
      EXPECT_LE(linked.targets()[i].end,
                i + 1 < linked.targets().size() ? linked.targets()[i + 1].begin : result.size());
    }
  }
}

std::vector<std::string> found(const std::vector<std::string>& patterns, const std::string& text) {
  std::vector<std::string> all;
  for (const KeptText& piece : Protection(patterns).find(text)) all.emplace_back(piece.place.of(text));
  return all;
}

TEST(Protected, AreWhatTheNamesSay) {
  using Strings = std::vector<std::string>;
  EXPECT_EQ(found({"number"}, "5 dogs, 1,000.50 and 12:30, A4, -3, ٣"),
            (Strings{"5", "1,000.50", "12:30", "3", "٣"}));
  EXPECT_EQ(found({"url"}, "see https://x.org/a?b=(c). Or www.ü.de/, xhttp://y"),
            (Strings{"https://x.org/a?b=(c", "www.ü.de/"}));
  EXPECT_EQ(found({"email"}, "to a.b+c@d-e.co.uk, not @x or a@b."), (Strings{"a.b+c@d-e.co.uk"}));
  EXPECT_EQ(found({"placeholder"}, "%s %1$d %(name)s {0} {{user}} ${x} %d%% 100% sure {a b} %.2f"),
            (Strings{"%s", "%1$d", "%(name)s", "{0}", "{{user}}", "${x}", "%d", "%.2f"}));
  EXPECT_EQ(found({"email", "[A-Z]{2}-\\d+", "number"}, "XY-12 of a1@b.de"), (Strings{"XY-12", "a1@b.de"}));
  EXPECT_EQ(found({}, "1"), Strings{});
  for (const std::string piece : {"a", "a@", "1.", "{a", "%", "www.", "https://", "https://!"}) {
    std::string text;
    while (text.size() < 1'000'000) text += piece;
    for (const std::string name : {"url", "email", "number", "placeholder"})
      EXPECT_NO_THROW(found({name}, text)) << piece;
  }
  EXPECT_THROW(Protection({"(a"}), UsageError);
  EXPECT_THROW(found({"(a+)+b"}, std::string(100, 'a')), Error) << "too many steps";
}

}  // namespace
}  // namespace gloss
