// SPDX-License-Identifier: Apache-2.0

#include "model/formats/zip_writer.h"

#include <fcntl.h>
#include <unistd.h>
#include <zip.h>

#include <algorithm>
#include <cstring>
#include <exception>

#include "base/error.h"

namespace gloss {
namespace {

/// An entry that libzip reads while it writes the archive.
struct OpenEntry {
  ZipEntryToWrite* entry;
  std::exception_ptr* failure;  ///< of making the bytes
  std::span<const std::byte> bytes = {};
  std::size_t at = 0;
  zip_error_t error = {};

  std::size_t size() const { return entry->head.size() + entry->size; }
  zip_int64_t open() {
    at = 0;
    try {
      bytes = entry->bytes();
      expects(bytes.size() == entry->size, entry->name, " has ", bytes.size(), " bytes");
      return 0;
    } catch (...) {
      *failure = std::current_exception();
      zip_error_set(&error, ZIP_ER_READ, 0);
      return -1;
    }
  }
  zip_int64_t read(char* to, std::size_t most) {
    std::size_t done = 0;
    while (done < most && at < size()) {
      const std::size_t head = entry->head.size();
      const std::size_t now = std::min(most - done, at < head ? head - at : size() - at);
      std::memcpy(to + done,
                  at < head ? entry->head.data() + at : reinterpret_cast<const char*>(&bytes[at - head]),
                  now);
      done += now;
      at += now;
    }
    return static_cast<zip_int64_t>(done);
  }
};

zip_int64_t serve(void* state, void* data, zip_uint64_t size, zip_source_cmd_t command) {
  auto& entry = *static_cast<OpenEntry*>(state);
  switch (command) {
    case ZIP_SOURCE_SUPPORTS:
      return zip_source_make_command_bitmap(ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE,
                                            ZIP_SOURCE_STAT, ZIP_SOURCE_ERROR, ZIP_SOURCE_FREE, -1);
    case ZIP_SOURCE_OPEN:
      return entry.open();
    case ZIP_SOURCE_READ:
      return entry.read(static_cast<char*>(data), size);
    case ZIP_SOURCE_STAT: {
      zip_stat_t stat;
      zip_stat_init(&stat);
      stat.size = entry.size();
      stat.valid = ZIP_STAT_SIZE;
      std::memcpy(data, &stat, sizeof stat);
      return sizeof stat;
    }
    case ZIP_SOURCE_ERROR:
      return zip_error_to_data(&entry.error, data, size);
    default:  // to close and to free
      return 0;
  }
}

/// Flushes a file to disk, so that a crash does not leave a directory with an incomplete one.
void sync_file(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const bool synced = descriptor >= 0 && ::fsync(descriptor) == 0;
  if (descriptor >= 0) ::close(descriptor);
  if (!synced) throw Error(concat(path, " cannot be written: ", std::strerror(errno)));
}

}  // namespace

void write_zip(const std::string& path, std::vector<ZipEntryToWrite> entries) {
  int code = 0;
  zip_t* const archive = zip_open(path.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &code);
  const auto fail = [&](const std::string& why) {
    zip_discard(archive);
    throw Error(concat(path, " cannot be written: ", why));
  };
  if (archive == nullptr) {
    zip_error_t error;
    zip_error_init_with_code(&error, code);
    const std::string why = zip_error_strerror(&error);
    zip_error_fini(&error);
    throw Error(concat(path, " cannot be written: ", why));
  }
  std::exception_ptr failure;
  std::vector<OpenEntry> open;
  open.reserve(entries.size());  // libzip keeps their addresses
  for (ZipEntryToWrite& entry : entries) {
    open.push_back({&entry, &failure});
    zip_source_t* const source = zip_source_function(archive, serve, &open.back());
    if (source == nullptr) fail(zip_strerror(archive));
    const zip_int64_t number = zip_file_add(archive, entry.name.c_str(), source, ZIP_FL_ENC_UTF_8);
    if (number < 0) {
      zip_source_free(source);
      fail(zip_strerror(archive));
    }
    zip_set_file_compression(archive, static_cast<zip_uint64_t>(number), ZIP_CM_STORE, 0);
    // Not the time of now: the same entries give the same bytes.
    constexpr zip_uint16_t kNewYear = 1 << 5 | 1;  // 1 January 1980
    zip_file_set_dostime(archive, static_cast<zip_uint64_t>(number), 0, kNewYear, 0);
  }
  if (zip_close(archive) == 0) return sync_file(path);
  if (failure) {
    zip_discard(archive);
    std::rethrow_exception(failure);
  }
  fail(zip_strerror(archive));
}

}  // namespace gloss
