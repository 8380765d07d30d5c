// SPDX-License-Identifier: Apache-2.0

#include "pipeline/training/training_directory.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <system_error>

#include "base/error.h"
#include "base/files.h"
#include "base/json.h"
#include "base/lines.h"
#include "base/paths.h"

namespace gloss {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPartial = ".partial";
/// Suffix of a complete checkpoint while another one of the same update replaces it.
constexpr std::string_view kReplaced = ".replaced.partial";
constexpr std::string_view kRemoved = ".removed.partial";
/// Suffix of an empty file beside checkpoint 0 of a new training: all others are of the training that it
/// replaces.
constexpr std::string_view kFresh = ".fresh.partial";

void remove_all(const std::string& path) {
  std::error_code error;
  fs::remove_all(path, error);
  if (error) throw Error(concat("cannot remove ", path, ": ", error.message()));
}

void rename(const std::string& from, const std::string& to) {
  if (::rename(from.c_str(), to.c_str()) != 0) {
    throw Error(concat("cannot rename ", from, " to ", to, ": ", system_message()));
  }
}

/// Gives a folder the name of an older one, which is then removed.
void replace_folder(const std::string& folder, const std::string& path) {
  if (::renameat2(AT_FDCWD, folder.c_str(), AT_FDCWD, path.c_str(), RENAME_EXCHANGE) == 0) {
    remove_all(folder);
    return;
  }
  const std::string replaced = concat(path, kReplaced);  // where the file system cannot exchange names
  remove_all(replaced);
  rename(path, replaced);
  rename(folder, path);
  remove_all(replaced);
}

/// Renames a checkpoint before it is removed, so that a crash leaves no incomplete one under its name.
std::string set_aside(const Checkpoint& checkpoint) {
  const std::string removed = concat(checkpoint.path, kRemoved);
  remove_all(removed);
  rename(checkpoint.path, removed);
  return removed;
}

/// True if a folder has no other files than a checkpoint, which may be incomplete.
bool has_files_of_checkpoint(const std::string& folder) {
  static const std::set<std::string_view> kTrainingFiles{"optimizer.safetensors", "training.json",
                                                         "time.json"};
  std::error_code unknown;
  return fs::is_directory(fs::symlink_status(folder, unknown)) &&
         std::ranges::all_of(names_in(folder), [&](const std::string& name) {
           return name.ends_with(kPartial) || kTrainingFiles.contains(name) ||
                  std::ranges::count(kModelFiles, name) > 0;
         });
}

/// True if `text` is a JSON object with this member.
bool has_member(const std::string& text, const char* member) {
  try {
    const nlohmann::json value = parse_json(text, "");
    return value.is_object() && value.contains(member);
  } catch (const InputError&) {
    return false;
  }
}

/// True if a training has written this folder: a checkpoint is known by its content, since other programs use
/// the same names.
bool is_checkpoint(const std::string& folder) {
  if (!has_files_of_checkpoint(folder)) return false;
  const std::string record = folder + "/training.json", config = folder + "/config.json";
  return (is_file(record) && has_member(read_file(record), "state")) ||
         (is_file(config) && has_member(read_file(config), "network"));
}

bool is_log(const std::string& path) {
  std::error_code unknown;
  if (!fs::is_regular_file(fs::symlink_status(path, unknown))) return false;
  LineReader reader(path);
  std::string line;
  return !reader.next(line) || has_member(line, "event");
}

/// Throws UsageError if something else has the name of a link that a training makes in `directory`.
void expect_links(const std::string& directory) {
  for (const char* const name : {"best", "last"}) {
    const std::string path = concat(directory, "/", name);
    std::error_code missing;
    const fs::file_status status = fs::symlink_status(path, missing);
    if (!fs::exists(status) || fs::is_symlink(status)) continue;
    throw UsageError(concat(path, " is not a link to a checkpoint, for which a training needs this name; ",
                            "move it or choose another --output"));
  }
}

/// `path`; throws UsageError if it is the directory of a model or has no place for the links.
std::string usable(const std::string& path) {
  std::error_code unknown;
  if (fs::exists(path + "/config.json", unknown)) {
    throw UsageError(concat(path,
                            " is a model directory (it contains config.json); a training needs a directory ",
                            "of its own, choose another --output"));
  }
  expect_links(path);
  return path;
}

[[noreturn]] void refuse_to_remove(const std::string& path, const std::string& what) {
  throw UsageError(concat("--fresh would remove ", path, ", but it is not ", what,
                          " that gloss wrote; move it or choose another --output"));
}

}  // namespace

