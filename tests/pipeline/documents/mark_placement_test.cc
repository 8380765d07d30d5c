// SPDX-License-Identifier: Apache-2.0

#include "pipeline/documents/marked_text.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.h"
#include "base/text.h"
#include "tokenizer/sentences/unicode_words.h"

namespace gloss {
namespace {

/// A text whose marks are written as tags, without white space around them that is not the text's.
struct MarkedText {
  explicit MarkedText(const std::string& tagged) {
    std::vector<std::size_t> open;
    for (std::size_t at = 0; at < tagged.size();) {
      if (tagged[at] != '<') {
        text += tagged[at++];
        continue;
      }
      const std::size_t end = tagged.find('>', at) + 1;
      Mark mark{MarkKind::alone, text.size(), 0, tagged.substr(at, end - at), false};
      if (mark.bytes[1] == '/') {
        mark.kind = MarkKind::close;
        mark.partner = open.back();
        marks[open.back()].partner = marks.size();
        open.pop_back();
      } else if (!mark.bytes.ends_with("/>")) {
        mark.kind = MarkKind::open;
        open.push_back(marks.size());
      }
      mark.is_space = mark.bytes == "<nbsp/>";
      marks.push_back(mark);
      at = end;
    }
  }

  std::string text;
  std::vector<Mark> marks;
};

/// One token for each word; `pairs` as in the Pharaoh format.
TokenLinks links_of(const std::string& source, const std::string& target, const std::string& pairs) {
  TokenLinks links;
  for (const ByteRange& word : unicode_words(source)) links.sources.push_back(word.end);
  for (const ByteRange& word : unicode_words(target)) links.targets.push_back(word.end);
  links.weights.resize(links.sources.size() * links.targets.size());
  for (const std::string& pair : split(pairs, ' ')) {
    if (pair.empty()) continue;
    const std::vector<std::string> numbers = split(pair, '-');
    links.weights.at(std::stoul(numbers[1]) * links.sources.size() + std::stoul(numbers[0])) = 1;
  }
  return links;
}

std::string moved(const std::string& tagged, const std::string& target, const std::string& pairs) {
  const MarkedText marked(tagged);
  const std::vector<TokenLinks> links{links_of(marked.text, target, pairs)};
  return text_with_marks({marked.text, marked.marks, {}}, target, links,
                         [](std::string_view text) { return std::string(text); });
}

TEST(MovedMarks, FollowTheWords) {
  EXPECT_EQ(moved("I <b>like</b> to <u>drive</u>", "Ich fahre gern", "0-0 3-1 1-2"),
            "Ich <u>fahre</u> <b>gern</b>");
  EXPECT_EQ(moved("I <b>like</b> to <u>drive</u>.", "Ich mag es zu fahren.", "0-0 1-1 1-2 2-3 3-4 4-5"),
            "Ich <b>mag es</b> zu <u>fahren</u>.");
  EXPECT_EQ(moved("the <i>big <b>red</b> car</i> is here", "das große rote Auto ist hier",
                  "0-0 1-1 2-2 3-3 4-4 5-5"),
            "das <i>große <b>rote</b> Auto</i> ist hier");
  EXPECT_EQ(moved("a <b>red car</b>", "une voiture rouge", "0-0 2-1 1-2"), "une <b>voiture rouge</b>");
}

TEST(MovedMarks, FollowWordsThatStayTheSame) {
  EXPECT_EQ(moved("see <b>Berlin</b> now", "jetzt Berlin sehen", "2-0 0-1 1-1 0-2"),
            "jetzt <b>Berlin</b> sehen");
  EXPECT_EQ(moved("a <b>die</b> now", "die x y", "0-0 1-1 2-2"), "die <b>x</b> y") << "a false friend";
  EXPECT_EQ(moved("a <b>dog</b>.", "ein Hund.", "0-0 1-1 1-2"), "ein <b>Hund</b>.");
}

TEST(MovedMarks, AreNeverSplit) {
  EXPECT_EQ(moved("he <b>gave</b> it up", "er gab es ganz auf", "0-0 1-1 2-2 3-3 1-4"),
            "er <b>gab</b> es ganz auf");
  EXPECT_EQ(moved("a <b>b</b><i>c</i>", "x", "0-0"), "<b>x</b><i></i>") << "no free words";
  EXPECT_EQ(moved("<b>a</b>", "", ""), "<b></b>");
}

TEST(MovedMarks, WithoutWordsStayBesideTheirNeighbours) {
  EXPECT_EQ(moved("red<br/> car", "voiture rouge", "1-0 0-1"), "voiture rouge<br/>");
  EXPECT_EQ(moved("red <img/>car", "voiture rouge", "1-0 0-1"), "<img/>voiture rouge");
  EXPECT_EQ(moved("<a></a>red car<br/>", "voiture rouge", "1-0 0-1"), "<a></a>voiture rouge<br/>");
  EXPECT_EQ(moved("a <b>red<br/> car</b>", "une voiture rouge", "0-0 2-1 1-2"),
            "une <b>voiture rouge<br/></b>");
  EXPECT_EQ(moved("<b>a c</b> <i><br/></i>d", "x y z", "0-0 1-1 2-2"), "<b>x y</b> <i><br/></i>z");
}

TEST(MovedMarks, AloneAreNotBeforeTheMarkThatEndsASentence) {
  EXPECT_EQ(moved("I go.<br/> you go", "ich gehe.", "0-0 2-1 1-2"), "ich gehe.<br/>");
  EXPECT_EQ(moved("go.<br/> stop", "(geh!) halt", "1-1 0-2 2-4"), "(geh!)<br/> halt");
  EXPECT_EQ(moved("go<br/> now.", "jetzt geh.", "1-0 0-1 2-2"), "jetzt geh.<br/>");
  EXPECT_EQ(moved("go<br/>.", "geh.", "0-0 1-1"), "geh<br/>.") << "as in the source";
}

TEST(MovedMarks, KeepTheirSideOfTheSpace) {
  EXPECT_EQ(moved("I<b> like</b> it", "Ich mag es", "0-0 1-1 2-2"), "Ich<b> mag</b> es");
  EXPECT_EQ(moved("I <b>like </b>it", "Ich mag es", "0-0 1-1 2-2"), "Ich <b>mag </b>es");
  EXPECT_EQ(moved("100<nbsp/> km", "100 km", "0-0 1-1"), "100<nbsp/>km");
}

TEST(MovedMarks, StayInTheirSentence) {
  const MarkedText marked("One <b>dog</b>. A <i>cat</i>.<br/>");
  const std::string target = "Ein Hund. Eine Katze.";
  std::vector<TokenLinks> links{links_of("One dog.", "Ein Hund.", "0-0 1-1 2-2"),
                                links_of("A cat.", "Eine Katze.", "0-0 1-1 2-2")};
  links[1].source_begin = 9;
  links[1].target_begin = 10;
  const auto same = [](std::string_view text) { return std::string(text); };
  EXPECT_EQ(text_with_marks({marked.text, marked.marks, {}}, target, links, same),
            "Ein <b>Hund</b>. Eine <i>Katze</i>.<br/>");
}

TEST(MovedMarks, AreWrittenWithTheTextAsTheDocumentNeedsIt) {
  const MarkedText marked("a <b>c</b>");
  const std::vector<TokenLinks> links{links_of(marked.text, "x y", "0-0 1-1")};
  const auto upper = [](std::string_view text) {
    return text == "y" ? std::string("&y;") : std::string(text);
  };
  EXPECT_EQ(text_with_marks({marked.text, marked.marks, {}}, "x y", links, upper), "x <b>&y;</b>");
}

/// Texts with random tags, and translations of random words.
struct RandomMarks : testing::Test {
  std::string words(std::uint64_t most) {
    std::string text;
    for (auto left = 1 + random.below(most); left > 0; --left) {
      text += text.empty() || random.below(6) == 0 ? "" : " ";
      text += std::vector<std::string>{
          "dog", "Haus", ".", "ü", "e-mail", "犬猫", "don't", "3.5"}[random.below(8)];
    }
    return text;
  }
  /// Inserts nested tags, each with its own name, only between words.
  std::string tagged(const std::string& text) {
    std::string result;
    std::vector<std::string> open;
    std::size_t at = 0;
    names = 0;
    const auto insert = [&] {
      while (random.below(3) == 0) {
        const std::string name = "t" + std::to_string(names++);
        if (random.below(3) == 0) {
          result += "<" + name + "/>";
        } else {
          result += "<" + name + ">";
          open.push_back(name);
        }
      }
      while (!open.empty() && random.below(2) == 0) {
        result += "</" + open.back() + ">";
        open.pop_back();
      }
    };
    for (const ByteRange& word : unicode_words(text)) {
      if (random.below(2) == 0) insert();
      result += text.substr(at, word.begin - at);
      if (at < word.begin && random.below(2) == 0) insert();
      result += word.of(text);
      at = word.end;
    }
    insert();
    for (; !open.empty(); open.pop_back()) result += "</" + open.back() + ">";
    return result;
  }
  static std::vector<std::string> tags_of(const std::string& text) {
    std::vector<std::string> tags;
    for (std::size_t at = text.find('<'); at != std::string::npos; at = text.find('<', at + 1)) {
      tags.push_back(text.substr(at, text.find('>', at) + 1 - at));
    }
    std::sort(tags.begin(), tags.end());
    return tags;
  }

