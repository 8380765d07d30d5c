// SPDX-License-Identifier: Apache-2.0
// Pairs as corpora have them: every form gives the same records, and what has no pair is refused or counted.
#include "pipeline/records/record_reader.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/error.h"
#include "base/output.h"
#include "tests/support/foreign_bytes.h"
#include "tests/support/temporary_directory.h"

namespace gloss {
namespace {

/// The rows of all records; of a broken one, "LINE! source".
std::vector<std::string> rows_of(const RecordFiles& files, const Shard& shard = {}) {
  check(files);
  RecordReader reader(files, shard);
  std::vector<std::string> rows;
  if (!reader.columns().names.empty()) rows.push_back(reader.columns().header());
  for (PairRecord record; reader.next(record);) {
    rows.push_back(record.broken.empty() ? reader.columns().row(record)
                                         : std::to_string(record.line) + "! " + record.source);
  }
  return rows;
}

/// The message of the InputError; "" without one.
std::string refusal(const RecordFiles& files) {
  try {
    rows_of(files);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

using Rows = std::vector<std::string>;
const Rows kTwo{"a cat\tune chatte", "a dog\tun chien"};

TEST(RecordReader, TwoFilesAreReadLineByLine) {
  const TemporaryDirectory folder;
  RecordFiles files{.source = folder.write("en", "a cat\r\na dog\n"),
                    .target = folder.write("fr", "une chatte\nun chien")};
  EXPECT_EQ(rows_of(files), kTwo);
  files.target = folder.write("long", "une chatte\nun chien\n\n");
  EXPECT_NE(refusal(files).find("2 lines"), std::string::npos);
  EXPECT_NE(refusal(files).find("3 lines"), std::string::npos);
}

TEST(RecordReader, FurtherColumnsStayInTheirPlaces) {
  const TemporaryDirectory folder;
  const Rows rows{"x.org\ta cat\t0.9\tune chatte", "y.org\ta dog\t0.1\tun chien"};
  RecordFiles files{.tsv = folder.write("t", rows[0] + "\n" + rows[1] + "\n"), .columns = {"2", "4"}};
  EXPECT_EQ(rows_of(files), rows);
  RecordReader reader(files);
  PairRecord record;
  ASSERT_TRUE(reader.next(record));
  EXPECT_EQ(record.source, "a cat");
  EXPECT_EQ(record.target, "une chatte");
  EXPECT_EQ(record.other, (Rows{"x.org", "0.9"}));
  files.tsv = folder.write("h", "url\ten\tscore\tfr\n" + rows[0] + "\n");
  files.columns = {"en", "fr"};
  EXPECT_EQ(rows_of(files), (Rows{"url\ten\tscore\tfr", rows[0]}));
  files.columns = {"en", "de"};
  EXPECT_NE(refusal(files).find("but not"), std::string::npos);
}

TEST(RecordReader, RowsWithoutAPairNameTheirLine) {
  const TemporaryDirectory folder;
  RecordFiles files{.tsv = folder.write("t", "a cat\tune chatte\nalone\na dog\tun chien\n")};
  EXPECT_NE(refusal(files).find("t:2: found 1 column"), std::string::npos) << refusal(files);
  files.skip_broken = true;
  EXPECT_EQ(rows_of(files), (Rows{kTwo[0], "2! alone", kTwo[1]}));
}

TEST(RecordReader, ShardsHaveTheHeaderOnlyAsNames) {
  const TemporaryDirectory folder;
  RecordFiles files{.tsv = folder.write("t", "en\tfr\n1\t2\n3\t4\n5\t6\n7\t8\n"), .header = true};
  Rows all;
  for (int i = 1; i <= 3; ++i) {
    Rows part = rows_of(files, {i, 3});
    EXPECT_EQ(part.front(), "en\tfr");
    all.insert(all.end(), part.begin() + 1, part.end());
  }
  EXPECT_EQ(all, (Rows{"1\t2", "3\t4", "5\t6", "7\t8"}));
}

TEST(RecordReader, JsonObjectsHaveTheirTextsUnderKnownOrGivenNames) {
  const TemporaryDirectory folder;
  RecordFiles files{.jsonl =
                        folder.write("j", R"({"src_text": "a cat", "trg_text": "une\nchatte", "score": 0.5}
{"src_text": "a dog", "trg_text": "un chien", "url": "y.org"}
)")};
  EXPECT_EQ(rows_of(files),
            (Rows{"src_text\ttrg_text\tscore", "a cat\tune chatte\t0.5", "a dog\tun chien\t"}));
  files.jsonl = folder.write("k", R"({"translation": {"en": "a cat", "fr": "une chatte"}})");
  files.languages = {"en", "fr"};
  EXPECT_EQ(rows_of(files).at(1), kTwo[0]);
  files.jsonl = folder.write("l", R"({"q": "a cat", "a": "une chatte"})");
  files.columns = {"q", "a"};
  EXPECT_EQ(rows_of(files).at(1), kTwo[0]);
  RecordFiles one{.jsonl = folder.write("m", R"({"text": "a cat", "id": 7})")};
  EXPECT_EQ(rows_of(one), (Rows{"text\tid", "a cat\t7"}));
}

TEST(RecordReader, BrokenObjectsNameTheirLine) {
  const TemporaryDirectory folder;
  RecordFiles files{
      .jsonl = folder.write(
          "j", "{\"source\": \"a\", \"target\": \"b\"}\n{\"source\": \"a\n{\"source\": 3}\n[]\n")};
  EXPECT_NE(refusal(files).find("j:2: "), std::string::npos) << refusal(files);
  files.skip_broken = true;
  EXPECT_EQ(rows_of(files),
            (Rows{"source\ttarget", "a\tb", "2! {\"source\": \"a", "3! {\"source\": 3}", "4! []"}));
}

std::string memory(const std::string& units) {
  return "<?xml version=\"1.0\"?>\n<!DOCTYPE tmx SYSTEM \"tmx14.dtd\">\n<tmx "
         "version=\"1.4\"><header/><body>\n" +
         units + "</body></tmx>\n";
}
const char* const kUnits =
    "<!-- <tu> in a comment --><tu tuid=\"1\"><prop type=\"x\">p</prop>\n<tuv xml:lang=\"EN-gb\"><seg>a <bpt "
    "i=\"1\">&lt;b></bpt>cat</seg></tuv>"
    "<tuv xml:lang=\"fr\"><seg>une <![CDATA[chatte]]></seg></tuv></tu>\n"
    "<tu><tuv lang=\"fr\"><seg>un chien</seg></tuv><tuv lang=\"en\"><seg>a dog</seg></tuv></tu>\n";

TEST(RecordReader, UnitsOfATranslationMemoryAreReadByLanguage) {
  const TemporaryDirectory folder;
  RecordFiles files{.tmx = folder.write("t.tmx", memory(kUnits))};
  EXPECT_EQ(rows_of(files), kTwo);
  files.languages = {"fr", "en"};
  EXPECT_EQ(rows_of(files), (Rows{"une chatte\ta cat", "un chien\ta dog"}));
  files.languages = {"fr", "de"};
  EXPECT_EQ(rows_of(files), (Rows{"une chatte\t", "un chien\t"}));
}

TEST(RecordReader, BrokenUnitsCostNoOther) {
  const TemporaryDirectory folder;
  const std::string broken =
      "<tu><tuv xml:lang=\"en\"><seg>x &nbsp; y</seg></tuv></tu>\n<tu><tuv xml:lang=\"en\"><seg>open</seg>\n";
  RecordFiles files{.tmx = folder.write("t.tmx", memory(broken + kUnits))};
  EXPECT_NE(refusal(files).find("t.tmx:4: "), std::string::npos) << refusal(files);
  files.skip_broken = true;
  const Rows rows = rows_of(files);
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_TRUE(rows[0].starts_with("4! ")) << rows[0];
  EXPECT_TRUE(rows[1].starts_with("5! ")) << rows[1];
  EXPECT_EQ(rows[3], kTwo[1]);
  files.tmx = folder.write("cut.tmx", memory(kUnits).substr(0, 300));
  EXPECT_FALSE(rows_of(files).empty());
  files.tmx = folder.write("no.tmx", "a cat\n");
  EXPECT_NE(refusal(files).find("<tmx>"), std::string::npos);
  files.tmx = folder.write("bomb.tmx",
                           "<!DOCTYPE tmx [<!ENTITY a \"xxxxxxxxxx\"><!ENTITY b "
                           "\"&a;&a;&a;\">]>\n<tmx><tu><tuv lang=\"en\"><seg>&b;</seg></tuv></tu></tmx>");
  EXPECT_TRUE(rows_of(files).at(0).starts_with("2! "));
}

TEST(RecordReader, LargeMemoriesAndLongUnitsAreReadInParts) {
  const TemporaryDirectory folder;
  std::string units;
  for (int i = 0; i < 3000; ++i) units += kUnits;
  const std::string longest =
      "<tu><tuv lang=\"en\"><seg>" + std::string(300'000, 'x') + "</seg></tuv></tu>\n";
  RecordFiles files{.tmx = folder.write("t.tmx", memory(units + longest + kUnits)),
                    .skip_broken = true,
                    .max_line_bytes = 100'000};
  const Rows rows = rows_of(files);
  ASSERT_EQ(rows.size(), 6003U);
  EXPECT_EQ(rows[5999], kTwo[1]);
  EXPECT_EQ(rows[6000].substr(0, 12), "9004! <tu><t");
  EXPECT_EQ(rows[6002], kTwo[1]);
}

TEST(RecordReader, ArchivesHaveAFileForEachLanguage) {
  const TemporaryDirectory folder;
  const auto archive = [&](const std::string& target) {
    return folder.write("z.zip", zip_bytes({{"README", "about"},
                                            {"B.en-fr.fr", target},
                                            {"B.en-fr.en", "a cat\na dog\n"},
                                            {"B.en-fr.ids", "1\n2\n"}}));
  };
  RecordFiles files{.zip = archive("une chatte\nun chien\n")};
  EXPECT_EQ(rows_of(files), kTwo);
  files.languages = {"fr", "en"};
  EXPECT_EQ(rows_of(files).at(0), "une chatte\ta cat");
  files.languages = {"fr", "de"};
  EXPECT_NE(refusal(files).find(".de"), std::string::npos);
  archive("une chatte\n");
  files.languages = {"en", "fr"};
  EXPECT_NE(refusal(files).find("1 line"), std::string::npos);
  EXPECT_THROW(RecordReader(files, Shard{1, 2}), UsageError);
}

TEST(RecordReader, LongLinesAreCutAndMarked) {
  const TemporaryDirectory folder;
  const RecordFiles files{.plain = folder.write("p", "short\n" + std::string(1000, 'x') + "\nend"),
                          .max_line_bytes = 100};
  RecordReader reader(files);
  std::vector<bool> cut;
  for (PairRecord record; reader.next(record);) cut.push_back(record.cut);
  EXPECT_EQ(cut, (std::vector<bool>{false, true, false}));
  EXPECT_EQ(reader.cut_lines().first, 2);
}

TEST(RecordReader, RecordsAreWrittenAsRowsOrTwoFiles) {
  const TemporaryDirectory folder;
  const PairRecord record{"a\tcat", "une chatte", {"0.5"}};
  const RecordColumns columns{.source = 1, .target = 2};
  {
    Output rows(folder / "rows"), first(folder / "first"), second(folder / "second");
    write_record(record, columns, rows, nullptr);
    write_record(record, columns, first, &second);
    for (Output* const output : {&rows, &first, &second}) output->close();
  }
  EXPECT_EQ(folder.read("rows"), "0.5\ta cat\tune chatte\n");
  EXPECT_EQ(folder.read("first"), "a cat\n");
  EXPECT_EQ(folder.read("second"), "une chatte\n");
}

TEST(RecordReader, FilesInSeveralPlacesAreRefused) {
  EXPECT_THROW(check(RecordFiles{}), UsageError);
  EXPECT_THROW(check(RecordFiles{.source = "a"}), UsageError);
  EXPECT_THROW(check(RecordFiles{.tsv = "a", .plain = "b"}), UsageError);
  EXPECT_THROW(check(RecordFiles{.plain = "b", .languages = {"en", "fr"}}), UsageError);
  EXPECT_NO_THROW(check(RecordFiles{.source = "a", .target = "b"}));
}

}  // namespace
}  // namespace gloss