TrainingDirectory::TrainingDirectory(const std::string& path) : path_(usable(path)), lock_(path_) {
  complete_replacement();
  remove_leftovers();
}

std::vector<Checkpoint> TrainingDirectory::checkpoints() const {
  return replaces_ ? std::vector<Checkpoint>() : list_checkpoints(path_);
}

void TrainingDirectory::remove_leftovers() {
  for (const std::string& name : names_in(path_)) {
    if (!name.ends_with(kPartial)) continue;
    if (name.starts_with(kCheckpointPrefix) && name.ends_with(kReplaced)) {
      // A crash came before the new checkpoint got the name: restore the old one.
      const std::string original = concat(path_, "/", name.substr(0, name.size() - kReplaced.size()));
      if (!path_exists(original)) {
        rename(concat(path_, "/", name), original);
        continue;
      }
    }
    std::error_code unknown;
    const bool link = (name == "best.partial" || name == "last.partial") &&
                      fs::is_symlink(concat(path_, "/", name), unknown);
    const bool ours = name.starts_with(kCheckpointPrefix) || name.starts_with("train.log.jsonl.") || link;
    if (ours) remove_all(concat(path_, "/", name));
  }
}

std::string TrainingDirectory::checkpoint_path(std::int64_t update) const {
  std::string digits = std::to_string(update);
  if (digits.size() < 6) digits.insert(0, 6 - digits.size(), '0');
  return concat(path_, "/", kCheckpointPrefix, digits);
}

void TrainingDirectory::write_checkpoint(std::int64_t update,
                                         const std::function<void(const std::string&)>& write) {
  expects(!replaces_ || update == 0, "update ", update, " is not the beginning of a training");
  lock_.expect_held();
  const std::string path = checkpoint_path(update);
  const std::string partial = path + std::string(kPartial);
  remove_all(partial);
  try {
    make_writable_directory(partial);
    write(partial);
  } catch (...) {
    std::error_code ignored;  // report the first error only
    fs::remove_all(partial, ignored);
    throw;
  }
  sync_directory(partial);
  const bool exists = path_exists(path);
  if (exists) replace_folder(partial, path);
  if (replaces_) write_file(fresh_mark(), "");
  if (!exists) rename(partial, path);
  sync_directory(path_);
  complete_replacement();
  replaces_ = false;
}

std::string TrainingDirectory::fresh_mark() const { return checkpoint_path(0) + std::string(kFresh); }

/// From the mark on, the new training is the one in this directory. Its checkpoint is visible before the old
/// ones are removed, so that readers always find one.
void TrainingDirectory::complete_replacement() {
  if (!path_exists(fresh_mark())) return;
  const std::string path = checkpoint_path(0), partial = path + std::string(kPartial);
  if (path_exists(partial)) rename(partial, path);
  if (path_exists(path)) remove_other_training();
  remove_all(fresh_mark());
}

/// Removes everything of a training except checkpoint 0.
void TrainingDirectory::remove_other_training() {
  link("last", 0);
  remove_all(path_ + "/best");
  remove_all(log_path());
  std::vector<std::string> removed;
  for (const Checkpoint& checkpoint : list_checkpoints(path_)) {
    if (checkpoint.update != 0) removed.push_back(set_aside(checkpoint));
  }
  sync_directory(path_);
  for (const std::string& folder : removed) remove_all(folder);
}

void TrainingDirectory::remove_checkpoint(const Checkpoint& checkpoint) { remove_all(set_aside(checkpoint)); }

void TrainingDirectory::link(const std::string& name, std::int64_t update) {
  const std::string target = fs::path(checkpoint_path(update)).filename().string();
  const std::string path = concat(path_, "/", name);
  std::error_code error;
  if (fs::read_symlink(path, error) == target) return;
  replace_link(target, path);
}

void TrainingDirectory::replace_training() {
  for (const Checkpoint& checkpoint : list_checkpoints(path_)) {
    if (!is_checkpoint(checkpoint.path)) refuse_to_remove(checkpoint.path, "a checkpoint");
  }
  if (path_exists(log_path()) && !is_log(log_path())) refuse_to_remove(log_path(), "the log of a training");
  replaces_ = true;
}

}  // namespace gloss
