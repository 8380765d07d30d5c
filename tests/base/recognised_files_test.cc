// SPDX-License-Identifier: Apache-2.0
// Files that are recognised by their content, and compressed output.
#include <gtest/gtest.h>

#include <map>

#include "base/error.h"
#include "base/lines.h"
#include "base/output.h"
#include "base/packer.h"
#include "tests/support/long_text.h"
#include "tests/support/temporary_directory.h"

namespace gloss {
namespace {

using namespace std::string_literals;

// "one\ntwo\n" as the programs xz and bzip2 pack it.
const std::string kXz =
    "\xfd"
    "7zXZ\0\0\x04\xe6\xd6\xb4\x46\x02\0\x21\x01\x16\0\0\0\x74\x2f\xe5\xa3\x01\0\x07one\ntwo\n\0"
    "\x51\xab\x9e\xaf\x57\x75\x70\x49\0\x01\x20\x08\xbb\x19\xd9\xbb\x1f\xb6\xf3\x7d\x01\0\0\0\0\x04YZ"s;
const std::string kBzip2 =
    "BZh91AY&SY\xa7\x14\x2b\x77\0\0\x02\xc1\x80\0\x10\x02\x01\x84\x80\x20\0\x21\x80\x0c\x02\x38\xf5\x1b\x8b"
    "\xb9\x22\x9c\x28\x48\x53\x8a\x15\xbb\x80"s;
const std::string kEmptyBzip2 = "BZh9\x17\x72\x45\x38\x50\x90\0\0\0\0"s;

std::string packed(const std::string& suffix, const std::string& text) {
  const std::unique_ptr<Packer> packer = packer_for(suffix);
  std::string bytes;
  for (std::size_t at = 0; at < text.size(); at += 10'007) bytes += packer->pack(text.substr(at, 10'007));
  return bytes + packer->finish();
}

struct RecognisedFiles : testing::Test {
  std::string lines_of(const std::string& bytes) {
    std::string text;
    for (const std::string& line : read_lines(folder.write("file", bytes))) text += line + "\n";
    return text;
  }
  TemporaryDirectory folder;
  std::vector<std::string> suffixes{".gz", ".zst", ".xz", ".bz2"};
};

TEST_F(RecognisedFiles, XzAndBzip2AreUnpacked) {
  EXPECT_EQ(lines_of(kXz), "one\ntwo\n");
  EXPECT_EQ(lines_of(kBzip2), "one\ntwo\n");
  EXPECT_EQ(lines_of(kEmptyBzip2), "");
  EXPECT_EQ(lines_of("BZh9 is no file of bzip2\n"), "BZh9 is no file of bzip2\n");
}

TEST_F(RecognisedFiles, WhatIsPackedIsUnpacked) {
  const std::string text = long_text();
  for (const std::string& suffix : suffixes) {
    EXPECT_EQ(lines_of(packed(suffix, "")), "") << suffix;
    EXPECT_EQ(lines_of(packed(suffix, text)), text) << suffix;
    EXPECT_EQ(lines_of(packed(suffix, text) + packed(suffix, text)), text + text) << suffix << " twice";
    EXPECT_LT(packed(suffix, text).size(), text.size() * 8 / 10) << suffix;
  }
}

TEST_F(RecognisedFiles, TruncatedAndDamagedFilesAreErrors) {
  const std::string text = long_text();
  for (const std::string& suffix : suffixes) {
    const std::string whole = packed(suffix, text);
    for (const std::size_t size : {whole.size() - 1, whole.size() / 2, std::size_t{20}}) {
      EXPECT_THROW(lines_of(whole.substr(0, size)), InputError) << suffix << ", " << size;
    }
    std::string damaged = whole;
    damaged[whole.size() / 2] = static_cast<char>(damaged[whole.size() / 2] ^ 0x55);
    EXPECT_THROW(lines_of(damaged), InputError) << suffix;
  }
}

TEST_F(RecognisedFiles, AnXzFileThatNeedsTooMuchMemoryIsRefused) {
  // "one\ntwo\n" with a dictionary of 1 GiB.
  std::string greedy = kXz;
  greedy.replace(12, 12, "\x02\0\x21\x01\x24\0\0\0\x5e\x1f\xc7\xf9"s);
  try {
    lines_of(greedy);
    ADD_FAILURE() << "it was unpacked";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("MiB"), std::string::npos) << error.what();
  }
}

