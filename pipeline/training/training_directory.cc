// SPDX-License-Identifier: Apache-2.0

#include "pipeline/training/training_directory.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <system_error>

#include "base/error.h"
#include "base/files.h"
#include "base/json.h"
#include "base/lines.h"

namespace gloss {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPartial = ".partial";
/// Suffix of a complete checkpoint while another one of the same update replaces it.
constexpr std::string_view kReplaced = ".replaced.partial";

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

/// True if a folder has no other files than a checkpoint, which may be incomplete.
bool has_files_of_checkpoint(const std::string& folder) {
  static const std::set<std::string> kFiles{"config.json",   "model.safetensors", "optimizer.safetensors",
                                            "training.json", "time.json",         "tokenizer.model",
                                            "source.model",  "target.model"};
  return fs::is_directory(fs::symlink_status(folder)) &&
         std::ranges::all_of(names_in(folder), [&](const std::string& name) {
           return name.ends_with(kPartial) || kFiles.contains(name);
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
  std::error_code missing;
  return (fs::is_regular_file(record, missing) && has_member(read_file(record), "state")) ||
         (fs::is_regular_file(config, missing) && has_member(read_file(config), "network"));
}

bool is_log(const std::string& path) {
  if (!fs::is_regular_file(fs::symlink_status(path))) return false;
  LineReader reader(path);
  std::string line;
  return !reader.next(line) || has_member(line, "event");
}

[[noreturn]] void refuse_to_remove(const std::string& path, const std::string& what) {
  throw UsageError(concat("--fresh would remove ", path, ", but it is not ", what,
                          " that gloss wrote; move it or choose another --output"));
}

}  // namespace

TrainingDirectory::TrainingDirectory(const std::string& path) : path_(path) {
  std::error_code unknown;
  if (fs::exists(path_ + "/config.json", unknown)) {
    throw UsageError(concat(path_,
                            " is a model directory (it contains config.json); a training needs a directory ",
                            "of its own, choose another --output"));
  }
  make_writable_directory(path_);
  const std::string name = path_ + "/.lock";
  lock_ = ::open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (lock_ < 0) throw Error(concat("cannot write ", name, ": ", system_message()));
  if (::flock(lock_, LOCK_EX | LOCK_NB) != 0) {
    const bool taken = errno == EWOULDBLOCK;
    const std::string message = system_message();
    ::close(lock_);
    if (taken)
      throw Error(concat("another training is writing to ", path_,
                         "; wait until it ends or choose another --output"));
    throw Error(concat("cannot lock ", name, ": ", message));
  }
  remove_leftovers();
}

TrainingDirectory::~TrainingDirectory() { ::close(lock_); }

void TrainingDirectory::remove_leftovers() {
  for (const std::string& name : names_in(path_)) {
    if (!name.ends_with(kPartial)) continue;
    if (name.starts_with(kCheckpointPrefix) && name.ends_with(kReplaced)) {
      // A crash came before the new checkpoint got the name: restore the old one.
      const std::string original = concat(path_, "/", name.substr(0, name.size() - kReplaced.size()));
      if (!fs::exists(original)) {
        rename(concat(path_, "/", name), original);
        continue;
      }
    }
    const bool link = name == "best.partial" || name == "last.partial";
    const bool ours = name.starts_with(kCheckpointPrefix) || name.starts_with("train.log.jsonl.") ||
                      (link && fs::is_symlink(concat(path_, "/", name)));
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
  const std::string replaced = path + std::string(kReplaced);
  remove_all(replaced);
  if (fs::exists(path)) rename(path, replaced);
  rename(partial, path);
  sync_directory(path_);
  remove_all(replaced);
}

void TrainingDirectory::remove_checkpoint(const Checkpoint& checkpoint) {
  // Renames it first, so that a crash leaves no incomplete checkpoint under its name.
  const std::string removed = concat(checkpoint.path, ".removed", kPartial);
  remove_all(removed);
  rename(checkpoint.path, removed);
  remove_all(removed);
}

void TrainingDirectory::link(const std::string& name, std::int64_t update) {
  const std::string target = fs::path(checkpoint_path(update)).filename().string();
  const std::string path = concat(path_, "/", name);
  std::error_code error;
  if (fs::read_symlink(path, error) == target) return;
  replace_link(target, path);
}

void TrainingDirectory::clear() {
  const std::vector<Checkpoint> found = checkpoints();
  std::vector<std::string> others{log_path()};
  for (const Checkpoint& checkpoint : found) {
    if (!is_checkpoint(checkpoint.path)) refuse_to_remove(checkpoint.path, "a checkpoint");
  }
  if (fs::exists(log_path()) && !is_log(log_path())) refuse_to_remove(log_path(), "the log of a training");
  for (const char* name : {"best", "last"}) {
    const std::string link = others.emplace_back(concat(path_, "/", name));
    std::error_code missing;
    if (fs::exists(fs::symlink_status(link, missing)) && !fs::is_symlink(link, missing)) {
      refuse_to_remove(link, "a link to a checkpoint");
    }
  }
  for (const Checkpoint& checkpoint : found) remove_checkpoint(checkpoint);
  for (const std::string& path : others) remove_all(path);
}

}  // namespace gloss
