// SPDX-License-Identifier: Apache-2.0

#include "model/formats/zip_archive.h"

#include <zip.h>

#include <algorithm>
#include <array>

#include "base/error.h"
#include "base/index.h"

namespace gloss {
namespace {

constexpr zip_int64_t kMostEntries = 200'000;
constexpr std::uint64_t kSmall = 1 << 20;      // entries of this size may be as repetitive as they like
constexpr std::uint64_t kMostExpansion = 100;  // deflate reaches 1,030; weights expand by less than 2

/// An open archive and the mapped file that it reads from.
struct OpenArchive {
  explicit OpenArchive(const std::string& path) : file(path) {
    zip_error_t error;
    zip_error_init(&error);
    // Of a mapped file, since libzip would not notice that a file is changed or cut meanwhile.
    zip_source_t* source = zip_source_buffer_create(file.bytes().data(), file.bytes().size(), 0, &error);
    if (source == nullptr) throw std::bad_alloc();
    archive = zip_open_from_source(source, ZIP_RDONLY, &error);
    if (archive != nullptr) return;
    const bool no_archive = zip_error_code_zip(&error) == ZIP_ER_NOZIP;
    const std::string why = no_archive ? "" : concat(": ", zip_error_strerror(&error));
    zip_error_fini(&error);
    zip_source_free(source);
    throw InputError(
        concat(path, " is truncated, damaged or not a zip archive", why, "; copy or write the file again"));
  }
  ~OpenArchive() { zip_discard(archive); }
  OpenArchive(const OpenArchive&) = delete;
  OpenArchive& operator=(const OpenArchive&) = delete;

  MappedFile file;
  zip_t* archive = nullptr;
};

class EntryStream : public StoredStream {
 public:
  EntryStream(const OpenArchive& archive, zip_uint64_t entry, std::string where, std::uint64_t size)
      : file_(zip_fopen_index(archive.archive, entry, 0)), where_(std::move(where)), rest_(size) {
    if (file_ == nullptr) {
      throw InputError(concat(where_, " cannot be read: ", zip_strerror(archive.archive)));
    }
  }
  ~EntryStream() override { zip_fclose(file_); }
  EntryStream(const EntryStream&) = delete;
  EntryStream& operator=(const EntryStream&) = delete;

  void read(std::span<std::byte> part) override {
    while (!part.empty()) {
      const zip_int64_t got = zip_fread(file_, part.data(), part.size());
      if (got <= 0) refuse(got);
      part = part.subspan(index(got));
      rest_ -= std::min(rest_, static_cast<std::uint64_t>(got));
    }
    if (rest_ > 0) return;
    // libzip compares the checksum when it meets the end.
    std::byte beyond;
    const zip_int64_t got = zip_fread(file_, &beyond, 1);
    if (got != 0) refuse(got);
  }
  void skip(std::uint64_t count) override {
    std::array<std::byte, 1 << 14> ignored;
    for (; count > 0; count -= std::min<std::uint64_t>(count, ignored.size())) {
      read(std::span(ignored).first(std::min<std::uint64_t>(count, ignored.size())));
    }
  }

 private:
  [[noreturn]] void refuse(zip_int64_t got) const {
    throw InputError(concat(where_,
                            got == 0  ? " ends too early"
                            : got > 0 ? " has more bytes than it claims"
                                      : concat(" is damaged: ", zip_file_strerror(file_)),
                            "; copy or write the file again"));
  }

  zip_file_t* file_;
  std::string where_;
  std::uint64_t rest_;
};

class Entry : public StoredBytes {
 public:
  Entry(std::shared_ptr<const OpenArchive> archive, zip_uint64_t number, std::string where,
        std::uint64_t size)
      : archive_(std::move(archive)), number_(number), where_(std::move(where)), size_(size) {}
  std::uint64_t size() const override { return size_; }
  std::unique_ptr<StoredStream> open() const override {
    return std::make_unique<EntryStream>(*archive_, number_, where_, size_);
  }

 private:
  std::shared_ptr<const OpenArchive> archive_;
  zip_uint64_t number_;
  std::string where_;
  std::uint64_t size_;
};

/// Throws InputError unless the entry can have the size that it claims.
void expect_possible(const zip_stat_t& about, const std::string& where) {
  constexpr zip_uint64_t kNeeded =
      ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD | ZIP_STAT_ENCRYPTION_METHOD;
  if ((about.valid & kNeeded) != kNeeded) throw InputError(concat(where, " lacks a size or a method"));
  if (about.encryption_method != ZIP_EM_NONE) {
    throw InputError(concat(where, " is encrypted; expected an archive without a password"));
  }
  if (about.comp_method != ZIP_CM_STORE && about.comp_method != ZIP_CM_DEFLATE) {
    throw InputError(concat(where, " has the compression method ", about.comp_method,
                            "; expected 0 (stored) or 8 (deflate)"));
  }
  if (about.comp_method == ZIP_CM_STORE && about.size != about.comp_size) {
    throw InputError(
        concat(where, " claims ", about.size, " bytes, but ", about.comp_size, " bytes are stored"));
  }
  if (about.size > kSmall && about.size / kMostExpansion > about.comp_size) {
    throw InputError(concat(where, " claims to expand from ", about.comp_size, " to ", about.size,
                            " bytes; expected less than ", kMostExpansion, " times as many"));
  }
}

}  // namespace

ZipArchive::ZipArchive(const std::string& path) {
  const auto open = std::make_shared<const OpenArchive>(path);
  const zip_int64_t count = zip_get_num_entries(open->archive, 0);
  if (count < 0 || count > kMostEntries) {
    throw InputError(concat(path, " has ", count, " zip entries, expected at most ", kMostEntries));
  }
  if (count == 0) throw InputError(concat(path, " is not a zip archive or has no entries"));
  std::uint64_t left = open->file.bytes().size();
  for (zip_uint64_t i = 0; i < static_cast<zip_uint64_t>(count); ++i) {
    zip_stat_t about;
    zip_stat_init(&about);
    if (zip_stat_index(open->archive, i, ZIP_FL_ENC_RAW, &about) != 0) {
      throw InputError(concat(path, ": zip entry ", i, " cannot be read: ", zip_strerror(open->archive)));
    }
    const std::string name = (about.valid & ZIP_STAT_NAME) != 0 ? about.name : "";
    const std::string where = concat(path, ": zip entry '", name, "'");
    if (name.ends_with('/')) continue;
    expect_possible(about, where);
    // Entries that overlap would let a small file expand without end.
    if (about.comp_size > left) {
      throw InputError(concat(where, ": the entries claim more bytes than the file has"));
    }
    left -= about.comp_size;
    if (!entries_.emplace(name, std::make_shared<Entry>(open, i, where, about.size)).second) {
      throw InputError(concat(where, " occurs twice"));
    }
  }
}

std::string zip_version() { return concat("libzip ", zip_libzip_version()); }

}  // namespace gloss