TEST_F(RecognisedFiles, ZerosMayFollowAGzipMember) {
  const std::string one = packed(".gz", "one\n"), zeros(100'000, '\0');
  EXPECT_EQ(lines_of(one + zeros), "one\n");
  EXPECT_EQ(lines_of(one + zeros + one), "one\none\n");
  EXPECT_THROW(lines_of(one + zeros + "x"), InputError);
  EXPECT_EQ(lines_of(kXz + std::string(8, '\0')), "one\ntwo\n");
}

TEST_F(RecognisedFiles, OutputIsPackedByTheNameOfItsFile) {
  const std::string text = long_text();
  const std::map<std::string, std::string> marks{{".gz", "\x1f\x8b"},
                                                 {".zst", "\x28\xb5\x2f\xfd"},
                                                 {".xz",
                                                  "\xfd"
                                                  "7zXZ"},
                                                 {".bz2", "BZh"}};
  for (const std::string& suffix : suffixes) {
    Output output(folder / ("out" + suffix));
    output.write(text);
    output.flush();
    output.line("last");
    output.close();
    const std::string bytes = folder.read("out" + suffix);
    EXPECT_TRUE(bytes.starts_with(marks.at(suffix))) << suffix;
    EXPECT_EQ(lines_of(bytes), text + "last\n") << suffix;
  }
}

TEST_F(RecognisedFiles, IncompletePackedOutputCanBeUnpacked) {
  {
    Output output(folder / "out.gz");
    output.line("one");
    output.flush();
  }
  EXPECT_EQ(lines_of(folder.read("out.gz.partial")), "one\n");
}

TEST_F(RecognisedFiles, Utf16And32AreConverted) {
  const std::string expected = "größe 😀\nzwei\n";
  const std::u32string characters = U"größe 😀\nzwei\n";
  std::string utf32_le = "\xff\xfe\0\0"s, utf32_be = "\0\0\xfe\xff"s;
  for (const char32_t c : characters) {
    for (int shift = 0; shift < 32; shift += 8) utf32_le += static_cast<char>(c >> shift);
    for (int shift = 24; shift >= 0; shift -= 8) utf32_be += static_cast<char>(c >> shift);
  }
  std::string utf16_le = "\xff\xfe", utf16_be = "\xfe\xff";
  for (const char16_t c : u"größe 😀\nzwei\n"s) {
    utf16_le += {static_cast<char>(c), static_cast<char>(c >> 8)};
    utf16_be += {static_cast<char>(c >> 8), static_cast<char>(c)};
  }
  for (const std::string& bytes : {utf16_le, utf16_be, utf32_le, utf32_be}) {
    EXPECT_EQ(lines_of(bytes), expected);
    EXPECT_EQ(lines_of(packed(".gz", bytes)), expected);
  }
  EXPECT_EQ(LineReader(folder.write("file", utf16_be)).encoding(), "UTF-16BE");
  EXPECT_EQ(LineReader(folder.write("file", expected)).encoding(), "");
  // Without their marks they are refused.
  for (const std::string& bytes :
       {utf16_le.substr(2), utf16_be.substr(2), utf32_le.substr(4), utf32_be.substr(4)}) {
    try {
      lines_of(bytes);
      ADD_FAILURE() << "it was read";
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("iconv"), std::string::npos) << error.what();
    }
  }
  // A few zero bytes are text.
  EXPECT_EQ(lines_of("a\0b and more text\n"s), "a\0b and more text\n"s);
  EXPECT_EQ(lines_of("a\0b\nc\0d\n"s), "a\0b\nc\0d\n"s);
}

TEST_F(RecognisedFiles, ALongTextIsConvertedInPieces) {
  std::string text, utf16 = "\xff\xfe";
  for (int i = 0; i < 50'000; ++i) text += "äö" + std::to_string(i) + "\n";
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if (byte == 0xC3) {
      utf16 += {static_cast<char>(static_cast<unsigned char>(text[++at]) + 0x40), '\0'};
    } else {
      utf16 += {static_cast<char>(byte), '\0'};
    }
  }
  EXPECT_EQ(lines_of(utf16), text);
  const std::string cut = lines_of(utf16.substr(0, 101));
  EXPECT_NE(cut.find("\xEF\xBF\xBD"), std::string::npos) << "half a character at the end becomes U+FFFD";
}

}  // namespace
}  // namespace gloss
