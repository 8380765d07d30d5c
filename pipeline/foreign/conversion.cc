// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/conversion.h"

#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "base/checksum.h"
#include "base/error.h"
#include "base/files.h"
#include "base/mapped_file.h"
#include "base/nameless_file.h"
#include "base/paths.h"
#include "base/program_identity.h"
#include "base/text.h"
#include "model/model_directory.h"
#include "model/model_paths.h"
#include "pipeline/foreign/import_model.h"

namespace gloss {
namespace {

namespace fs = std::filesystem;

using Clock = std::chrono::steady_clock;

const std::string kName = "model";

/// The files of a conversion.
std::vector<std::string> own_files() { return {kModelFiles.begin(), kModelFiles.end()}; }

/// Size and times of a file or of the file that a link names; empty if it is neither.
std::string state_of_file(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return {};
  return concat(path, " ", status.st_size, " ", status.st_mtim.tv_sec, ".", status.st_mtim.tv_nsec, " ",
                status.st_ctim.tv_sec, ".", status.st_ctim.tv_nsec, "\n");
}

/// A sum of what a conversion depends on: the program, the path, and the files of its directory, since a file
/// of weights needs those beside it.
std::string state_of(const std::string& path) {
  const std::string whole = plain_path(path);
  const std::string directory = is_folder(whole) ? whole : folder_of(whole);
  std::vector<std::string> names = names_in(directory);
  std::ranges::sort(names);
  Checksum sum;
  sum.add(concat(whole, "\n", program_identity()));
  for (const std::string& name : names) sum.add(state_of_file(concat(directory, "/", name)));
  return sum.text();
}

/// A converted model. The notes come at the end, since they end the display of the progress.
struct Converted {
  ShortLivedDirectory directory;
  std::string description;
  std::vector<std::string> notes;
};

ForeignModel checked_model(const std::string& path, const ForeignCheck& check) {
  ForeignModel model = read_foreign_model(path);
  if (check) check(model);
  return model;
}

Converted convert(ForeignModel model, const std::string& folder, Listener& listener) {
  ShortLivedDirectory directory(folder, kName, own_files());
  write_foreign_model(model, directory.path(), listener);
  return {std::move(directory), std::move(model.description), std::move(model.notes)};
}

void note_all(const std::string& first, const std::vector<std::string>& others, Listener& listener) {
  listener.note(first);
  for (const std::string& note : others) listener.note(note);
}

/// True if a directory has all files of a model, with the sums in its config.json. Deleting old files of a
/// cache, as programs do that clean up, may leave a part.
bool is_whole(const std::string& directory) {
  try {
    const FileSums sums = read_file_sums(directory);
    return !sums.empty() && std::ranges::all_of(sums, [&](const auto& file) {
      Checksum sum;
      sum.add(MappedFile(concat(directory, "/", file.first)).bytes());
      return sum.text() == file.second;
    });
  } catch (const InputError&) {
    return false;
  }
}

/// `make()`; an Error, such as of a full disk, gets an advice.
template <class Make>
auto with_advice(const Make& make, const std::string& advice) {
  try {
    return make();
  } catch (const InputError&) {
    throw;
  } catch (const UsageError&) {
    throw;
  } catch (const Error& error) {
    throw Error(concat(error.what(), "; ", advice));
  }
}

}  // namespace

ShortLivedDirectory temporary_conversion(const std::string& path, const ForeignCheck& check,
                                         Listener& listener) {
  const auto start = Clock::now();
  ForeignModel model = checked_model(path, check);
  const std::string folder = temporary_folder();
  return with_advice(
      [&] {
        Converted converted = convert(std::move(model), folder, listener);
        const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
        note_all(conversion_note(path, converted.description, seconds), converted.notes, listener);
        return std::move(converted.directory);
      },
      "a model of another program is converted there first: set TMPDIR to a directory with more room, or use "
      "'gloss import' once");
}

std::string cached_conversion(const std::string& path, const std::string& cache, const ForeignCheck& check,
                              Listener& listener) {
  return with_advice(
      [&] {
        make_writable_directory(cache);
        const std::string directory =
            concat(cache, "/", fs::path(plain_path(path)).filename().string(), "-", state_of(path));
        if (is_whole(directory)) return directory;
        Converted converted = convert(checked_model(path, check), cache, listener);
        // If another program makes the same conversion at the same time, the first one stays.
        if (const OpenDirectory damaged(directory); damaged.is_open() && !is_whole(directory)) {
          for (const std::string& name : own_files()) damaged.remove_file(name);
        }
        if (!converted.directory.keep_as(directory) && !is_whole(directory))
          throw Error(directory + " is damaged; remove it");
        note_all(concat("converted ", path, ", ", converted.description, ", in ", directory), converted.notes,
                 listener);
        return directory;
      },
      "the environment variable GLOSS_IMPORT_CACHE names the directory for converted models");
}

std::string conversion_note(const std::string& path, const std::string& description, double seconds) {
  constexpr double kLong = 2;
  std::string text = concat("converted ", path, ", ", description);
  if (seconds < kLong) return text;
  return text +
         concat(" in ", fixed_text(seconds, 0),
                " s; to do this only once, use 'gloss import', or name a directory in GLOSS_IMPORT_CACHE");
}

}  // namespace gloss