  Random random{17};
  int names = 0;
};

TEST_F(RandomMarks, OfATextThatStaysTheSameStayTheSame) {
  for (int round = 0; round < 2000; ++round) {
    const std::string source = tagged(words(8));
    const MarkedText marked(source);
    const std::size_t count = unicode_words(marked.text).size();
    std::vector<std::string> pairs;
    for (std::size_t i = 0; i < count; ++i) pairs.push_back(concat(i, "-", i));
    EXPECT_EQ(moved(source, marked.text, join(pairs, " ")), source);
  }
}

TEST_F(RandomMarks, AreOnceNestedAndNeverInWords) {
  for (int round = 0; round < 2000; ++round) {
    const std::string source = tagged(words(8)), target = words(8);
    const MarkedText marked(source);
    const std::size_t sources = unicode_words(marked.text).size(), targets = unicode_words(target).size();
    std::vector<std::string> pairs;
    for (auto left = 1 + random.below(12); left > 0; --left) {
      pairs.push_back(concat(random.below(sources), "-", random.below(targets)));
    }
    const std::string result = moved(source, target, join(pairs, " "));
    EXPECT_EQ(tags_of(result), tags_of(source));
    const MarkedText again(result);  // finds the partner of each tag
    EXPECT_EQ(again.text, target) << source;
    for (const Mark& mark : again.marks) {
      if (mark.kind == MarkKind::close) {
        EXPECT_EQ("<" + mark.bytes.substr(2), again.marks[mark.partner].bytes) << source << "\n" << result;
      }
      for (const ByteRange& word : unicode_words(target)) {
        EXPECT_FALSE(word.begin < mark.at && mark.at < word.end) << source << "\n" << result;
      }
    }
  }
}

TEST(ManyMarks, AreMoved) {
  constexpr int kMany = 100'000;
  std::string source, nested, pairs;
  for (int i = 0; i < kMany; ++i) source += "<b>a</b><br/> ";
  source += "end";
  for (int i = 0; i < kMany; ++i) nested += "<b>";
  nested += "a";
  for (int i = 0; i < kMany; ++i) nested += "</b>";
  const MarkedText marked(source);
  std::vector<TokenLinks> links(kMany + 1);
  for (std::size_t i = 0; i <= kMany; ++i) links[i].source_begin = links[i].target_begin = 2 * i;
  const auto same = [](std::string_view text) { return std::string(text); };
  EXPECT_EQ(text_with_marks({marked.text, marked.marks, {}}, marked.text, links, same), source);
  EXPECT_EQ(moved(nested, "a", "0-0"), nested);
}

}  // namespace
}  // namespace gloss
