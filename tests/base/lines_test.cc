// SPDX-License-Identifier: Apache-2.0

#include "base/lines.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <zlib.h>
#include <zstd.h>

#include <thread>

#include "base/error.h"
#include "base/files.h"
#include "tests/support/long_text.h"
#include "tests/support/temporary_directory.h"

namespace gloss {
namespace {

std::string gzip(const std::string& text) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string packed(deflateBound(&stream, text.size()) + 32, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

/// Compresses with a checksum, as the zstd program does.
std::string zstd(const std::string& text) {
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  ZSTD_CCtx* context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  packed.resize(ZSTD_compress2(context, packed.data(), packed.size(), text.data(), text.size()));
  ZSTD_freeCCtx(context);
  return packed;
}

std::string joined(const std::string& path) {
  std::string text;
  for (const std::string& line : read_lines(path)) text += line + "\n";
  return text;
}

TEST(LineReader, OnlyANewlineEndsALine) {
  const TemporaryDirectory directory;
  using namespace std::string_literals;
  const std::string path = directory.write("text", "a\r\n\n \xE2\x80\xA8 \f\v\x85 \0x\nlast"s);
  EXPECT_EQ(read_lines(path), (std::vector<std::string>{"a\r", "", " \xE2\x80\xA8 \f\v\x85 \0x"s, "last"}));
  EXPECT_TRUE(read_lines(directory.write("empty", "")).empty());
  EXPECT_EQ(read_lines(directory.write("newline", "\n")), (std::vector<std::string>{""}));
}

TEST(LineReader, CountsItsLines) {
  const TemporaryDirectory directory;
  LineReader reader(directory.write("text", "a\nb\n"));
  std::string line;
  EXPECT_TRUE(reader.next(line) && reader.next(line));
  EXPECT_EQ(reader.line_number(), 2);
  EXPECT_FALSE(reader.next(line));
}

TEST(LineReader, ALineOverTheLimitIsNamedAlikeByEveryAttempt) {
  const TemporaryDirectory directory;
  LineReader reader(directory.write("text", "a\n0123456789\n"), {.bytes = 8, .cuts = false});
  std::string line;
  ASSERT_TRUE(reader.next(line));
  for (int attempt = 0; attempt < 2; ++attempt) {
    try {
      reader.next(line);
      ADD_FAILURE() << "10 bytes were accepted";
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("text:2: "), std::string::npos) << error.what();
    }
  }
}

TEST(LineReader, DecompressesGzipAndZstandardFilesOfSeveralMembers) {
  const TemporaryDirectory directory;
  const std::string text = long_text();
  EXPECT_EQ(joined(directory.write("plain", text)), text);
  EXPECT_EQ(joined(directory.write("one.gz", gzip(text))), text);
  EXPECT_EQ(joined(directory.write("two.gz", gzip(text) + gzip(text))), text + text);
  EXPECT_EQ(joined(directory.write("one.zst", zstd(text))), text);
  EXPECT_EQ(joined(directory.write("two.zst", zstd(text) + zstd(text))), text + text);
  EXPECT_EQ(joined(directory.write("empty.gz", gzip(""))), "");
}

TEST(LineReader, ACompressedFileMayEndWithAFullBuffer) {
  const TemporaryDirectory directory;
  for (const std::size_t size : {std::size_t{1} << 16, std::size_t{1} << 17, std::size_t{3} << 16}) {
    const std::string text = std::string(size - 1, 'a') + "\n";
    EXPECT_EQ(joined(directory.write("full.zst", zstd(text))), text) << size;
    EXPECT_EQ(joined(directory.write("full.gz", gzip(text))), text) << size;
    EXPECT_EQ(joined(directory.write("two.zst", zstd(text) + zstd(text))), text + text) << size;
  }
}

TEST(LineReader, ATruncatedCompressedFileIsAnError) {
  const TemporaryDirectory directory;
  const std::string text = long_text();
  for (const std::string& packed : {gzip(text), zstd(text)}) {
    for (const std::size_t size : {packed.size() - 1, packed.size() / 2, std::size_t{20}}) {
      const std::string path = directory.write("cut", packed.substr(0, size));
      EXPECT_THROW(read_lines(path), InputError) << size;
    }
    std::string damaged = packed;
    damaged[packed.size() / 2] = static_cast<char>(damaged[packed.size() / 2] ^ 0x55);
    EXPECT_THROW(read_lines(directory.write("damaged", damaged)), InputError);
  }
}

TEST(LineReader, ASlowPipeIsReadLineByLine) {
  const TemporaryDirectory directory;
  const std::string path = directory / "pipe";
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  std::FILE* writer = nullptr;
  std::thread opener([&] { writer = std::fopen(path.c_str(), "w"); });
  const auto send = [&](const char* text) {
    std::fputs(text, writer);
    std::fflush(writer);
  };
  std::unique_ptr<LineReader> reader;
  std::thread reading([&] { reader = std::make_unique<LineReader>(path); });  // waits for the first bytes
  opener.join();
  send("first\nsec");
  reading.join();
  EXPECT_TRUE(reader->available());
  std::string line;
  EXPECT_TRUE(reader->next(line));
  EXPECT_EQ(line, "first");
  EXPECT_FALSE(reader->available()) << "the line is incomplete";
  std::thread later([&] { send("ond\n"); });
  EXPECT_TRUE(reader->available(std::chrono::steady_clock::now() + std::chrono::hours(1)));
  later.join();
  EXPECT_TRUE(reader->available());
  EXPECT_TRUE(reader->next(line));
  EXPECT_EQ(line, "second");
  std::fclose(writer);
  EXPECT_TRUE(reader->available()) << "the end of the file needs no waiting";
  EXPECT_FALSE(reader->next(line));
}

TEST(LineReader, CutsLongLinesWithoutSplittingCharacters) {
  const TemporaryDirectory directory;
  const std::string euro = "\xE2\x82\xAC", text = "12345678\n123456789\n123456" + euro + "\n12345" + euro +
                                                  "\n" + std::string(1'000'000, 'x') + "\nab" + euro + euro +
                                                  euro;
  const std::vector<std::string> expected{"12345678",     "12345678", "123456",
                                          "12345" + euro, "xxxxxxxx", "ab" + euro + euro};
  for (const std::string& path : {directory.write("plain", text), directory.write("text.gz", gzip(text)),
                                  directory.write("text.zst", zstd(text))}) {
    LineReader reader(path, {.bytes = 8, .cuts = true});
    std::vector<std::string> lines;
    for (std::string line; reader.next(line);) {
      EXPECT_LT(line.capacity(), 1'000u);
      lines.push_back(line);
    }
    EXPECT_EQ(lines, expected);
    EXPECT_EQ(reader.line_number(), 6);
    EXPECT_EQ(reader.cut_lines().count, 4);
    EXPECT_EQ(reader.cut_lines().first, 2);
  }
}

TEST(LineReader, ALongLineIsAnErrorThatNamesItsPlace) {
  const TemporaryDirectory directory;
  LineReader reader(directory.write("text", "12345678\n123456789\n"), {.bytes = 8});
  std::string line;
  EXPECT_TRUE(reader.next(line));
  try {
    reader.next(line);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("text:2: "), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("8 bytes"), std::string::npos) << error.what();
  }
}

TEST(LineReader, RefusesMissingFilesAndFolders) {
  const TemporaryDirectory directory;
  EXPECT_THROW(LineReader(directory / "missing"), InputError);
  EXPECT_THROW(LineReader(directory.path()), InputError);
}

}  // namespace
}  // namespace gloss
