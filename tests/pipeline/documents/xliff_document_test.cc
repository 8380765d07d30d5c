// SPDX-License-Identifier: Apache-2.0

#include "pipeline/documents/xliff_document.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/random.h"
#include "base/text.h"

namespace gloss {
namespace {

using Texts = std::vector<std::string>;

std::string version1(const std::string& units) {
  return "<?xml version='1.0' encoding='UTF-8'?>\n<xliff version='1.2' "
         "xmlns='urn:oasis:names:tc:xliff:document:1.2'>"
         "<file original='f' source-language='en' datatype='plaintext'><body>\n" +
         units + "</body></file></xliff>\n";
}

std::string version2(const std::string& units) {
  return "<xliff version='2.0' xmlns='urn:oasis:names:tc:xliff:document:2.0' srcLang='en'><file id='f'>" +
         units + "</file></xliff>";
}

/// The document if all texts stay as they are.
std::string copied(const std::string& document) {
  std::string all;
  for (const DocumentPart& part : xliff_parts(document, "file")) all += part.before + part.source;
  return all;
}

/// What a new target of XLIFF 1 says about itself.
const std::string kMachine = " state=\"needs-review-translation\" state-qualifier=\"leveraged-mt\"";

/// The document with the states of machine translations in place of "new".
std::string with_states(std::string document) {
  const std::string old = " state='new'",
                    now = " state='needs-review-translation' state-qualifier=\"leveraged-mt\"";
  for (std::size_t at = document.find(old); at != std::string::npos; at = document.find(old, at + now.size()))
    document.replace(at, old.size(), now);
  return document;
}

/// The texts of a document, with '|' where marks are.
Texts xliff_texts(const std::string& document) {
  Texts all;
  for (const DocumentPart& part : xliff_parts(document, "file")) {
    if (part.source.empty()) continue;
    std::string text = part.text;
    for (auto mark = part.marks.rbegin(); mark != part.marks.rend(); ++mark) text.insert(mark->at, "|");
    all.push_back(text);
  }
  return all;
}

TEST(XliffParts, GiveNewTargets) {
  EXPECT_EQ(copied(version1(
                "  <trans-unit id='1'>\r\n    <source> One <g id='1'>two</g>\n</source>\r\n  </trans-unit>")),
            version1("  <trans-unit id='1'>\r\n    <source> One <g id='1'>two</g>\n</source>\r\n    <target" +
                     kMachine +
                     "> One <g "
                     "id='1'>two</g>\n</target>\r\n  </trans-unit>"));
  EXPECT_EQ(
      copied(version1("<trans-unit id='1'><source>One</source><seg-source>One</seg-source><note>x</note>"
                      "</trans-unit>")),
      version1("<trans-unit id='1'><source>One</source><seg-source>One</seg-source><target" + kMachine +
               ">One</target>"
               "<note>x</note></trans-unit>"));
  EXPECT_EQ(
      copied(version2("<unit id='u'><segment><source>One</source></segment><ignorable><source> "
                      "</source></ignorable></unit>")),
      version2("<unit id='u'><segment "
               "state=\"translated\"><source>One</source><target>One</target></segment><ignorable><source> "
               "</source></ignorable></unit>"));
  const std::string prefixed =
      "<l:xliff xmlns:l='urn:oasis:names:tc:xliff:document:1.2' version='1.2'><l:trans-unit>"
      "<l:source>One</l:source>";
  EXPECT_EQ(copied(prefixed + "</l:trans-unit></l:xliff>"),
            prefixed + "<l:target" + kMachine + ">One</l:target></l:trans-unit></l:xliff>");
  EXPECT_EQ(copied(version1("<trans-unit id='1'><source>12 &lt; 13</source></trans-unit>")),
            version1("<trans-unit id='1'><source>12 &lt; 13</source><target" + kMachine +
                     ">12 &lt; 13</target></trans-unit>"));
}

TEST(XliffParts, FillTargetsThatAreNotTranslated) {
  const std::string state = " state='needs-review-translation' state-qualifier=\"leveraged-mt\"",
                    unit = "<trans-unit id='1'><source>One</source>";
  for (const auto& [target, tag] : std::vector<std::pair<std::string, std::string>>{
           {"<target/>", "<target" + kMachine},
           {"<target></target>", "<target" + kMachine},
           {"<target state='new'>Two</target>", "<target" + state},
           {"<target xml:lang='de' state = 'needs-translation' />",
            "<target xml:lang='de' state = 'needs-review-translation' state-qualifier=\"leveraged-mt\" "},
           {"<target state-qualifier='exact-match' state='new'/>",
            "<target state-qualifier='leveraged-mt' state='needs-review-translation'"},
           {"<target>  </target>", "<target" + kMachine},
           {"<target>\n  </target>", "<target" + kMachine}}) {
    EXPECT_EQ(copied(version1(unit + target + "</trans-unit>")),
              version1(unit + tag + ">One</target></trans-unit>"));
  }
  const auto segment = [](const std::string& attributes, const std::string& target) {
    return version2("<unit id='u'><segment" + attributes + "><source>One</source>" + target +
                    "</segment></unit>");
  };
  EXPECT_EQ(copied(segment(" state='initial' subState='x:y' id='s'", "<target>Two</target>")),
            segment(" state='translated' id='s'", "<target>One</target>"));
  EXPECT_EQ(copied(segment(" id=\"s\"", "<target/>")),
            segment(" id=\"s\" state=\"translated\"", "<target>One</target>"));
  const std::string old = "<xliff version='1.0'><trans-unit><source>One</source>";
  EXPECT_EQ(copied(old + "</trans-unit></xliff>"), old + "<target>One</target></trans-unit></xliff>")
      << "XLIFF 1.0 lists no states";
}

TEST(XliffParts, HaveTheSegmentsOfTheirSources) {
  const std::string content =
      "\n <g id='1'><mrk mtype='seg' mid='1'>One <x id='2'/>dog.</mrk>  <mrk mid='2' "
      "mtype='seg'> It <mrk mtype='term'>sees</mrk></mrk></g> and <mrk mtype='seg' mid='3'>12</mrk><mrk "
      "mtype='seg' mid='4'/><mrk mtype='seg' mid='5' translate='no'>No</mrk>";
  const Texts units{
      "<trans-unit id='1'><source>One dog. It sees</source><seg-source>" + content + "</seg-source>",
      "<trans-unit id='1'><source>" + content + "</source>"};
  for (const std::string& unit : units) {
    const std::string document = version1(unit + "</trans-unit>");
    EXPECT_EQ(xliff_texts(document), (Texts{"One |dog.", "It |sees|"}));
    EXPECT_EQ(copied(document),
              version1(unit + "<target" + kMachine + ">" + content + "</target></trans-unit>"));
  }
  const std::string unit =
      "<trans-unit id='1'><source>One</source><seg-source><mrk mtype='seg' mid='1'>One</mrk>"
      "</seg-source>";
  EXPECT_EQ(
      copied(version1(unit + "<target><mrk mtype='seg' mid='1'></mrk></target></trans-unit>")),
      version1(unit + "<target" + kMachine + "><mrk mtype='seg' mid='1'>One</mrk></target></trans-unit>"));
  EXPECT_EQ(
      xliff_texts(version1("<trans-unit id='1'><source>One dog. Two</source><seg-source>One</seg-source>"
                           "</trans-unit>")),
      Texts{"One dog. Two"})
      << "no segment";
}

/// The document if all texts stay as they are, with German targets.
std::string german(const std::string& document) {
  std::string all;
  for (const DocumentPart& part : xliff_parts(document, "file", "de")) all += part.before + part.source;
  return all;
}

TEST(XliffParts, NameTheLanguageOfTheFilesWithNewTargets) {
  const std::string unit = "<trans-unit id='1'><source>One</source></trans-unit>",
                    done = "<trans-unit id='1'><source>One</source><target>Eins</target></trans-unit>",
                    now = "<trans-unit id='1'><source>One</source><target" + kMachine +
                          ">One</target></trans-unit>";
  const auto file = [](const std::string& attribute, const std::string& units) {
    return "<file original='f'" + attribute + "><body>" + units + "</body></file>";
  };
  const auto document = [](const std::string& files) { return "<xliff version='1.2'>" + files + "</xliff>"; };
  EXPECT_EQ(german(document(file("", done) + file("", unit + unit) + file(" target-language='fr'", unit))),
            document(file("", done) + file(" target-language=\"de\"", now + now) +
                     file(" target-language='fr'", now)));
}

TEST(XliffParts, NameTheLanguageOfTheirTargets) {
  const auto with_language = [](const std::string& document) {
    const std::string all = german(document);
    return all.substr(0, all.find('>'));
  };
  const std::string unit = "<unit id='u'><segment><source>One</source></segment></unit>",
                    before = version2(unit).substr(0, version2(unit).find('>'));
  EXPECT_EQ(with_language(version2(unit)), before + " trgLang=\"de\"");
  EXPECT_EQ(with_language(version2("")), before) << "no target";
  const std::string other = "<xliff version='2.0' trgLang='fr'>" + unit + "</xliff>";
  EXPECT_EQ(with_language(other), "<xliff version='2.0' trgLang='fr'");
  EXPECT_EQ(with_language(version1("")), "<?xml version='1.0' encoding='UTF-8'?");
}

TEST(XliffParts, OfUnitsThatStandInUnitsAreOfTheOuterOnes) {
  const std::string inner = "a <file><unit><segment><source>b</source></segment></unit></file> c";
  EXPECT_EQ(copied(version2("<unit><segment><source>" + inner + "</source></segment></unit>")),
            version2("<unit><segment state=\"translated\"><source>" + inner + "</source><target>" + inner +
                     "</target></segment></unit>"));
  std::string all;
  const std::string file = "d <file/> e", unit = "<trans-unit id='2'><source>f</source></trans-unit>";
  for (const DocumentPart& part : xliff_parts(
           version1("<trans-unit id='1'><source>" + file + "</source></trans-unit>" + unit), "file", "de"))
    all += part.before + part.source;
  EXPECT_NE(all.find("<source>" + file + "</source><target" + kMachine + ">" + file + "</target>"),
            std::string::npos)
      << all;
  EXPECT_NE(all.find("<source>f</source><target" + kMachine + ">f</target>"), std::string::npos) << all;
}

TEST(XliffParts, LeaveOutWhatIsTranslatedOrMustNotBe) {
  for (const std::string unit :
       {"<trans-unit id='1'><source>One</source><target>Eins</target></trans-unit>",
        "<trans-unit id='1'><source>One</source><target state='translated'>Eins</target></trans-unit>",
        "<trans-unit id='1'><source>One</source><target state='final'>Eins</target></trans-unit>",
        "<trans-unit id='1'><source>One</source><target state='signed-off'/></trans-unit>",
        "<trans-unit id='1' approved='yes'><source>One</source><target "
        "state='new'>Eins</target></trans-unit>",
        "<trans-unit id='1' approved='yes'><source>One</source></trans-unit>",
        "<trans-unit id='1' translate='no'><source>One</source></trans-unit>",
        "<group translate='no'><trans-unit id='1'><source>One</source></trans-unit></group>",
        "<trans-unit id='1'><source/></trans-unit>", "<trans-unit id='1'/>",
        "<trans-unit id='1'><source></source></trans-unit>",
        "<trans-unit id='1'><source> \n</source><target state='new'/></trans-unit>"}) {
    EXPECT_EQ(xliff_texts(version1(unit)), Texts{}) << unit;
    EXPECT_EQ(copied(version1(unit)), version1(unit));
  }
  EXPECT_EQ(xliff_texts(version1(
                "<group translate='no'><trans-unit id='1' translate='yes'><source>One</source></trans-unit>"
                "</group><trans-unit id='2'><source>Two</source><alt-trans><source>Three</source><target>"
                "Drei</target></alt-trans></trans-unit>")),
            (Texts{"One", "Two"}));
  for (const std::string state : {"reviewed", "final"}) {
    const std::string document = version2("<unit id='u'><segment state='" + state +
                                          "'><source>One</source><target/></segment></unit>");
    EXPECT_EQ(copied(document), document);
  }
  const std::string empty = version2("<unit id='u'><segment><source></source></segment></unit>");
  EXPECT_EQ(copied(empty), empty);
  EXPECT_EQ(
      xliff_texts(version2("<unit id='u' translate='no'><segment><source>One</source></segment></unit>")),
      Texts{});
}

TEST(XliffParts, HaveInlineElementsAsMarks) {
  EXPECT_EQ(xliff_texts(
                version1("<trans-unit id='1'><source>a <g id='1'>b</g> <x id='2'/>c<ph id='3'>&lt;br></ph> d"
                         "<bpt id='4' rid='1'>code</bpt>e<ept id='5' rid='1'>code</ept> f<!-- no --> g"
                         "<mrk mtype='protected'>ACME</mrk> h</source></trans-unit>")),
            Texts{"a |b| |c| d|e| f| gACME h"});
  EXPECT_EQ(xliff_texts(version2(
                "<unit id='u'><segment><source>a <pc id='1'>b</pc> <ph id='2'/>c <sc id='3'/>d<ec "
                "startRef='3'/> e&#160;f <mrk id='m' translate='no'>ACME</mrk> g</source></segment></unit>")),
            Texts{"a |b| |c |d| e| f ACME g"});
  const DocumentPart part = xliff_parts(
      version2("<unit id='u'><segment><source>a <sc id='3'/>d<ec startRef='3'/> e</source></segment></unit>"),
      "f")[0];
  ASSERT_EQ(part.marks.size(), 2u);
  EXPECT_EQ(part.marks[0].kind, MarkKind::open);
  EXPECT_EQ(part.marks[1].bytes, "<ec startRef='3'/>");
}

// Else the tags of an element could change places.
TEST(XliffParts, HaveCodesAcrossElementsAsMarksAlone) {
  const auto kinds = [](const std::string& source) {
    std::string all;
    const std::string unit = "<trans-unit id='1'><source>" + source + "</source></trans-unit>";
    const DocumentPart part = xliff_parts(version1(unit), "file").at(0);
    for (const Mark& mark : part.marks)
      all += mark.kind == MarkKind::open ? '(' : mark.kind == MarkKind::close ? ')' : '.';
    return all;
  };
  EXPECT_EQ(kinds("a <bx id='1'/>b <g id='2'>c <ex id='1'/>d</g> e"), ".(.)");
  EXPECT_EQ(kinds("a <g id='2'>b <bx id='1'/>c</g> d<ex id='1'/> e"), "(.).");
  EXPECT_EQ(kinds("a <bx id='1'/>b <bx id='2'/>c<ex id='1'/>d<ex id='2'/> e"), "(.).");
  EXPECT_EQ(kinds("a <bx id='1'/>b <g id='2'>c</g><ex id='1'/> e"), "(())");
}

TEST(XliffParts, HaveReferencesInSectionsAsText) {
  EXPECT_EQ(xliff_texts(version1("<trans-unit id='1'><source>a<![CDATA[ &nbsp; ]]>b</source></trans-unit>")),
            Texts{"a &nbsp; b"});
}

TEST(XliffParts, DecodeAndWriteReferences) {
  EXPECT_EQ(xliff_texts(version1(
                "<trans-unit id='1'><source>a &lt;b> &amp; <![CDATA[<c>]]>&#xFC;</source></trans-unit>")),
            Texts{"a <b> & <c>ü"});
  EXPECT_EQ(xml_written("a < b & c ]]>\x01"), "a &lt; b &amp; c ]]&gt; ");
}

void expect_refused(const std::string& document, const std::string& part) {
  try {
    xliff_parts(document, "file");
    ADD_FAILURE() << document.substr(0, 100);
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

TEST(XliffParts, AreOfWellFormedDocumentsOnly) {
  expect_refused("", "file");
  expect_refused("text", "file:1:1");
  expect_refused("<xliff version='1.2'>\n <a></b></xliff>", "file:2:9");
  expect_refused("<xliff version='1.2'><source>", "file:1");
  expect_refused("<html/>", "<html>");
  expect_refused("<xliff version='3.0'/>", "'3.0'");
  expect_refused("<?xml version='1.0' encoding='latin1'?><xliff version='1.2'/>", "latin1");
  expect_refused("<xliff version='1.2'>\xE4</xliff>", "file:1");
  expect_refused(std::string("<xliff version='1.2'>\0</xliff>", 29), "file:1");
  expect_refused("<!DOCTYPE xliff [<!ENTITY a SYSTEM '/etc/hostname'>]><xliff version='1.2'>&a;</xliff>",
                 "DOCTYPE");
  expect_refused("<!DOCTYPE x [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;&a;'>]><xliff version='1.2'>&b;</xliff>",
                 "DOCTYPE");
  expect_refused("<xliff version='1.2'>&unknown;</xliff>", "file:1");
  std::string deep = "<xliff version='1.2'>";
  for (int i = 0; i < 100'000; ++i) deep += "<group>";
  expect_refused(deep, "file:1");
}

TEST(XliffParts, OfManyMarks) {
  std::string source;
  for (int i = 0; i < 100'000; ++i) source += "<g id='1'>a</g> <x id='2'/>";
  const std::string document = version1("<trans-unit id='1'><source>" + source +
                                        "</source><target state='new'>" + source + "</target></trans-unit>");
  EXPECT_EQ(copied(document), with_states(document));
}

TEST(XliffParts, OfTargetsThatAreTheirSourcesAreTheDocument) {
  Random random(5);
  const Texts pieces{"word ",
                     "&amp;",
                     "<x id='1'/>",
                     "<g id='2'>",
                     "</g>",
                     "\n",
                     "<!-- c -->",
                     "<![CDATA[<]]>",
                     "&#160;",
                     "<ph id='3'>a</ph>",
                     "<mrk mtype='protected'>A</mrk>",
                     "<?p i?>",
                     "<bx id='4'/>",
                     "<ex id='4'/>",
                     "ü"};
  for (int round = 0; round < 3000; ++round) {
    std::string source;
    bool empty = true;
    int open = 0;
    for (auto left = random.below(12); left > 0; --left) {
      const std::string& piece = pieces[random.below(pieces.size())];
      if (piece == "</g>" && open == 0) continue;
      open += piece == "</g>" ? -1 : piece.starts_with("<g") ? 1 : 0;
      empty = empty && (piece == "\n" || piece.starts_with("<!--") || piece.starts_with("<?"));
      source += piece;
    }
    for (; open > 0; --open) source += "</g>";
    const std::string document =
        version1("<trans-unit id='1'><source>" + source + "</source><target state='new'>" + source +
                 "</target></trans-unit>");
    EXPECT_EQ(copied(document), empty ? document : with_states(document));
  }
}

}  // namespace
}  // namespace gloss
